@echo off
rem The command line of a packaged Spillway: the app's own files, run by the Node.js on the PATH.
node -e "const [a, b] = process.versions.node.split('.').map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)" 2>nul
if errorlevel 1 (
  echo spillway: the command line needs Node.js 20.19 or newer: install it, or put it first on the PATH 1>&2
  exit /b 2
)
node "%~dp0..\command\dist\node\cli.js" %*
