# shellcheck shell=bash disable=SC2154
# One function per library for dependencies.sh, which sources this file: each is called in a folder
# of its own with its sources unpacked at $source, and installs into $stage, a copy of the prefix's
# layout. A change of a function rebuilds its library.

# For static C++ libraries, as in Mantissa's own CMakeLists.txt, which says why.
inline_copies='-DCMAKE_CXX_FLAGS=-Wa,-mbig-obj -fno-ipa-ra -fno-ipa-stack-alignment'

recipe_headers() { # libraries that are only headers, from this machine's packages
  copy_package nlohmann-json3-dev '^/usr/(include|share/cmake)/'
  copy_package libcli11-dev '^/usr/(include|share/cmake)/'
  copy_package libtomlplusplus-dev '^/usr/include/'
  copy_package libeigen3-dev '^/usr/(include|share/eigen3)/'
}

recipe_fmt() {
  cmake_library "$inline_copies" -DFMT_DOC=OFF -DFMT_TEST=OFF
  licence LICENSE.rst
}

recipe_utf8proc() {
  cmake_library
  # Without it the header declares its functions as those of a DLL.
  sed -i 's/^Cflags:.*/& -DUTF8PROC_STATIC/' "$stage/lib/pkgconfig/libutf8proc.pc"
  licence LICENSE.md
}

recipe_pcre2() { # for bytes (UTF-8), compiled at run time
  cmake_library -DPCRE2_SUPPORT_JIT=ON -DPCRE2_BUILD_PCRE2GREP=OFF -DPCRE2_BUILD_TESTS=OFF
  # As for utf8proc.
  sed -i 's/^Cflags:.*/& -DPCRE2_STATIC/' "$stage/lib/pkgconfig/libpcre2-8.pc"
  licence LICENCE
}

recipe_libyaml() {
  cmake_library -DBUILD_TESTING=OFF
  licence License
}

recipe_sqlite3() { # one generated source file
  logged "$source/configure" --disable-tcl --disable-readline
  logged make sqlite3.c
  logged "$triplet-gcc-posix" -O2 -DSQLITE_THREADSAFE=1 -DSQLITE_OMIT_LOAD_EXTENSION -c sqlite3.c -o sqlite3.o
  install -D -m 644 sqlite3.h -t "$stage/include"
  mkdir -p "$stage/lib"
  logged "$triplet-ar" rcs "$stage/lib/libsqlite3.a" sqlite3.o
  licence LICENSE.md
}

recipe_sentencepiece() { # the tokenizer alone, with the protobuf inside its sources
  cmake_configure "$inline_copies" -DSPM_ENABLE_SHARED=OFF -DSPM_ENABLE_TCMALLOC=OFF
  logged cmake --build build -j "$jobs" --target sentencepiece-static
  install -D -m 644 build/src/libsentencepiece.a -t "$stage/lib"
  install -D -m 644 "$source/src/sentencepiece_processor.h" -t "$stage/include"
  write_pkgconfig sentencepiece "$(cat "$source/VERSION.txt")" -lsentencepiece
  licence LICENSE
}

recipe_curl() { # HTTP and HTTPS alone, by Windows' own TLS and its certificates
  cmake_library -DHTTP_ONLY=ON -DCURL_USE_SCHANNEL=ON -DENABLE_UNICODE=ON -DBUILD_CURL_EXE=OFF \
    -DBUILD_TESTING=OFF -DCURL_ZLIB=OFF -DCURL_USE_LIBSSH2=OFF -DCURL_USE_LIBPSL=OFF -DUSE_LIBIDN2=OFF
  licence COPYING
}

recipe_libarchive() { # zip archives, whose members zlib unpacks
  local feature off=()
  for feature in TEST TAR CPIO CAT OPENSSL CNG LZMA ZSTD LZ4 BZip2 LIBB2 LIBXML2 EXPAT PCREPOSIX ICONV; do
    off+=("-DENABLE_$feature=OFF")
  done
  # A program that it would run to ask zlib for another calling convention, which this one lacks.
  sed -i 's/CHECK_C_SOURCE_RUNS("${SAMPLE_SOURCE}" ${VAR})/SET(${VAR} OFF)/' "$source/CMakeLists.txt"
  cmake_configure -DPOSIX_REGEX_LIB=NONE "${off[@]}"
  logged cmake --build build -j "$jobs" --target archive_static
  install -D -m 644 build/libarchive/libarchive_static.a "$stage/lib/libarchive.a"
  install -D -m 644 "$source/libarchive/archive.h" "$source/libarchive/archive_entry.h" -t "$stage/include"
  licence COPYING
}

recipe_googletest() {
  cmake_library "$inline_copies"
  licence LICENSE
}

# libvips with all that it needs is one DLL in a wheel for Python. Its interface is C, the same since
# 8.13, so the headers are those of this machine's packages.
vips_wheel=pyvips-binary==8.18.7
vips_sha256=0c31cdaf88196e01a7a3e4372f3447d06db3c58383c15ff2eeaaa715952b1ec8
recipe_vips() {
  local dll name
  echo "$vips_wheel --hash=sha256:$vips_sha256" >wheel.txt
  logged python3 -m pip download --disable-pip-version-check --no-deps --require-hashes \
    --only-binary :all: --platform win_amd64 --dest . -r wheel.txt
  logged python3 -m zipfile -e pyvips_binary-*.whl wheel
  dll=$(find wheel -name 'libvips-42*.dll')
  logged gendef "$dll"
  # The wheel adds a hash to the file's name; programs ask for the name inside it.
  name=$(sed -n 's/^LIBRARY "\(.*\)".*/\1/p' "$(basename "$dll" .dll).def")
  install -D -m 644 "$dll" "$stage/bin/${name:?$(basename "$dll") has no name}"
  mkdir -p "$stage/lib"
  logged "$triplet-dlltool" -d "$(basename "$dll" .dll).def" -l "$stage/lib/libvips.dll.a"
  copy_package libvips-dev '^/usr/include/vips/'
  copy_package libglib2.0-dev '^/usr/include/glib-2.0/'
  windows_glibconfig >"$stage/include/glib-2.0/glibconfig.h"
  write_pkgconfig vips "${vips_wheel#*==}" -lvips '-I${prefix}/include/glib-2.0'
  find wheel -path '*licenses*' -type f -exec install -D -m 644 -t "$stage/share/licenses/vips" {} +
}

