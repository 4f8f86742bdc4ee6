#include "engine/preset/settings_rows.h"

namespace mantissa {

namespace {

/// The names of families, which are known at run time only.
std::span<const std::string_view> family_choices() {
  static const std::vector<std::string_view> names = family_names();
  return names;
}

}  // namespace

std::span<const Setting> settings() {
  static const std::vector<Setting> all = [] {
    std::vector<Setting> rows;
    for (const auto section :
         {about_rows(), model_rows(), adapter_rows(), precision_rows(), data_rows(),
          training_rows(), slider_rows(), distilled_rows(), embedding_rows(), optimizer_rows(),
          schedule_rows(), output_rows(), samples_rows()}) {
      rows.insert(rows.end(), section.begin(), section.end());
    }
    for (Setting& row : rows) {
      if (row.key == "model.family") {
        row.choices = family_choices();
      }
    }
    return rows;
  }();
  return all;
}

}  // namespace mantissa
