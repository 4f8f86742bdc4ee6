# Contents of a package. Everything is found relative to the programs, so the folder is relocatable.
include(GNUInstallDirs)
set(MANTISSA_SHARE share/mantissa)
foreach(program IN ITEMS mantissa mantissa-studio)
  if(TARGET ${program})
    # The same path in the build tree: otherwise CMake pads its RUNPATH with empty entries, which
    # mean the current folder.
    set_target_properties(${program} PROPERTIES
      INSTALL_RPATH "$ORIGIN/../lib" BUILD_WITH_INSTALL_RPATH ON)
    install(TARGETS ${program} RUNTIME DESTINATION bin COMPONENT app)
  endif()
endforeach()
if(TARGET mantissa_cuda)
  install(TARGETS mantissa_cuda LIBRARY DESTINATION lib RUNTIME DESTINATION bin COMPONENT cuda)
endif()
if(TARGET mantissa_mpi)
  # In no package: it fits only the MPI that it was built with.
  install(TARGETS mantissa_mpi LIBRARY DESTINATION lib COMPONENT mpi)
endif()
install(DIRECTORY ${CMAKE_SOURCE_DIR}/presets DESTINATION ${MANTISSA_SHARE} COMPONENT app)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/resources/docs ${CMAKE_SOURCE_DIR}/resources/screenshots
  DESTINATION ${MANTISSA_SHARE} COMPONENT app PATTERN "*.sh" EXCLUDE)
install(FILES ${CMAKE_SOURCE_DIR}/resources/cuda_libraries.json DESTINATION ${MANTISSA_SHARE}
  COMPONENT app)
install(FILES ${CMAKE_SOURCE_DIR}/resources/demo/mini-sdxl.safetensors
  DESTINATION ${MANTISSA_SHARE}/demo COMPONENT app)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/resources/demo/images ${CMAKE_SOURCE_DIR}/resources/demo/mini-z-image
  DESTINATION ${MANTISSA_SHARE}/demo COMPONENT app)
install(FILES ${CMAKE_BINARY_DIR}/share/mantissa/bpe_simple_vocab_16e6.txt.gz
  DESTINATION ${MANTISSA_SHARE} COMPONENT app OPTIONAL)
install(DIRECTORY ${CMAKE_BINARY_DIR}/share/mantissa/qwen3 DESTINATION ${MANTISSA_SHARE}
  COMPONENT app OPTIONAL)
install(DIRECTORY ${CMAKE_BINARY_DIR}/share/mantissa/i18n DESTINATION ${MANTISSA_SHARE}
  COMPONENT app OPTIONAL)
install(DIRECTORY ${CMAKE_BINARY_DIR}/share/mantissa/fonts DESTINATION ${MANTISSA_SHARE}
  COMPONENT app OPTIONAL)
if(UNIX AND EXISTS ${CMAKE_SOURCE_DIR}/packaging/linux)
  install(FILES ${CMAKE_SOURCE_DIR}/packaging/linux/mantissa-studio.desktop
    DESTINATION share/applications COMPONENT app)
  install(FILES ${CMAKE_SOURCE_DIR}/packaging/linux/mantissa-preset.xml
    DESTINATION share/mime/packages COMPONENT app)
  install(FILES ${CMAKE_SOURCE_DIR}/packaging/linux/mantissa.svg
    DESTINATION share/icons/hicolor/scalable/apps COMPONENT app)
endif()
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE ${CMAKE_SOURCE_DIR}/README.md
  DESTINATION share/doc/mantissa COMPONENT app)
# The program writes its own manual page and completion scripts.
if(TARGET mantissa AND UNIX AND NOT CMAKE_CROSSCOMPILING)
  set(MANTISSA_SHELL ${CMAKE_BINARY_DIR}/shell)
  set(written)
  foreach(call IN ITEMS "mantissa.1:help;--man" "mantissa.bash:completion;bash"
      "_mantissa:completion;zsh" "mantissa.fish:completion;fish")
    string(REGEX MATCH "^([^:]+):(.*)$" call "${call}")
    set(file ${MANTISSA_SHELL}/${CMAKE_MATCH_1})
    add_custom_command(OUTPUT ${file}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${MANTISSA_SHELL}
      COMMAND ${CMAKE_COMMAND} -E env MANTISSA_RESOURCES=${CMAKE_SOURCE_DIR}/resources
        $<TARGET_FILE:mantissa> ${CMAKE_MATCH_2} > ${file}
      DEPENDS mantissa VERBATIM)
    list(APPEND written ${file})
  endforeach()
  add_custom_target(mantissa_shell ALL DEPENDS ${written})
  install(FILES ${MANTISSA_SHELL}/mantissa.1 DESTINATION share/man/man1 COMPONENT app)
  install(FILES ${MANTISSA_SHELL}/mantissa.bash DESTINATION share/bash-completion/completions
    RENAME mantissa COMPONENT app)
  install(FILES ${MANTISSA_SHELL}/_mantissa DESTINATION share/zsh/site-functions COMPONENT app)
  install(FILES ${MANTISSA_SHELL}/mantissa.fish DESTINATION share/fish/vendor_completions.d
    COMPONENT app)
endif()
