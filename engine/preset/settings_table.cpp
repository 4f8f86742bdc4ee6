#include "engine/preset/settings_rows.h"

namespace mantissa {

std::span<const Setting> settings() {
  static const std::vector<Setting> all = [] {
    std::vector<Setting> rows;
    for (const auto section :
         {about_rows(), model_rows(), adapter_rows(), precision_rows(), data_rows(),
          training_rows(), optimizer_rows(), schedule_rows(), output_rows(), samples_rows()}) {
      rows.insert(rows.end(), section.begin(), section.end());
    }
    return rows;
  }();
  return all;
}

}  // namespace mantissa
