#include "engine/preset/part.h"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

#include "engine/core/error.h"
#include "engine/preset/preset_io.h"

namespace mantissa {
namespace {

TEST(Parts, AreTheirNames) {
  EXPECT_EQ(Part(), kDenoiser);
  EXPECT_EQ(kDenoiser.name(), "denoiser");
  EXPECT_LT(kDenoiser, Part("te1"));
  EXPECT_TRUE(is_text(Part("te3")));
  EXPECT_FALSE(is_text(kVae));
  EXPECT_EQ(Part("fifteen letters").name(), "fifteen letters");
  EXPECT_THROW(Part("sixteen letters!"), std::length_error);
}

TEST(Parts, WhatFamiliesCallTheirDenoiserIsTheDenoiser) {
  EXPECT_EQ(part_called("unet"), kDenoiser);
  EXPECT_EQ(part_called("transformer"), kDenoiser);
}

TEST(Parts, EachHasDrawsOfItsOwn) {
  EXPECT_EQ(stream_of(kDenoiser), 0U);
  EXPECT_EQ(stream_of(Part("te1")), 1U);
  EXPECT_EQ(stream_of(Part("te2")), 2U);
  EXPECT_EQ(stream_of(kVae), 3U);
}

TEST(PresetFormats, NamesOfTheFirstAreReadInTheSecond) {
  const std::string members = R"("precision": {"weights": {"unet": "bf16"}},
    "training.parts": ["te1", "unet"], "optimizer.groups": [{"part": "unet", "type": "lion"}]})";
  for (const char* format : {"1", "2"}) {
    const Preset p =
        parse_preset(R"({"mantissa_preset": )" + std::string(format) + ", " + members, "a");
    EXPECT_EQ(p.precision.weights.denoiser, StorageType::bf16);
    EXPECT_EQ(p.training.parts, (std::vector{kDenoiser, Part("te1")}));
    EXPECT_EQ(p.optimizer.groups.at(0).part, kDenoiser);
    const std::string written = to_json(p);
    EXPECT_EQ(written.find("unet"), std::string::npos) << written;
    EXPECT_NE(written.find("\"mantissa_preset\": 2"), std::string::npos) << written;
    EXPECT_EQ(parse_preset(written, "b"), p);
  }
  Preset p;
  apply_set(p, "precision.weights.unet=fp16");
  apply_set(p, "training.parts=transformer,te2");
  EXPECT_EQ(p.precision.weights.denoiser, StorageType::fp16);
  EXPECT_EQ(p.training.parts, (std::vector{kDenoiser, Part("te2")}));
  EXPECT_THROW(apply_set(p, "training.parts=unet,denoiser"), Error);
  EXPECT_THROW(apply_set(p, "training.parts=a_name_longer_than_any_part"), Error);
}

}  // namespace
}  // namespace mantissa
