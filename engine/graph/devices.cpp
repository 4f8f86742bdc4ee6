#include "engine/graph/devices.h"

namespace mantissa {

int Devices::of(std::string_view path) const {
  while (true) {
    if (const auto found = places_.find(path); found != places_.end()) {
      return found->second;
    }
    const std::size_t dot = path.rfind('.');
    if (dot == std::string_view::npos) {
      return 0;
    }
    path = path.substr(0, dot);
  }
}

}  // namespace mantissa
