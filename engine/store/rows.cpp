#include "engine/store/rows.h"

namespace mantissa {

bool is_final_state(const std::string& state) {
  return state == "finished" || state == "failed" || state == "stopped" || state == "interrupted";
}

}  // namespace mantissa
