; electron-builder puts these steps into the installer and the uninstaller for Windows.

; "Open with" offers Spillway, and the jump list shows what it opened: Windows does both only for programs that are
; registered for a type. Spillway becomes the default of none.
!macro customInstall
  !insertmacro spillwayOpens ".log"
  !insertmacro spillwayOpens ".txt"
  !insertmacro spillwayOpens ".out"
  !insertmacro spillwayOpens ".jsonl"
  !insertmacro spillwayOpens ".ndjson"
  !insertmacro spillwayOpens ".gz"
  !insertmacro spillwayOpens ".bz2"
  !insertmacro spillwayOpens ".xz"
  !insertmacro spillwayOpens ".zst"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}" "FriendlyAppName" "Spillway"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
!macroend

!macro spillwayOpens EXTENSION
  WriteRegStr SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}\SupportedTypes" "${EXTENSION}" ""
!macroend

!macro customUnInstall
  DeleteRegKey SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}"
  ; The app registers its links itself, for this user.
  DeleteRegKey HKCU "Software\Classes\spillway"
!macroend
