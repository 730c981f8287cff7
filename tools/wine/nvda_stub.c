/* A stand-in for NVDA's controller client, for accessible_output2 in Windows' own Python under Wine: there the genuine
 * library says that NVDA runs when none does.
 *
 * NVDA_STUB_LOG    file that gets a UTF-8 line "thread <TAB> answer <TAB> function <TAB> text" for each call
 * NVDA_STUB_STATE  file with two numbers: what every function answers (0 taken, 1722 no NVDA, -1 sleep mode, in which
 *                  NVDA still says that it runs), and the milliseconds that it takes; without the file 0 and 0
 *
 * x86_64-w64-mingw32-gcc -O2 -Wall -shared -o nvdaControllerClient64.dll nvda_stub.c
 */
#include <stdio.h>
#include <windows.h>

static void read_state(int *answer, int *milliseconds)
{
    wchar_t path[MAX_PATH] = {0};
    *answer = *milliseconds = 0;
    GetEnvironmentVariableW(L"NVDA_STUB_STATE", path, MAX_PATH);
    FILE *state = _wfopen(path, L"r");
    if (state) {
        if (fscanf(state, "%d %d", answer, milliseconds) < 1)
            *answer = 0;
        fclose(state);
    }
}

static int called(const char *function, const wchar_t *text)
{
    char utf8[16384] = "";
    wchar_t path[MAX_PATH] = {0};
    int answer, milliseconds;
    read_state(&answer, &milliseconds);
    Sleep(milliseconds);
    if (text)
        WideCharToMultiByte(CP_UTF8, 0, text, -1, utf8, sizeof utf8 - 1, NULL, NULL);
    GetEnvironmentVariableW(L"NVDA_STUB_LOG", path, MAX_PATH);
    FILE *log = _wfopen(path, L"ab");
    if (log) {
        fprintf(log, "%lu\t%d\t%s\t%s\n", GetCurrentThreadId(), answer, function, utf8);
        fclose(log);
    }
    return answer;
}

#define EXPORT __declspec(dllexport) int __stdcall
EXPORT nvdaController_testIfRunning(void) { int answer = called("testIfRunning", NULL); return answer == -1 ? 0 : answer; }
EXPORT nvdaController_speakText(const wchar_t *text) { return called("speakText", text); }
EXPORT nvdaController_cancelSpeech(void) { return called("cancelSpeech", NULL); }
EXPORT nvdaController_brailleMessage(const wchar_t *text) { return called("brailleMessage", text); }
