#include "engine/io/module_path.h"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

#include "engine/core/error.h"

namespace mantissa {
namespace {

TEST(ModulePath, BeginsWithThePartsOwnName) {
  EXPECT_EQ(module_path(kDenoiser, "conv_in.weight"), "denoiser.conv_in.weight");
  EXPECT_EQ(module_path(kTe2, "text_model.final_layer_norm"), "te2.text_model.final_layer_norm");
  EXPECT_EQ(module_path(kVae), "vae");
  for (const Part part : {kDenoiser, kTe1, kTe2, Part("te3"), kVae}) {
    const std::string path = module_path(part, "a.b");
    EXPECT_EQ(split_path(path).part, part);
    EXPECT_EQ(split_path(path).below, "a.b");
    EXPECT_EQ(canonical_path(path), path);
  }
  EXPECT_EQ(split_path("vae").part, kVae);
  EXPECT_EQ(split_path("vae").below, "");
  EXPECT_THROW(split_path(".conv_in"), Error);
  EXPECT_THROW(split_path("a_name_longer_than_any_part.conv_in"), Error);
}

TEST(ModulePath, OlderHeadsAreRead) {
  const std::pair<const char*, const char*> heads[] = {
      {"unet", "denoiser"},
      {"transformer", "denoiser"},
      {"text_encoder", "te1"},
      {"text_encoder_2", "te2"},
      {"text_encoder_3", "te3"},
      {"text_conditioner", "te2"},
      {"denoiser", "denoiser"},
      {"te1", "te1"},
      {"vae", "vae"},
  };
  for (const auto& [old, head] : heads) {
    EXPECT_EQ(canonical_path(std::string(old) + ".a.weight"), std::string(head) + ".a.weight");
    EXPECT_EQ(split_path(std::string(old) + ".a").part, Part(head)) << old;
    EXPECT_EQ(part_of_head(old), Part(head));
  }
  EXPECT_EQ(canonical_path("loss"), "loss");
  EXPECT_EQ(canonical_path("unet_2.a"), "unet_2.a");
  EXPECT_EQ(part_of_head("transformer_blocks"), std::nullopt);
}

TEST(ModulePath, TracesKeepTheirHeads) {
  EXPECT_EQ(traced_path("denoiser.conv_in.lora_A.weight"), "unet.conv_in.lora_A.weight");
  EXPECT_EQ(traced_path("te1.q_proj.lora_A.weight"), "text_encoder.q_proj.lora_A.weight");
  EXPECT_EQ(traced_path("te2.q_proj.lora_A.weight"), "text_encoder_2.q_proj.lora_A.weight");
  for (const char* path : {"denoiser.a.b", "te1.a", "te2.a", "vae.a"}) {
    EXPECT_EQ(canonical_path(traced_path(path)), path);
  }
}

TEST(ModulePatterns, AnyNameOfAPartMeansIt) {
  for (const char* head : {"denoiser", "unet", "transformer"}) {
    const std::string pattern = head + std::string(".conv_*");
    EXPECT_TRUE(names_module(pattern, "denoiser.conv_in")) << head;
    EXPECT_TRUE(names_module(pattern, "unet.conv_in")) << head;
    EXPECT_FALSE(names_module(pattern, "vae.conv_in")) << head;
    EXPECT_FALSE(names_module(pattern, "denoiser.time_embedding.linear_1")) << head;
  }
  for (const char* head : {"te1", "text_encoder"}) {
    EXPECT_TRUE(names_module(head + std::string(".*.q_proj"), "te1.layers.0.q_proj")) << head;
    EXPECT_FALSE(names_module(head + std::string(".*.q_proj"), "te2.layers.0.q_proj")) << head;
  }
  EXPECT_TRUE(names_module("text_encoder_2.*", "te2.text_model.encoder"));
  EXPECT_FALSE(names_module("unet", "denoiser.conv_in"));
  EXPECT_FALSE(names_module("a_name_longer_than_any_part.*", "denoiser.conv_in"));
}

TEST(ModulePatterns, WildcardsInTheHeadSeeOlderSpellings) {
  for (const char* pattern : {"*.conv_in", "*conv_in", "unet*conv_in", "u*.conv_in", "*",
                              "denoiser*conv_in", "d*.conv_in", "*unet*"}) {
    EXPECT_TRUE(names_module(pattern, "denoiser.conv_in")) << pattern;
  }
  for (const char* pattern : {"text_encoder*.q_proj", "te*.q_proj", "t*.q_proj", "*encoder*"}) {
    EXPECT_TRUE(names_module(pattern, "te1.q_proj")) << pattern;
    EXPECT_TRUE(names_module(pattern, "te2.q_proj")) << pattern;
    EXPECT_FALSE(names_module(pattern, "denoiser.q_proj")) << pattern;
  }
  // Words in the part's own name, of patterns from before it was part of paths.
  for (const char* pattern : {"*noise*", "*den*", "*transformer*"}) {
    EXPECT_FALSE(names_module(pattern, "denoiser.conv_in")) << pattern;
  }
  EXPECT_TRUE(names_module("*noise*", "denoiser.noise_refiner.0.attention.to_q"));
}

}  // namespace
}  // namespace mantissa
