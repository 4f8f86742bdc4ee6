; The installer, compiled by package.sh, for the current user, without administrator rights.
; INSTALL and REMOVE: files with the lines that install the package's files and that delete exactly
; these; OUT: the installer; ICON, VERSION.
Unicode true
Target amd64-unicode
SetCompressor /SOLID lzma
Name "Mantissa"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Mantissa"
InstallDirRegKey HKCU "Software\Mantissa" "Folder"
RequestExecutionLevel user
ManifestDPIAware true
ManifestLongPathAware true
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "Mantissa"
VIAddVersionKey "FileDescription" "Mantissa setup"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "Apache License 2.0"

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Mantissa"
!define CLASSES "Software\Classes"
!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!include MUI2.nsh
!include FileFunc.nsh
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!define MUI_FINISHPAGE_RUN "$INSTDIR\bin\mantissa-studio.exe"
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"
!insertmacro MUI_LANGUAGE "Japanese"

LangString RUNNING ${LANG_ENGLISH} "Mantissa is running from $INSTDIR. Let the run end or stop it, close the window, then try again."
LangString RUNNING ${LANG_SIMPCHINESE} "Mantissa 正在从 $INSTDIR 运行。请等待训练结束或停止训练，关闭窗口后重试。"
LangString RUNNING ${LANG_JAPANESE} "$INSTDIR の Mantissa が実行中です。学習の終了を待つか停止し、ウィンドウを閉じてから再試行してください。"

!macro WaitUntilClosed program ; Windows opens no program for writing that runs
  ${DoWhile} ${FileExists} "$INSTDIR\bin\${program}"
    ClearErrors
    FileOpen $0 "$INSTDIR\bin\${program}" a
    ${IfNot} ${Errors}
      FileClose $0
      ${ExitDo}
    ${EndIf}
    ${If} ${Cmd} `MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(RUNNING)" /SD IDCANCEL IDCANCEL`
      Abort "$(RUNNING)"
    ${EndIf}
  ${Loop}
!macroend

!macro TellShell ; that associations changed
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend

Section
  !insertmacro WaitUntilClosed mantissa.exe
  !insertmacro WaitUntilClosed mantissa-studio.exe
  ; Another version's files go first, so that none is left behind.
  ${If} ${FileExists} "$INSTDIR\uninstall.exe"
    ExecWait '"$INSTDIR\uninstall.exe" /S _?=$INSTDIR'
  ${EndIf}
  !include "${INSTALL}"
  SetOutPath "$INSTDIR" ; of the shortcut
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Mantissa.lnk" "$INSTDIR\bin\mantissa-studio.exe"

  WriteRegStr HKCU "Software\Mantissa" "Folder" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Mantissa"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\bin\mantissa-studio.exe"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" $0

  ; A double click on a preset opens it in the studio.
  WriteRegStr HKCU "${CLASSES}\Mantissa.Preset" "" "Mantissa training preset"
  WriteRegStr HKCU "${CLASSES}\Mantissa.Preset\DefaultIcon" "" "$INSTDIR\bin\mantissa-studio.exe,0"
  WriteRegStr HKCU "${CLASSES}\Mantissa.Preset\shell\open\command" "" '"$INSTDIR\bin\mantissa-studio.exe" "%1"'
  WriteRegStr HKCU "${CLASSES}\.mantissa-preset" "" "Mantissa.Preset"
  WriteRegStr HKCU "${CLASSES}\.json\OpenWithProgids" "Mantissa.Preset" ""
  !insertmacro TellShell
SectionEnd

Section Uninstall ; runs and settings stay: %LOCALAPPDATA%\Mantissa
  !insertmacro WaitUntilClosed mantissa.exe
  !insertmacro WaitUntilClosed mantissa-studio.exe
  !include "${REMOVE}"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Mantissa.lnk"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "Software\Mantissa"
  DeleteRegKey HKCU "${CLASSES}\Mantissa.Preset"
  DeleteRegKey HKCU "${CLASSES}\.mantissa-preset"
  DeleteRegValue HKCU "${CLASSES}\.json\OpenWithProgids" "Mantissa.Preset"
  !insertmacro TellShell
SectionEnd
