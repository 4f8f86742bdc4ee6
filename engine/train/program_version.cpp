#include "engine/train/program_version.h"

#include <mantissa_commit.h>
#include <string_view>

namespace mantissa {

std::string program_version() {
  constexpr std::string_view kBuilt = MANTISSA_COMMIT;
  std::string version = MANTISSA_VERSION;
  return kBuilt.empty() ? version : version.append(" (").append(kBuilt).append(")");
}

}  // namespace mantissa
