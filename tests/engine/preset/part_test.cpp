#include "engine/preset/part.h"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

#include "engine/core/error.h"
#include "engine/preset/module_pattern.h"
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
  EXPECT_EQ(part_of_path("unet.conv_in.weight"), kDenoiser);
  EXPECT_EQ(part_of_path("transformer"), kDenoiser);
  EXPECT_EQ(part_of_path("te2.text_model.final_layer_norm.weight"), Part("te2"));
  EXPECT_EQ(part_of_path("vae.encoder.conv_in.bias"), kVae);
}

TEST(Parts, EachHasDrawsOfItsOwn) {
  EXPECT_EQ(stream_of(kDenoiser), 0U);
  EXPECT_EQ(stream_of(Part("te1")), 1U);
  EXPECT_EQ(stream_of(Part("te2")), 2U);
  EXPECT_EQ(stream_of(kVae), 3U);
}

TEST(ModulePatterns, AnyNameOfTheDenoiserMeansIt) {
  for (const char* head : {"denoiser", "unet", "transformer"}) {
    const std::string pattern = head + std::string(".conv_*");
    EXPECT_TRUE(names_module(pattern, "unet.conv_in")) << head;
    EXPECT_TRUE(names_module(pattern, "transformer.conv_out")) << head;
    EXPECT_FALSE(names_module(pattern, "vae.conv_in")) << head;
    EXPECT_FALSE(names_module(pattern, "unet.time_embedding.linear_1")) << head;
  }
  EXPECT_TRUE(names_module("*.conv_in", "unet.conv_in"));
  EXPECT_TRUE(names_module("te1.*", "te1.text_model.encoder"));
  EXPECT_FALSE(names_module("unet", "unet.conv_in"));
  EXPECT_FALSE(names_module("a_name_longer_than_any_part.*", "unet.conv_in"));
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
