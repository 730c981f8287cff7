@title Kozel
@"%~dp0py\python.exe" -X utf8 -m kozel %*
