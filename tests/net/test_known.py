"""What the installed game keeps of servers: a key that it knows is never replaced by what it is told."""

from __future__ import annotations

from pathlib import Path

from kozel.net.known import Known


def test_the_servers_of_a_club_are_kept_with_their_keys(tmp_path: Path) -> None:
    known = Known(tmp_path)
    known.remember("a.example", "SHA256:a")
    known.remember("b.example", "SHA256:b")
    known.learn("a.example", {"b.example": "SHA256:other", "c.example:2223": "SHA256:c"})
    later = Known(tmp_path)
    assert later.server("b.example") == "SHA256:b"
    assert later.server("c.example:2223") == "SHA256:c"
    assert later.others("b.example") == ["a.example", "c.example:2223"]
    stamp = known.servers_file.stat().st_mtime_ns
    later.learn("a.example", {"c.example:2223": "SHA256:c", "b.example": "SHA256:b"})
    assert known.servers_file.stat().st_mtime_ns == stamp
    later.learn("a.example", {"d.example": "SHA256:d"})
    assert later.others("a.example") == ["d.example"]
    assert later.others("c.example:2223") == []
