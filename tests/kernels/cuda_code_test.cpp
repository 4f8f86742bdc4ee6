#include "kernels/cuda_code.h"

#include <gtest/gtest.h>

namespace mantissa {
namespace {

TEST(CudaCode, RunsOnLaterCardsOfItsGeneration) {
  EXPECT_EQ(card_code("80,90", 80), CardCode::machine);
  EXPECT_EQ(card_code("80,90", 89), CardCode::machine);
  EXPECT_EQ(card_code("80,90", 90), CardCode::machine);
  EXPECT_EQ(card_code("75;80;86;89;90;120", 75), CardCode::machine);
  EXPECT_EQ(card_code("86-real", 89), CardCode::machine);
}

TEST(CudaCode, IsCompiledForLaterGenerations) {
  EXPECT_EQ(card_code("80,90", 120), CardCode::compiled);
  EXPECT_EQ(card_code("75", 86), CardCode::compiled);
  EXPECT_EQ(card_code("80-virtual", 86), CardCode::compiled);
}

TEST(CudaCode, MayBeMissing) {
  EXPECT_EQ(card_code("80,90", 75), CardCode::none);
  EXPECT_EQ(card_code("89-real,90-real", 86), CardCode::none);
  EXPECT_EQ(card_code("90-real", 120), CardCode::none);
  EXPECT_EQ(card_code("90a", 120), CardCode::none) << "of that generation alone";
  EXPECT_EQ(card_code("90a", 90), CardCode::machine);
  EXPECT_EQ(card_code("", 90), CardCode::none);
}

/// A kernel has the units of what it was compiled for, whatever the card's are.
TEST(CudaCode, HasTheUnitsItWasCompiledFor) {
  EXPECT_EQ(code_capability("75,80,86,89,90,120", 89), 89);
  EXPECT_EQ(code_capability("80,90", 89), 80) << "an Ada card that runs Ampere's code";
  EXPECT_EQ(code_capability("75", 86), 75) << "compiled by the driver";
  EXPECT_EQ(code_capability("80,90", 120), 90);
  EXPECT_EQ(code_capability("75-virtual,80-real", 86), 80) << "machine code comes first";
  EXPECT_EQ(code_capability("90", 86), 0);
}

TEST(CudaCode, IsNamed) {
  EXPECT_EQ(capabilities_text("75;80;90a;120-real"), "7.5, 8.0, 9.0a, 12.0");
}

}  // namespace
}  // namespace mantissa
