// Placed in a folder under the names of libraries that programs need: loading it leaves a marker
// next to its file.
#include <cstdio>
#include <dlfcn.h>
#include <string>

namespace {

__attribute__((constructor)) void leave_marker() {
  Dl_info self{};
  if (dladdr(reinterpret_cast<void*>(&leave_marker), &self) != 0) {
    if (FILE* file = std::fopen((std::string(self.dli_fname) + ".loaded").c_str(), "w")) {
      std::fclose(file);
    }
  }
}

}  // namespace
