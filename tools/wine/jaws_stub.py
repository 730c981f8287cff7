"""A stand-in for the COM interface of JAWS, for Windows' Python under Wine; it logs each call as a line of JSON.

JAWS_STUB_LIBRARY is the type library made of jaws_stub.idl, JAWS_STUB_LOG the log; while the file JAWS_STUB_LOG + ".gone"
exists, no call is taken. Run as a program it registers itself in the Wine prefix; with the argument
"unregister" it takes itself out again.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import pythoncom

LOG = os.environ["JAWS_STUB_LOG"]


class JawsApi:
    _reg_clsid_ = "{7d7a86b6-6c2f-4d2c-9d6e-2f8f3c1a0003}"
    _reg_progid_ = "FreedomSci.JawsApi"
    _reg_desc_ = "a stand-in for JAWS"
    _reg_clsctx_ = pythoncom.CLSCTX_INPROC_SERVER
    _public_methods_ = ("SayString", "StopSpeech", "RunFunction")
    _typelib_guid_ = "{7d7a86b6-6c2f-4d2c-9d6e-2f8f3c1a0001}"
    _typelib_version_ = (1, 0)
    _com_interfaces_ = ("{7d7a86b6-6c2f-4d2c-9d6e-2f8f3c1a0002}",)

    def SayString(self, text: str, flush: bool = True) -> bool:  # noqa: N802  JAWS' own name
        return self._called("SayString", text, bool(flush))

    def StopSpeech(self) -> None:  # noqa: N802
        self._called("StopSpeech")

    def RunFunction(self, name: str) -> bool:  # noqa: N802
        return self._called("RunFunction", name)

    def _called(self, *call: Any) -> bool:
        if os.path.exists(LOG + ".gone"):
            return False
        with open(LOG, "a", encoding="utf-8") as log:
            log.write(json.dumps(call, ensure_ascii=False) + "\n")
        return True


if __name__ == "__main__":
    from win32com.server import register

    if sys.argv[1:] == ["unregister"]:
        register.UnregisterClasses(JawsApi, quiet=True)
    else:
        library = os.environ["JAWS_STUB_LIBRARY"]
        pythoncom.RegisterTypeLib(pythoncom.LoadTypeLib(library), library)
        register.RegisterClasses(JawsApi, quiet=True)
