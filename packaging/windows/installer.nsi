; The installer, compiled by package.sh, for the current user, without administrator rights.
; ROOT: the folder to install; REMOVE: a file with the lines that delete exactly its files; OUT: the
; installer; ICON, VERSION.
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

!macro TellShell ; that associations changed
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend

Section
  ; Another version's files go first, so that none is left behind.
  ${If} ${FileExists} "$INSTDIR\uninstall.exe"
    ExecWait '"$INSTDIR\uninstall.exe" /S _?=$INSTDIR'
  ${EndIf}
  SetOutPath "$INSTDIR"
  File /r "${ROOT}/*"
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