windows_glibconfig() { # this machine's, with Windows' types: long has 32 bits there, pointers 64
  sed -E \
    -e 's/(typedef (un)?signed) long (g?u?int64|gs?size|gintptr|guintptr);/\1 long long \3;/' \
    -e 's/(G_G(INT64|SIZE|SSIZE|INTPTR)_MODIFIER +)"l"/\1"ll"/' \
    -e 's/(G_GU?(INT64|SIZE|SSIZE|INTPTR)_FORMAT +)"l([iu])"/\1"ll\3"/' \
    -e 's/\(val##(U?)L\)/(val##\1LL)/' \
    -e 's/(GLIB_SIZEOF_LONG +)8/\14/' \
    -e 's/(G_M(AX|IN)S?SIZE\s+)G_(MAX|MIN)(U?)LONG/\1G_\3\4INT64/' \
    -e 's/\((glong)\) \((p|i)\)/(gint64) (\2)/' -e 's/\((gulong)\) \((p|u)\)/(guint64) (\2)/' \
    -e 's/(G(U?)LONG_TO_[LB]E\(val\).*G)(U?)INT64(_TO)/\1\3INT32\4/' \
    -e 's/G_OS_UNIX/G_OS_WIN32\n#define G_PLATFORM_WIN32/' \
    -e 's/G_THREADS_IMPL_POSIX/G_THREADS_IMPL_WIN32/' -e '/GLIB_HAVE_ALLOCA_H/d' \
    -e 's/(G_MODULE_SUFFIX) "so"/\1 "dll"/' \
    -e 's/typedef int GPid;/typedef void* GPid;/' -e 's/(G_PID_FORMAT) "i"/\1 "p"/' \
    -e 's/(GLIB_SYSDEF_AF_INET6) 10/\1 23/' \
    -e "s/(G_DIR_SEPARATOR) '.'/\1 '\\\\\\\\'/" -e 's/(G_DIR_SEPARATOR_S) "."/\1 "\\\\"/' \
    -e "s/(G_SEARCHPATH_SEPARATOR) '.'/\1 ';'/" -e 's/(G_SEARCHPATH_SEPARATOR_S) "."/\1 ";"/' \
    "$(dpkg -L libglib2.0-dev | grep /glibconfig.h)"
}

# A module of Qt as DLLs. The tools that run while it is built (moc, rcc, uic) are this machine's, of
# the same version.
cmake_qt() { # cmake_qt OPTIONS...
  local host_info
  host_info=$(dpkg -L qt6-base-dev | grep '/Qt6HostInfoConfig.cmake$')
  cmake_library -DBUILD_SHARED_LIBS=ON -DQT_HOST_PATH=/usr \
    -DQT_HOST_PATH_CMAKE_DIR="${host_info%/*/*}" -DQT_BUILD_EXAMPLES=OFF -DQT_BUILD_TESTS=OFF "$@"
}

# Core, Gui, Widgets and Test. What the studio does not use is left out.
recipe_qt() {
  local off=()
  for feature in sql network dbus xml printsupport concurrent sessionmanager androiddeployqt \
    vulkan direct2d direct2d1_1 directwrite3 \
    system_zlib system_png system_jpeg system_freetype system_harfbuzz system_pcre2 \
    system_doubleconversion icu glib zstd brotli fontconfig; do
    off+=("-DFEATURE_$feature=OFF")
  done
  # Debian's sources lack wintab.h, whose licence forbids changes: no tablet drivers of that interface.
  local windows=$source/src/plugins/platforms/windows
  sed -i 's/QT_CONFIG(tabletevent)/0/' "$windows"/*.h "$windows"/*.cpp
  sed -i 's/CONDITION QT_FEATURE_tabletevent/CONDITION FALSE/' "$windows/CMakeLists.txt"
  cmake_qt -DINPUT_opengl=no -DBUILD_WITH_PCH=ON "${off[@]}"
  find "$source/LICENSES" -type f -exec install -D -m 644 -t "$stage/share/licenses/qt" {} +
  # Of FreeType, HarfBuzz and others inside it.
  (cd "$source/src/3rdparty" &&
    find . -type f \( -iname '*licen[cs]e*' -o -iname 'copying*' -o -name FTL.TXT \) \
      -exec cp --parents -t "$stage/share/licenses/qt" {} +)
}

recipe_qtsvg() { # needs qt; plots saved as SVG
  # CVE-2023-32573, the one patch that Debian has: a font without this number divided by chance.
  sed -i 's/qreal m_unitsPerEm;/qreal m_unitsPerEm = 1000;/' "$source/src/svg/qsvgfont_p.h"
  cmake_qt
  find "$source/LICENSES" -type f -exec install -D -m 644 -t "$stage/share/licenses/qtsvg" {} +
}
