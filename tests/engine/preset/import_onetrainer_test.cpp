// OneTrainer's files for models with a transformer; those with a UNet are in import_test.cpp.
#include "engine/preset/import_onetrainer.h"

#include "tests/engine/preset/import_samples.h"

namespace mantissa {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::expect_reported;
using testing_support::expect_safe;
using testing_support::read_sample;
using testing_support::row;

TEST(ImportOneTrainer, ZImage) {
  const ImportResult r = read_sample("onetrainer_zimage.json");
  EXPECT_EQ(r.format, ImportFormat::onetrainer);
  const Preset& p = r.preset;
  EXPECT_EQ(p.model.family, ModelFamily::z_image);
  EXPECT_EQ(p.adapter.rank, 32);
  EXPECT_EQ(p.adapter.alpha, 16);
  EXPECT_THAT(p.adapter.targets,
              ElementsAre("denoiser.layers.*.attention.*", "denoiser.layers.*.feed_forward.*"));
  EXPECT_EQ(p.precision.weights.denoiser, StorageType::fp8_e4m3) << "of the transformer";
  EXPECT_EQ(p.precision.weights.text_encoders, StorageType::int8);
  EXPECT_EQ(row(r, "text_encoder.weight_dtype").fate, ImportFate::mapped);
  EXPECT_EQ(p.precision.weights.vae, StorageType::fp32);
  EXPECT_EQ(p.precision.compute, ComputeType::bf16);
  EXPECT_EQ(p.output.dtype, MasterType::bf16);
  EXPECT_THAT(p.training.parts, ElementsAre(kDenoiser));
  EXPECT_EQ(row(r, "text_encoder.train").fate, ImportFate::changed);
  EXPECT_THAT(row(r, "text_encoder.train").note.text(), HasSubstr("stay frozen"));
  EXPECT_EQ(p.optimizer.learning_rate, 1e-4) << "the transformer's own";
  EXPECT_TRUE(p.optimizer.groups.empty());
  EXPECT_EQ(p.optimizer.type, OptimizerType::adamw8bit);
  EXPECT_EQ(p.training.timesteps, TimestepDistribution::logit_normal);
  EXPECT_EQ(p.training.flow_shift, 3);
  EXPECT_TRUE(p.training.gradient_checkpointing);
  EXPECT_EQ(p.data.resolution, 768);
  EXPECT_EQ(p.data.caption_dropout, 0.1);
  EXPECT_EQ(p.data.bucket_rule, BucketRule::onetrainer);
  EXPECT_EQ(row(r, "aspect_ratio_bucketing").fate, ImportFate::assumed);
  for (const char* absent : {"unet.train", "unet.weight_dtype", "text_encoder_2.weight_dtype"}) {
    EXPECT_THAT(row(r, absent).note.text(), HasSubstr("does not exist in that model")) << absent;
  }
  EXPECT_THAT(row(r, "layer_filter").note.text(), HasSubstr("together with other keys"));
  EXPECT_EQ(r.count(ImportFate::unknown), 0u);
  expect_reported(r);
  expect_safe(r);
}

TEST(ImportOneTrainer, DefaultsOfFlowModelsAreToldApart) {
  const ImportResult plain = import_preset_text(
      R"({"training_method": "LORA", "model_type": "FLUX_2", "layer_filter_preset": "blocks"})",
      "x.json");
  EXPECT_EQ(plain.preset.training.flow_shift, 1) << "OneTrainer's default, not the model's";
  EXPECT_EQ(row(plain, "timestep_shift").fate, ImportFate::assumed);
  EXPECT_EQ(plain.preset.data.resolution, 512);
  EXPECT_TRUE(plain.preset.training.gradient_checkpointing);
  EXPECT_EQ(plain.preset.optimizer.learning_rate, 3e-6);
  EXPECT_EQ(row(plain, "learning_rate").fate, ImportFate::assumed);
  EXPECT_THAT(plain.preset.adapter.targets, ElementsAre("attention+mlp"));
  const ImportResult dynamic = import_preset_text(
      R"({"training_method": "LORA", "model_type": "FLUX_2", "dynamic_timestep_shifting": true})",
      "x.json");
  EXPECT_EQ(dynamic.preset.training.flow_shift, std::nullopt);
  const ImportResult sdxl = import_preset_text(
      R"({"training_method": "LORA", "model_type": "STABLE_DIFFUSION_XL_10_BASE",
          "transformer": {"train": true, "weight_dtype": "FLOAT_8"},
          "unet": {"train": true, "weight_dtype": "FLOAT_16"}})",
      "x.json");
  EXPECT_EQ(sdxl.preset.precision.weights.denoiser, StorageType::fp16);
  EXPECT_THAT(row(sdxl, "transformer.weight_dtype").note.text(), HasSubstr("does not exist"));
  EXPECT_EQ(sdxl.preset.training.flow_shift, std::nullopt);
}

TEST(ImportOneTrainer, LayersOfItsPresets) {
  const auto targets = [](const std::string& model, const std::string& layers) {
    return import_preset_text(R"({"training_method": "LORA", "model_type": ")" + model +
                                  R"(", "layer_filter_preset": ")" + layers + "\"}",
                              "x.json")
        .preset.adapter.targets;
  };
  EXPECT_THAT(targets("Z_IMAGE", "attn-only"), ElementsAre("denoiser.layers.*.attention.*"));
  EXPECT_EQ(targets("Z_IMAGE", "blocks").size(), 3u);
  EXPECT_THAT(targets("Z_IMAGE", "full"), ElementsAre("linear+conv"));
  EXPECT_THAT(targets("PIXART_SIGMA", "attn-only"), ElementsAre("attention"));
  EXPECT_EQ(targets("Z_IMAGE", "custom"), Preset{}.adapter.targets);
}

}  // namespace
}  // namespace mantissa
