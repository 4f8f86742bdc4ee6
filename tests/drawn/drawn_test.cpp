// The draws of packed golden files, beside values that PyTorch 2.15 drew.
#include "tests/drawn/drawn.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <stdexcept>
#include <zlib.h>

namespace mantissa::test {
namespace {
namespace fs = std::filesystem;

void expect_values(const std::vector<double>& got, std::size_t at, std::vector<double> want) {
  for (std::size_t i = 0; i < want.size(); ++i) {
    EXPECT_NEAR(got.at(at + i), want[i], 1e-6) << "value " << at + i;
  }
}

TEST(Drawn, ValuesArePyTorchs) {
  // torch.randn of 37 values, then of 16: the first takes 16 outputs more for its last group.
  const std::vector<double> values = drawn_normal(41, 0, 37);
  ASSERT_EQ(values.size(), 37u);
  expect_values(values, 0, {0.2465023, -0.4717024, -1.5183909});
  expect_values(values, 21, {-0.6472877, 1.2868885, 0.2797523});
  expect_values(values, 34, {0.4649832, -0.0321482, 0.1085360});
  expect_values(drawn_normal(41, 53, 16), 0, {-0.1647784, -0.3936818});
}

TEST(Drawn, PatternsAreNearestWithTiesToEven) {
  const auto half = [](double value) { return nearest_pattern(value, 10, -14); };
  EXPECT_EQ(half(0.0), 0x0000);
  EXPECT_EQ(half(-0.0), 0x8000);
  EXPECT_EQ(half(1.0), 0x3C00);
  EXPECT_EQ(half(-2.5), 0xC100);
  EXPECT_EQ(half(1 + std::ldexp(1, -11)), 0x3C00);
  EXPECT_EQ(half(1 + std::ldexp(3, -11)), 0x3C02);
  EXPECT_EQ(half(1 + std::ldexp(1.001, -11)), 0x3C01);
  EXPECT_EQ(half(2 - std::ldexp(1, -20)), 0x4000) << "carries into the exponent";
  EXPECT_EQ(half(std::ldexp(1, -14)), 0x0400);
  EXPECT_EQ(half(std::ldexp(1, -24)), 0x0001);
  EXPECT_EQ(half(std::ldexp(1, -25)), 0x0000);
  EXPECT_EQ(half(std::ldexp(3, -25)), 0x0002);
  const auto brain = [](double value) { return nearest_pattern(value, 7, -126); };
  EXPECT_EQ(brain(1.0), 0x3F80);
  EXPECT_EQ(brain(1 + std::ldexp(1, -8)), 0x3F80);
  EXPECT_EQ(brain(-1 - std::ldexp(3, -8)), 0xBF82);
  // Every finite pattern is its own.
  for (int exponent = -126; exponent < 128; exponent += 2) {
    for (int steps = 0x80; steps < 0x100; ++steps) {
      const double value = std::ldexp(steps, exponent - 7);
      EXPECT_EQ(brain(value), std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16);
    }
  }
}

/// A file as tests/golden/drawn.py packs it: of these lines and what lies between their stretches.
std::string packed(const std::string& whole, const std::string& lines, const std::string& rest) {
  const auto bytes = [](const std::string& text) {
    return reinterpret_cast<const Bytef*>(text.data());
  };
  const std::string inside = lines + '\n' + rest;
  uLongf size = compressBound(static_cast<uLong>(inside.size()));
  std::string out(size, '\0');
  compress(reinterpret_cast<Bytef*>(out.data()), &size, bytes(inside),
           static_cast<uLong>(inside.size()));
  char head[64];
  std::snprintf(head, sizeof head, "drawn %zu %08lx %zu\n", whole.size(),
                crc32(0, bytes(whole), static_cast<uInt>(whole.size())), inside.size());
  return head + out.substr(0, size);
}

std::string drawn_bytes(const std::vector<double>& values, int bits, int least) {
  std::string out;
  for (const double value : values) {
    const std::uint16_t pattern = nearest_pattern(value, bits, least);
    out += {static_cast<char>(pattern & 0xFF), static_cast<char>(pattern >> 8)};
  }
  return out;
}

TEST(Drawn, PackedFilesAreUnpackedAndChecked) {
  std::vector<double> first = drawn_normal(41, 0, 37), second = drawn_normal(41, 53, 16);
  for (double& z : first) {
    z = 1 + 0.2 * z;
  }
  for (double& z : second) {
    z = 0.25 * z;
  }
  std::string patterns = drawn_bytes(first, 10, -14);
  patterns[6] = 0x12;  // value 3, of another pattern
  patterns[7] = 0x34;
  const std::string whole = "{\n\n}" + patterns + "=" + drawn_bytes(second, 7, -126);
  const std::string lines = "4 F16 37 41 0 0.2 1 3:3412\n79 BF16 16 41 53 0.25 0\n";
  EXPECT_EQ(unpack_drawn(packed(whole, lines, "{\n\n}=")), whole);
  EXPECT_EQ(unpack_drawn(packed("\n\nwhole\n", "", "\n\nwhole\n")), "\n\nwhole\n")
      << "nothing drawn";
  EXPECT_THROW(unpack_drawn(packed(whole, lines, "{\n\n}!")), std::runtime_error);
  EXPECT_THROW(unpack_drawn(packed(whole, "4 F64 37 41 0 0.2 1\n", "")), std::runtime_error);
  EXPECT_THROW(unpack_drawn(whole), std::runtime_error);
  std::string damaged = packed(whole, lines, "{\n\n}=");
  damaged.resize(damaged.size() - 4);
  EXPECT_THROW(unpack_drawn(damaged), std::runtime_error);
}

TEST(Drawn, SinglesLieStepsFromTheRoundedValues) {
  std::vector<float> values;
  std::string steps;
  for (const double z : drawn_normal(41, 53, 16)) {
    steps += static_cast<char>(values.size() % 5 - 2);
    const auto pattern = std::bit_cast<std::uint32_t>(static_cast<float>(0.25 * z));
    values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(pattern + steps.back())));
  }
  values[3] = 7.5F;
  std::string bytes(sizeof(float) * values.size(), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  const std::string lines = "2 F32 16 41 53 0.25 0 3:40f00000\n";
  EXPECT_EQ(unpack_drawn(packed("{}" + bytes + "end", lines, "{}" + steps + "end")),
            "{}" + bytes + "end");
  EXPECT_THROW(unpack_drawn(packed("{}" + bytes, lines, "{}" + steps.substr(1))), std::exception)
      << "a step is missing";
}

TEST(Drawn, TestsFindWholeFilesAlone) {
  const fs::path golden = fs::path(MANTISSA_TEST_DATA) / "golden";
  int packed = 0, same = 0;
  for (const auto& entry : fs::recursive_directory_iterator(MANTISSA_SOURCE_DIR "/tests/golden")) {
    const bool is_same = entry.path().extension() == ".same";
    if (is_same || entry.path().extension() == ".drawn") {
      const fs::path name = entry.path().lexically_relative(MANTISSA_SOURCE_DIR "/tests/golden");
      EXPECT_TRUE(fs::exists((golden / name).replace_extension())) << name;
      EXPECT_FALSE(fs::exists(golden / name)) << name;
      ++(is_same ? same : packed);
    }
  }
  EXPECT_GT(packed, 40);
  EXPECT_GT(same, 0);
}

}  // namespace
}  // namespace mantissa::test
