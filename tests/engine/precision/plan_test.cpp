#include "engine/precision/plan.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "engine/precision/loss_scaler.h"
#include "engine/precision/pins.h"

namespace mantissa {
namespace {

TEST(PrecisionPlan, DefaultsArePlainFp32) {
  const PrecisionPlan plan = make_precision_plan({});
  EXPECT_TRUE(plan.findings.empty());
  EXPECT_EQ(plan.refusal(), nullptr);
  EXPECT_TRUE(plan.json().starts_with(
      R"({"weights":{"denoiser":"fp32","text_encoders":"fp32","vae":"fp32"},"compute":"fp32",)"
      R"("accumulation":"fp32","adapter":"fp32","gradients":"fp32","optimizer_state":"fp32",)"
      R"("stochastic_rounding":true,"kahan":false,"loss_scaling":"auto","fp8_scaling":"current",)"
      R"("pins":{},"activations":{"denoiser":"fp32","text_encoders":"fp32","vae":"fp32"},)"))
      << plan.json();
}

TEST(PrecisionPlan, Fp16MastersAreS4) {
  Preset p;
  p.precision.adapter = MasterType::fp16;
  EXPECT_EQ(make_precision_plan(p).refusal()->id, "S4");
}

TEST(PrecisionPlan, APinTakesItsModulesOutOfFp8Products) {
  Preset p;
  p.precision.compute = ComputeType::fp8;
  p.precision.pins = {{"unet.wide.*", StorageType::bf16}, {"unet.narrow.*", StorageType::fp8_e5m2}};
  const PrecisionRules rules(p);
  const ModulePrecision usual = rules.of("unet.a.to_q", ModuleKind::linear),
                        wide = rules.of("unet.wide.to_q", ModuleKind::linear),
                        narrow = rules.of("unet.narrow.to_q", ModuleKind::linear);
  EXPECT_TRUE(usual.codes);
  EXPECT_EQ(usual.storage, DType::f8_e4m3);
  EXPECT_FALSE(wide.codes);
  EXPECT_EQ(wide.storage, DType::bf16);
  EXPECT_EQ(wide.compute, DType::bf16);
  EXPECT_TRUE(narrow.codes) << "8 bits stay 8 bits";
  EXPECT_EQ(narrow.storage, DType::f8_e4m3) << "products read E4M3";
}

TEST(PrecisionPlan, Int8ProductsReadInt8Alone) {
  Preset p;
  p.precision.compute = ComputeType::int8;
  p.precision.weights.denoiser = StorageType::bf16;
  p.precision.pins = {{"unet.wide.*", StorageType::bf16},
                      {"unet.fp8.*", StorageType::fp8_e4m3},
                      {"unet.same.*", StorageType::int8}};
  const PrecisionRules rules(p);
  const auto of = [&](const char* path) { return rules.of(path, ModuleKind::linear); };
  for (const char* path : {"unet.a.to_q", "unet.same.to_q"}) {
    EXPECT_TRUE(of(path).codes) << path;
    EXPECT_EQ(of(path).storage, DType::i8) << path;
    EXPECT_EQ(compute_name(of(path)), "int8") << path;
  }
  EXPECT_FALSE(of("unet.wide.to_q").codes);
  EXPECT_FALSE(of("unet.fp8.to_q").codes) << "8 bits of another kind";
  EXPECT_EQ(of("unet.fp8.to_q").storage, DType::f8_e4m3);
  EXPECT_EQ(compute_name(of("unet.fp8.to_q")), "bf16");
  EXPECT_FALSE(of("te1.a.q_proj").codes) << "the denoiser only";
  EXPECT_FALSE(rules.of("unet.a.conv1", ModuleKind::conv).codes);
  p.precision.compute = ComputeType::fp8;
  EXPECT_FALSE(PrecisionRules(p).of("unet.same.to_q", ModuleKind::linear).codes);
  EXPECT_EQ(PrecisionRules(p).of("unet.same.to_q", ModuleKind::linear).storage, DType::i8);
  p.precision.fp8_scaling = Fp8Scaling::delayed;
  EXPECT_TRUE(PrecisionRules(p).delayed_scaling());
  p.precision.compute = ComputeType::int8;
  EXPECT_FALSE(PrecisionRules(p).delayed_scaling());
}

TEST(PrecisionPlan, Int8ProductsHaveBf16OrFp16BetweenThem) {
  for (const auto& [compute, between] :
       {std::pair{ComputeType::int8, DType::bf16}, {ComputeType::int8_fp16, DType::f16}}) {
    Preset p;
    p.precision.compute = compute;
    p.precision.weights.denoiser = StorageType::int8_convrot;
    p.precision.pins = {{"unet.wide.*", StorageType::bf16},
                        {"unet.same.*", StorageType::int8},
                        {"unet.fp8.*", StorageType::fp8_e4m3}};
    const PrecisionRules rules(p);
    const auto of = [&](const char* path) { return rules.of(path, ModuleKind::linear); };
    EXPECT_EQ(rules.activations("unet"), between);
    EXPECT_TRUE(of("unet.a.to_q").codes);
    EXPECT_EQ(of("unet.a.to_q").storage, DType::i8_rotated);
    EXPECT_EQ(of("unet.a.to_q").compute, between);
    EXPECT_TRUE(of("unet.same.to_q").codes);
    EXPECT_EQ(of("unet.same.to_q").storage, DType::i8);
    EXPECT_FALSE(of("unet.fp8.to_q").codes) << "8 bits of another kind";
    EXPECT_EQ(of("unet.fp8.to_q").compute, between);
    EXPECT_EQ(of("unet.time_embed.linear_1").storage, between);
    EXPECT_EQ(rules.of("unet.a.conv1", ModuleKind::conv).compute, between);
    EXPECT_EQ(of("te1.a.q_proj").compute, between);
  }
}

TEST(PrecisionPlan, APinnedModuleComputesInItsOwnType) {
  Preset p;
  p.precision.compute = ComputeType::tf32;
  p.precision.pins = {{"unet.exact.*", StorageType::fp32}, {"unet.half.*", StorageType::bf16}};
  const PrecisionRules rules(p);
  EXPECT_TRUE(rules.of("unet.a.to_q", ModuleKind::linear).tf32);
  EXPECT_FALSE(rules.of("unet.exact.to_q", ModuleKind::linear).tf32) << "pinned to fp32, not TF32";
  EXPECT_EQ(rules.of("unet.exact.to_q", ModuleKind::linear).compute, DType::f32);
  EXPECT_FALSE(rules.of("unet.half.to_q", ModuleKind::conv).tf32);
}

TEST(PrecisionPlan, NormsStayFp32WhateverTheirPartIsKeptIn) {
  for (const StorageType type : {StorageType::fp16, StorageType::bf16, StorageType::fp8_e4m3}) {
    Preset p;
    p.precision.compute = ComputeType::bf16;
    p.precision.weights.denoiser = p.precision.weights.text_encoders = type;
    const PrecisionRules rules(p);
    for (const char* path : {"unet.norm1", "te1.final_layer_norm", "te2.layer_norm1"}) {
      EXPECT_EQ(rules.of(path, ModuleKind::norm).storage, DType::f32) << path;
    }
  }
}

TEST(PrecisionPlan, Int8StorageSparesTheSame) {
  Preset p;
  p.precision.weights.denoiser = StorageType::int8;
  p.precision.compute = ComputeType::bf16;
  const PrecisionRules rules(p);
  EXPECT_EQ(rules.of("unet.time_embed.linear_1", ModuleKind::linear).storage, DType::bf16);
  EXPECT_EQ(rules.of("unet.conv_in", ModuleKind::conv).storage, DType::bf16);
  EXPECT_EQ(rules.of("unet.down_blocks.0.resnets.0.conv1", ModuleKind::conv).storage, DType::i8);
  EXPECT_EQ(rules.of("unet.blocks.0.attn.to_q", ModuleKind::linear).storage, DType::i8);
  EXPECT_EQ(rules.of("unet.norm1", ModuleKind::norm).storage, DType::f32);
}

TEST(PrecisionPlan, OnlyLinearLayersAreRotated) {
  Preset p;
  p.precision.weights.denoiser = StorageType::int8_convrot;
  for (const ComputeType compute : {ComputeType::bf16, ComputeType::int8}) {
    p.precision.compute = compute;
    const PrecisionRules rules(p);
    EXPECT_EQ(rules.of("unet.down_blocks.0.resnets.0.conv1", ModuleKind::conv).storage, DType::i8);
    EXPECT_EQ(rules.of("unet.blocks.0.attn.to_q", ModuleKind::linear).storage, DType::i8_rotated);
    EXPECT_EQ(rules.of("unet.conv_in", ModuleKind::conv).storage, DType::bf16);
  }
}

// A few weights carry the timestep, the text and the latents into the whole image: of a tiny
// Krea 2, storing the timestep's in FP8 alone changed the loss more than all others together.
TEST(PrecisionPlan, Fp8StorageSparesWhatTheWholeImageDependsOn) {
  Preset p;
  p.precision.weights.denoiser = p.precision.weights.text_encoders = StorageType::fp8_e4m3;
  for (const auto& [compute, kept] : {std::pair{ComputeType::bf16, DType::bf16},
                                      {ComputeType::fp16, DType::f16},
                                      {ComputeType::fp8, DType::bf16},
                                      {ComputeType::fp32, DType::bf16}}) {
    p.precision.compute = compute;
    const PrecisionRules rules(p);
    for (const char* path : {"unet.time_embed.linear_1", "unet.img_in", "unet.final_layer.linear",
                             "unet.text_fusion.projector", "unet.time_embedding.linear_1"}) {
      EXPECT_EQ(rules.of(path, ModuleKind::linear).storage, kept) << path;
      EXPECT_NE(rules.of(path, ModuleKind::linear).reason, nullptr) << path;
    }
    EXPECT_EQ(rules.of("unet.conv_in", ModuleKind::conv).storage, kept);
    EXPECT_EQ(rules.of("unet.transformer_blocks.0.attn.to_q", ModuleKind::linear).storage,
              DType::f8_e4m3);
    const auto reason = [&](const char* path) {
      const MessageTemplate* found = rules.of(path, ModuleKind::linear).reason;
      return found == nullptr ? std::string() : std::string(found->text);
    };
    EXPECT_EQ(rules.of("unet.proj_out", ModuleKind::linear).storage, kept);
    EXPECT_EQ(reason("unet.proj_out"), "the model's exit");
    for (const char* path :
         {"unet.down_blocks.1.attentions.0.proj_out", "unet.mid_block.attentions.0.proj_out"}) {
      EXPECT_EQ(rules.of(path, ModuleKind::linear).storage, kept) << path;
      EXPECT_EQ(reason(path), "an attention block's exit");
    }
    for (const char* path : {"te1.layers.0.mlp.proj_out", "te1.proj_out"}) {
      EXPECT_EQ(rules.of(path, ModuleKind::linear).storage, DType::f8_e4m3) << path;
      EXPECT_EQ(reason(path), "");
    }
  }
  p.precision.pins["unet.img_in"] = StorageType::fp8_e4m3;
  EXPECT_EQ(PrecisionRules(p).of("unet.img_in", ModuleKind::linear).storage, DType::f8_e4m3)
      << "the preset has the last word";
}

// Cache keys of text encoders and VAE depend on everything in the signature.
TEST(PrecisionPlan, TheSignatureTellsComputationsApart) {
  Preset p;
  const std::string before = PrecisionRules(p).signature("te1");
  EXPECT_EQ(PrecisionRules(p).signature("te1"), before);
  std::set<std::string> seen{before};
  const auto changed = [&](auto change) {
    Preset other = p;
    change(other.precision);
    EXPECT_TRUE(seen.insert(PrecisionRules(other).signature("te1")).second);
  };
  changed([](Preset::Precision& x) { x.weights.text_encoders = StorageType::bf16; });
  changed([](Preset::Precision& x) { x.compute = ComputeType::bf16; });
  changed([](Preset::Precision& x) { x.compute = ComputeType::tf32; });
  changed([](Preset::Precision& x) { x.pins["text_encoder.*.fc1"] = StorageType::fp32; });
  changed([](Preset::Precision& x) { x.pins["text_encoder.*.fc1"] = StorageType::bf16; });
  changed([](Preset::Precision& x) { x.pins["text_encoder.*.fc2"] = StorageType::bf16; });
}

TEST(PrecisionPlan, JsonSaysWhatIsInForce) {
  Preset p;
  p.precision.weights.denoiser = StorageType::fp8_e4m3;
  p.precision.compute = ComputeType::fp16;
  p.precision.loss_scaling = {LossScaling::Mode::off};
  p.precision.pins["unet.conv_in"] = StorageType::fp32;
  const auto json = nlohmann::json::parse(make_precision_plan(p).json());
  EXPECT_EQ(json["compute"], "fp16");
  EXPECT_EQ(json["loss_scaling"], "dynamic") << "the adjusted value, not the preset's";
  EXPECT_EQ(json["pins"]["unet.conv_in"], "fp32");
  EXPECT_EQ(json["activations"]["denoiser"], "fp16");
  EXPECT_EQ(json["modules"][0]["part"], "denoiser");
  EXPECT_EQ(json["modules"][0]["kind"], "linear");
  EXPECT_EQ(json["modules"][0]["storage"], "fp8_e4m3");
  EXPECT_EQ(json["modules"][0]["compute"], "fp16");
  EXPECT_EQ(json["modules"][2]["kind"], "norm");
  EXPECT_EQ(json["modules"][2]["storage"], "fp32");
  EXPECT_EQ(json["device"]["name"], "cpu");
  ASSERT_GE(json["findings"].size(), 2U);
  EXPECT_EQ(json["findings"][0]["id"], "S5");
  EXPECT_EQ(json["findings"][0]["fix"]["precision.loss_scaling"], "dynamic");
  EXPECT_EQ(json["findings"][1]["id"], "Q2");
  EXPECT_EQ(json["findings"][1]["fix"], nlohmann::json::object());
}

TEST(PrecisionRules, OnlyFp8ComputeDelaysItsScales) {
  Preset::Precision settings;
  settings.fp8_scaling = Fp8Scaling::delayed;
  for (const ComputeType compute : {ComputeType::fp32, ComputeType::bf16, ComputeType::fp16,
                                    ComputeType::int8, ComputeType::int8_fp16}) {
    settings.compute = compute;
    EXPECT_FALSE(PrecisionRules(settings).delayed_scaling());
  }
  settings.compute = ComputeType::fp8;
  EXPECT_TRUE(PrecisionRules(settings).delayed_scaling());
  settings.fp8_scaling = Fp8Scaling::current;
  EXPECT_FALSE(PrecisionRules(settings).delayed_scaling());
}

TEST(Pins, OlderSpellingsNameTheSameModules) {
  const auto storage = [](const char* pattern, const char* path) {
    Preset::Precision settings;
    settings.pins[pattern] = StorageType::fp16;
    return PrecisionRules(settings).of(path, ModuleKind::linear).storage;
  };
  for (const char* pattern : {"denoiser.a.to_q", "unet.a.to_q", "transformer.*.to_q"}) {
    EXPECT_EQ(storage(pattern, "denoiser.a.to_q"), DType::f16) << pattern;
    EXPECT_NE(storage(pattern, "te1.a.to_q"), DType::f16) << pattern;
  }
  for (const char* pattern : {"te2.a.q_proj", "text_encoder_2.*"}) {
    EXPECT_EQ(storage(pattern, "te2.a.q_proj"), DType::f16) << pattern;
    EXPECT_NE(storage(pattern, "te1.a.q_proj"), DType::f16) << pattern;
  }
}

TEST(Pins, ThePinOfALayerCountsBeforeAnOlderPatternAroundIt) {
  const std::map<std::string, StorageType> pins{{"unet.*", StorageType::bf16},
                                                {"unet.a", StorageType::fp16},
                                                {"denoiser.a", StorageType::fp32}};
  Preset::Precision settings;
  settings.weights.denoiser = StorageType::fp8_e4m3;
  settings.pins = pins;
  const PrecisionRules rules(settings);
  EXPECT_EQ(rules.of("denoiser.a", ModuleKind::linear).storage, DType::f32);
  EXPECT_EQ(rules.of("denoiser.b", ModuleKind::linear).storage, DType::bf16);
  EXPECT_EQ(canonical_pins(pins),
            (std::map<std::string, StorageType>{{"denoiser.*", StorageType::bf16},
                                                {"denoiser.a", StorageType::fp32}}));
  std::map<std::string, StorageType> edited = pins;
  set_pin(edited, "denoiser.a", std::nullopt);
  EXPECT_EQ(edited, (std::map<std::string, StorageType>{{"unet.*", StorageType::bf16}}));
  set_pin(edited, "denoiser.*", StorageType::fp16);
  EXPECT_EQ(edited, (std::map<std::string, StorageType>{{"denoiser.*", StorageType::fp16}}));
}

TEST(Pins, TheMostSpecificPatternCountsWhateverItsPlaceInTheAlphabet) {
  const auto type = [](const std::map<std::string, StorageType>& pins) {
    return pinned_type(canonical_pins(pins), "denoiser.down_blocks.1.attn1.to_q");
  };
  using enum StorageType;
  EXPECT_EQ(type({{"*.attn1.to_q", fp32}, {"*.to_q", bf16}}), fp32);
  EXPECT_EQ(type({{"denoiser.down_blocks.1.*", fp16}, {"*.attn1.to_q", bf16}}), fp16);
  EXPECT_EQ(type({{"denoiser.*.attn1.to_q", bf16}, {"denoiser.down_blocks.*", fp16}}), fp16)
      << "20 characters and 21";
  EXPECT_EQ(type({{"denoiser.down_blocks.1.attn1.to_q", fp8_e4m3}, {"unet.*", fp16}}), fp8_e4m3);
  EXPECT_EQ(type({{"te1.*", fp16}}), std::nullopt);
}

TEST(LossScaler, AutomaticScalesWhateverPassesThroughFp16) {
  const auto automatic = [](ComputeType compute, MasterType gradients) {
    return LossScaler({}, compute, gradients).scale();
  };
  EXPECT_EQ(automatic(ComputeType::fp32, MasterType::fp32), 1);
  EXPECT_EQ(automatic(ComputeType::bf16, MasterType::bf16), 1);
  EXPECT_EQ(automatic(ComputeType::int8, MasterType::fp32), 1);
  EXPECT_EQ(automatic(ComputeType::fp16, MasterType::fp32), LossScaleRule::kInitial);
  EXPECT_EQ(automatic(ComputeType::int8_fp16, MasterType::fp32), LossScaleRule::kInitial);
  // Gradients stored in FP16 underflow whatever computed them.
  EXPECT_EQ(automatic(ComputeType::bf16, MasterType::fp16), LossScaleRule::kInitial);
  EXPECT_EQ(automatic(ComputeType::fp32, MasterType::fp16), LossScaleRule::kInitial);
}

}  // namespace
}  // namespace mantissa
