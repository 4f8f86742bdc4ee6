#include "engine/precision/run_findings.h"

#include <gtest/gtest.h>

namespace mantissa {
namespace {

TEST(RunFindings, SayWhatHappenedAndWhatToDo) {
  Preset p;
  p.precision.compute = ComputeType::fp16;
  p.training.parts = {kDenoiser, kTe1};
  p.output.dtype = MasterType::fp16;
  EXPECT_EQ(finding_text(no_gradients(p, kTe1)).text(),
            "S8: No gradients reached te1: it is frozen, or masks are black all over. Fix: drop "
            "the part from training.parts, or mend the masks "
            R"({"training.parts":["denoiser"]})");
  EXPECT_EQ(endless_overflow(p, 3, "unet.conv_in").message.text(),
            "3 skips in a row; first non-finite tensor: unet.conv_in.");
  EXPECT_EQ(endless_overflow(p, 3, "unet.conv_in").fix_json, R"({"precision.compute":"bf16"})");
  const std::vector<std::string> files{"a.png", "b.png"};
  EXPECT_EQ(non_finite_loss(p, 7, files).message.text(),
            "Non-finite loss at step 7 (a.png, b.png).");
  EXPECT_EQ(non_finite_loss(p, 7, files).fix_json, R"({"precision.compute":"bf16"})");
  EXPECT_EQ(non_finite_loss({}, 7, files).fix_json, "{}") << "nothing has a wider range than FP32";
  const Error error = finding_error(ErrorKind::non_finite, non_finite_loss(p, 7, files));
  EXPECT_EQ(error.id(), "S14");
  EXPECT_EQ(exit_code(error.kind()), 4);
  const std::vector<std::string> layers{"a", "b", "c", "d", "e"};
  EXPECT_EQ(empty_rows(p, 12, layers).message.text(),
            "12 channels use plain LoRA: the norm of their weights is zero (a, b, c and 2 more).");
  EXPECT_EQ(empty_rows(p, 1, {}).message.text(),
            "1 channels use plain LoRA: the norm of their weights is zero.");
  EXPECT_EQ(rounded_to_zero(MasterType::fp16, 0.123, "x.safetensors").message.text(),
            "12% of weights round to zero in x.safetensors as fp16.");
  EXPECT_EQ(rounded_to_zero(MasterType::fp16, 0.123, "x.safetensors").fix_json,
            R"({"output.dtype":"fp32"})");
  p.precision.weights.vae = StorageType::bf16;
  p.precision.weights.text_encoders = StorageType::fp16;
  EXPECT_EQ(nan_encoding(p, "cat.png", false).fix_json, R"({"precision.weights.vae":"fp32"})");
  EXPECT_EQ(nan_encoding(p, "caption \"a cat\"", true).fix_json,
            R"({"precision.weights.text_encoders":"fp32"})");
  EXPECT_EQ(nan_encoding(p, "cat.png", false).message.text(),
            "NaN or infinity in the encoding of cat.png.");
  EXPECT_EQ(frozen_magnitude(p, "unet.x").verdict, Verdict::refused);
  EXPECT_NE(merge_into_fp8("m.safetensors", DType::f8_e4m3).message.text().find("fp8_e4m3"),
            std::string::npos);
}

TEST(RunFindings, AnOverflowOutsideFp16IsPinned) {
  Preset p;
  p.precision.compute = ComputeType::bf16;
  EXPECT_EQ(endless_overflow(p, 3, "unet.conv_in").fix_json,
            R"({"precision.pins":{"denoiser.conv_in":"fp32"}})");
  EXPECT_FALSE(endless_overflow(p, 3, "").has_fix());
}

TEST(RunFindings, ADistilledBaseModelIsTold) {
  Preset p;
  ModelFacts model;
  const auto told = [&] {
    for (const PrecisionFinding& f : make_precision_plan(p, model).findings) {
      if (f.id == "N13") {
        return finding_text(f).text();
      }
    }
    return std::string();
  };
  EXPECT_EQ(told(), "");
  model.distilled = "Z-Image Turbo";
  model.distilled_evidence = message<"its scheduler's shift is {shift}">(3);
  EXPECT_EQ(told(),
            "N13: The base model is Z-Image Turbo, a distilled one (its scheduler's shift is 3): "
            "training undoes its distillation, and a few steps no longer give sharp images. Fix: "
            "add a training adapter made for it (--training-adapter), which keeps the "
            "distillation while training, or train on the model that it was distilled from; such "
            "adapters also load into the distilled one");
  model.helped = true;
  EXPECT_EQ(told(), "") << "it has a training adapter";
  model.helped = false;
  EXPECT_EQ(make_precision_plan(p, model).refusal(), nullptr);
  p.training.parts = {kVae};
  EXPECT_EQ(told(), "") << "no denoiser is trained";
  p.training.parts = {kDenoiser};
  p.training.purpose = TrainingPurpose::adapter;
  EXPECT_EQ(told(), "") << "undoing it is what the training adapter is for";
}

TEST(RunFindings, PinsThatHaveNoEffectAreTold) {
  const std::vector<PinTarget> modules{{"unet.conv_in", ModuleKind::conv},
                                       {"unet.conv_in", ModuleKind::vector},
                                       {"unet.norm1", ModuleKind::norm}};
  Preset p;
  p.precision.pins = {{"unet.conv_in", StorageType::fp32},
                      {"unet.norm*", StorageType::bf16},
                      {"unet.none", StorageType::bf16}};
  const auto findings = pin_findings(p, modules);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].id, "G6");
  EXPECT_EQ(findings[0].message.text(), "The pin unet.none matches no module of this model.");
  EXPECT_EQ(findings[1].id, "G7");
  EXPECT_EQ(findings[1].fix_json,
            R"({"precision.pins":{"unet.conv_in":"fp32","unet.none":"bf16"}})");
  // One relevant module is enough, at any position.
  const std::vector<PinTarget> others{{"unet.conv_in", ModuleKind::conv},
                                      {"unet.conv_out", ModuleKind::norm}};
  p.precision.pins = {{"unet.conv_*", StorageType::fp32}};
  EXPECT_TRUE(pin_findings(p, others).empty());
}

TEST(RunFindings, RanksThatCountForNoLayerAreTold) {
  const std::vector<std::string> layers{"unet.mid_block.attentions.0.to_q",
                                        "unet.up_blocks.0.to_q"};
  Preset p;
  p.adapter.ranks = {{"denoiser.mid_block.*", 8, 0},
                     {"te1.*", 4, 0},
                     {"unet.*.attentions.*", 4, 0},  // those have an earlier entry
                     {"*", 0, 0}};
  const auto findings = rank_findings(p, layers);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].id, "D18");
  EXPECT_EQ(findings[0].verdict, Verdict::warning);
  EXPECT_EQ(findings[0].message.text(), "The ranks of te1.* count for no adapter of this model.");
  EXPECT_EQ(findings[1].message.text(),
            "The ranks of unet.*.attentions.* count for no adapter of this model.");
  EXPECT_EQ(findings[0].fix_json.find("te1"), std::string::npos) << findings[0].fix_json;
  EXPECT_NE(findings[0].fix_json.find("attentions"), std::string::npos);
  p.adapter.ranks.clear();
  EXPECT_TRUE(rank_findings(p, layers).empty());
}

}  // namespace
}  // namespace mantissa
