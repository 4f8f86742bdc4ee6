#include "engine/io/config_fields.h"

#include <gtest/gtest.h>

#include "tests/test_util.h"

namespace mantissa {
namespace {

TEST(ConfigFieldsTest, ANumberOutsideTheRangeIsToldBothItsEnds) {
  const auto config =
      nlohmann::json::parse(R"({"layers": 1000000000, "heads": 0, "sides": [2, 0]})");
  const ConfigFields fields(config, "config.json");
  test::expect_error_with([&] { fields.integer("layers", 1); },
                          {"config.json", "layers", "from 1 to 16777216", "it is 1000000000"});
  test::expect_error_with([&] { fields.integer("heads", 1); }, {"from 1 to 16777216", "it is 0"});
  test::expect_error_with([&] { fields.integers("sides", {}); }, {"from 1 to 16777216"});
}

}  // namespace
}  // namespace mantissa
