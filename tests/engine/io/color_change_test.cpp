#include "engine/io/color_change.h"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mantissa {
namespace {

nlohmann::json golden() {
  return nlohmann::json::parse(std::ifstream(MANTISSA_TEST_DATA "/golden/colors.json"));
}

TEST(ColorChanges, AreTorchvisionsRoundedHalfUp) {
  const nlohmann::json data = golden();
  for (const nlohmann::json& c : data.at("cases")) {
    const std::vector<int> by = c.at("change");
    SCOPED_TRACE(c.at("change").dump());
    Image image{data.at("width"), data.at("height"), data.at("pixels"), {}};
    change_colors(image, {by[0], by[1], by[2], by[3]});
    EXPECT_EQ(image.pixels, c.at("pixels").get<std::vector<std::uint8_t>>());
  }
}

TEST(ColorChanges, NoneLeavesEveryByte) {
  Image image{16, 16, {}, {}};
  for (int i = 0; i < 16 * 16 * 3; ++i) {
    image.pixels.push_back(static_cast<std::uint8_t>(i));
  }
  const std::vector<std::uint8_t> before = image.pixels;
  change_colors(image, {});
  EXPECT_EQ(image.pixels, before);
  change_colors(image, {.hue = 10'000});  // a whole turn
  EXPECT_EQ(image.pixels, before);
}

}  // namespace
}  // namespace mantissa
