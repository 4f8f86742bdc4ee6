#pragma once
// Every field that diffusers and transformers write for a supported model, with non-default values
// (listed by tests/golden/make_config_keys.py): each is supported, or harmless, or refused by name.
// None is ignored.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/core/error.h"
#include "engine/io/json_file.h"
#include "tests/test_util.h"

namespace mantissa::config_keys {

using nlohmann::json;

enum class Outcome {
  honoured,  ///< changes the config
  harmless,  ///< has no effect
  refused,   ///< an error that names the field
};
constexpr Outcome H = Outcome::honoured, I = Outcome::harmless, R = Outcome::refused;

struct Row {
  const char* field;
  json value;
  Outcome outcome;
  const char* named = nullptr;  ///< the field named by the refusal, if different
};

inline json keys_of(const char* kind) {
  return read_json(std::filesystem::path(MANTISSA_TEST_DATA) / "golden/config_keys.json").at(kind);
}

/// `from_json` reads `base` with one field changed as each row says; every field of the library has
/// a row.
template <typename FromJson>
void expect_outcomes(const char* kind, const json& base, const std::vector<Row>& rows,
                     FromJson&& from_json) {
  const std::string label = "the config";
  const auto usual = from_json(base, label);
  std::set<std::string> covered;
  for (const Row& row : rows) {
    SCOPED_TRACE(std::string(kind) + "." + row.field + " = " + row.value.dump());
    covered.insert(row.field);
    json changed = base;
    changed[row.field] = row.value;
    try {
      const auto config = from_json(changed, label);
      EXPECT_NE(row.outcome, Outcome::refused);
      EXPECT_EQ(config == usual, row.outcome == Outcome::harmless);
    } catch (const Error& e) {
      EXPECT_EQ(row.outcome, Outcome::refused) << e.what();
      const std::string named = row.named != nullptr ? row.named : row.field;
      EXPECT_NE(std::string(e.what()).find("'" + named + "'"), std::string::npos) << e.what();
    }
  }
  const json written = keys_of(kind);
  for (const auto& [field, value] : written.items()) {
    EXPECT_TRUE(covered.contains(field)) << kind << "." << field << " has no row";
  }
  json unknown = base;
  unknown["a_new_field"] = 3;
  test::expect_error_with([&] { from_json(unknown, label); }, {label, "a_new_field", "3"});
  for (const json& off : {json(), json(false)}) {
    unknown["a_new_field"] = off;
    EXPECT_EQ(from_json(unknown, label), usual);
  }
}

}  // namespace mantissa::config_keys
