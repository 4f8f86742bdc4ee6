#pragma once

#include <cstdlib>
#include <optional>
#include <string>

#include "engine/core/paths.h"

namespace mantissa::test {

/// Sets an environment variable of this process to a UTF-8 text; without one it is removed.
inline void set_environment(const std::string& name, const std::optional<std::string>& value) {
#ifdef _WIN32
  const std::wstring wide = path_from_utf8(value.value_or("")).wstring();
  _wputenv_s(std::wstring(name.begin(), name.end()).c_str(), wide.c_str());  // "" removes it
#else
  if (value) {
    ::setenv(name.c_str(), value->c_str(), 1);
  } else {
    ::unsetenv(name.c_str());
  }
#endif
}

}  // namespace mantissa::test
