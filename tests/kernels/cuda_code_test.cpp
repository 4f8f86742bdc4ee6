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

TEST(CudaCode, IsNamed) {
  EXPECT_EQ(capabilities_text("75;80;90a;120-real"), "7.5, 8.0, 9.0a, 12.0");
}

}  // namespace
}  // namespace mantissa
