// Rotary tables against the code of the families that use them, and their way of pairing channels.
#include "engine/nn/rotary.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "kernels/cpu/cpu.h"

namespace mantissa {
namespace {

nlohmann::json rotary_golden() {
  std::ifstream file(MANTISSA_TEST_DATA "/golden/rotary.json");
  return nlohmann::json::parse(file);
}

std::vector<RotaryAxis> axes_of(const nlohmann::json& family) {
  std::vector<RotaryAxis> axes;
  for (const auto& axis : family.at("axes")) {
    axes.push_back({axis.at("width"), axis.at("theta"), axis.at("ntk")});
  }
  return axes;
}

std::vector<double> positions_of(const nlohmann::json& family) {
  std::vector<double> positions;
  for (const auto& row : family.at("positions")) {
    for (const double at : row) {
      positions.push_back(at);
    }
  }
  return positions;
}

/// Some families round angles to fp32 before the cosine: by half an ulp, after that of the
/// frequency.
double angle_rounding(const std::vector<double>& positions) {
  return std::max(1.0, *std::max_element(positions.begin(), positions.end())) * 0x1p-23;
}

TEST(Rotary, TablesAreThoseOfTheFamilies) {
  int families = 0;
  for (const auto& family : rotary_golden()) {
    const std::vector<double> positions = positions_of(family);
    const RotaryTables tables = rotary_tables(axes_of(family), positions);
    const std::vector<float> cos = family.at("cos"), sin = family.at("sin");
    EXPECT_EQ(tables.pairs, 64);
    EXPECT_EQ(tables.tokens, static_cast<std::int64_t>(family.at("positions").size()));
    ASSERT_EQ(tables.cos.size(), cos.size());
    ASSERT_EQ(tables.sin.size(), sin.size());
    const double tolerance = 2e-7 + angle_rounding(positions);
    for (std::size_t i = 0; i < cos.size(); ++i) {
      EXPECT_NEAR(tables.cos[i], cos[i], tolerance) << family.at("name") << " " << i;
      EXPECT_NEAR(tables.sin[i], sin[i], tolerance) << family.at("name") << " " << i;
    }
    ++families;
  }
  EXPECT_EQ(families, 5);
}

TEST(Rotary, EveryFamilyPairsItsChannelsSo) {
  const auto kernels = make_cpu_kernels(1);
  for (const auto& family : rotary_golden()) {
    const std::vector<double> positions = positions_of(family);
    const std::vector<RotaryAxis> axes = axes_of(family);
    RotaryTables last = rotary_tables(axes, std::span(positions).last(axes.size()));
    std::vector<float> x;
    for (int i = 0; i < 128; ++i) {
      x.push_back(static_cast<float>(std::sin(0.3 * i + 0.5)));
    }
    const View view(x.data(), DType::f32, {1, 1, 128});
    kernels->rope(view, View(last.cos.data(), DType::f32, {1, 1, 64}),
                  View(last.sin.data(), DType::f32, {1, 1, 64}), view,
                  {1, family.at("pairs") == "halves" ? RopePairs::halves : RopePairs::interleaved});
    const std::vector<float> rotated = family.at("rotated");
    ASSERT_EQ(rotated.size(), x.size());
    const double tolerance = 5e-7 + 2 * angle_rounding(positions);
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(x[i], rotated[i], tolerance) << family.at("name") << " " << i;
    }
  }
}

TEST(Rotary, RefusesWhatMakesNoTable) {
  const std::vector<double> two{1, 2};
  const std::vector<RotaryAxis> odd{{7}}, none, one{{8}}, three{{8}, {8}, {8}};
  EXPECT_THROW(rotary_tables(odd, two), Error);
  EXPECT_THROW(rotary_tables(none, two), Error);
  EXPECT_THROW(rotary_tables(three, two), Error);
  EXPECT_EQ(rotary_tables(one, two).tokens, 2);
  EXPECT_EQ(rotary_tables(one, {}).tokens, 0);
}

TEST(Rotary, OnePairTurnsWithItsPosition) {
  const std::vector<RotaryAxis> axes{{2, 500.0, 4.0}};
  const std::vector<double> positions{1.5};
  EXPECT_FLOAT_EQ(rotary_tables(axes, positions).cos[0], static_cast<float>(std::cos(1.5)));
}

}  // namespace
}  // namespace mantissa
