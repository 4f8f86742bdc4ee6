#include "engine/data/finite_encoding.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/precision/run_findings.h"

namespace mantissa {

bool is_finite(const std::map<std::string, HostTensor>& tensors) {
  return std::ranges::all_of(tensors, [](const auto& named) {
    return std::ranges::all_of(named.second.data, [](float v) { return std::isfinite(v); });
  });
}

void require_finite(const Preset& preset, std::string_view source, std::string_view kind,
                    const std::map<std::string, HostTensor>& tensors) {
  if (!is_finite(tensors)) {
    throw finding_error(ErrorKind::non_finite, nan_encoding(preset, source, kind == "text"));
  }
}

}  // namespace mantissa
