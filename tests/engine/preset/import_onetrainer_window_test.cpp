// What OneTrainer's window reads besides the keys themselves: settings that it keeps for each
// optimizer, units and parts that the file leaves out; types of 8-bit matmuls; distributions.
#include "tests/engine/preset/import_short.h"

namespace mantissa {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::expect_reported;
using testing_support::onetrainer_with;
using testing_support::row;

TEST(ImportOneTrainerWindow, SettingsKeptForTheChosenOptimizerAreItsOwn) {
  const ImportResult r = onetrainer_with(
      R"("optimizer": {"optimizer": "ADAFACTOR"},
         "optimizer_defaults": {
           "ADAFACTOR": {"optimizer": "ADAFACTOR", "fused_back_pass": true, "weight_decay": 0.1,
                         "scale_parameter": true, "beta1": null},
           "ADAMW": {"optimizer": "ADAMW", "weight_decay": 0.5}})");
  EXPECT_EQ(r.preset.optimizer.type, OptimizerType::adafactor);
  EXPECT_TRUE(r.preset.optimizer.fused_back_pass);
  EXPECT_EQ(r.preset.optimizer.weight_decay, 0.1);
  EXPECT_EQ(row(r, "optimizer_defaults.ADAFACTOR.fused_back_pass").fate, ImportFate::mapped);
  EXPECT_THAT(row(r, "optimizer.optimizer").note.text(), HasSubstr("scale_parameter"));
  EXPECT_EQ(row(r, "optimizer_defaults.ADAMW.weight_decay").note.text(),
            "Settings of optimizers that are not used.");
  EXPECT_EQ(r.count(ImportFate::unknown), 0u);
  expect_reported(r);
}

TEST(ImportOneTrainerWindow, SettingsThatItKeepsCountBeforeTheOptimizersOwn) {
  const ImportResult r = onetrainer_with(
      R"("optimizer": {"optimizer": "ADAMW", "beta2": 0.95, "eps": 1e-8},
         "optimizer_defaults": {"ADAMW": {"beta2": 0.99, "eps": 1e-8, "weight_decay": null}})");
  EXPECT_EQ(r.preset.optimizer.betas[1], 0.99);
  EXPECT_EQ(row(r, "optimizer.beta2").fate, ImportFate::ignored);
  EXPECT_THAT(row(r, "optimizer.beta2").note.text(),
              HasSubstr("optimizer_defaults.ADAMW.beta2 counts instead"));
  EXPECT_EQ(row(r, "optimizer.eps").fate, ImportFate::mapped) << "the same in both";
  EXPECT_EQ(onetrainer_with(R"("optimizer_defaults": {"ADAMW": {"weight_decay": 0.2}})")
                .preset.optimizer.weight_decay,
            0.2)
      << "AdamW is the one that is used unless another is named";
}

TEST(ImportOneTrainerWindow, ReadsNothingBesideTheSettingsThatItKeeps) {
  const ImportResult r = onetrainer_with(
      R"("optimizer": {"optimizer": "ADAMW", "beta1": 0.8, "weight_decay": 0.3, "eps": 1e-6},
         "optimizer_defaults": {"ADAMW": {"beta2": 0.99, "weight_decay": null}})");
  const ImportResult unset =
      onetrainer_with(R"("optimizer": {"optimizer": "ADAMW", "beta2": 0.99})");
  EXPECT_EQ(r.preset.optimizer.betas, unset.preset.optimizer.betas);
  EXPECT_EQ(r.preset.optimizer.eps, unset.preset.optimizer.eps);
  EXPECT_EQ(r.preset.optimizer.weight_decay, unset.preset.optimizer.weight_decay)
      << "kept without a value";
  for (const char* key : {"optimizer.beta1", "optimizer.eps", "optimizer.weight_decay"}) {
    EXPECT_EQ(row(r, key).fate, ImportFate::ignored) << key;
    EXPECT_THAT(row(r, key).note.text(), HasSubstr("that it keeps for each optimizer")) << key;
  }
  EXPECT_NE(row(r, "optimizer.optimizer").fate, ImportFate::ignored);
  EXPECT_EQ(r.count(ImportFate::unknown), 0u);
  expect_reported(r);
}

TEST(ImportOneTrainerWindow, NumbersWithoutAUnitHaveItsOwn) {
  const ImportResult r = onetrainer_with(
      R"("backup_after": 20, "sample_after": 5, "validation": true, "validate_after": 3)");
  EXPECT_EQ(r.preset.output.save_minutes, 20);
  EXPECT_EQ(r.preset.samples.every_minutes, 5);
  EXPECT_EQ(row(r, "backup_after").fate, ImportFate::mapped);
  EXPECT_THAT(row(r, "validate_after").note.text(), HasSubstr("in epochs there"));
  const ImportResult never = onetrainer_with(R"("save_every": 50)");
  EXPECT_EQ(never.preset.output.save_every, 0) << "it doesn't save without a unit";
}

TEST(ImportOneTrainerWindow, BacksUpAndSamplesByItsOwnDefaults) {
  const std::string prompts = R"("samples": [{"prompt": "a cat"}])";
  const ImportResult r = onetrainer_with(prompts);
  EXPECT_EQ(r.preset.output.save_minutes, 30);
  EXPECT_EQ(r.preset.output.save_every, 0);
  EXPECT_EQ(r.preset.samples.every_minutes, 10);
  EXPECT_EQ(row(r, "backup_after").fate, ImportFate::assumed);
  EXPECT_EQ(row(r, "sample_after").fate, ImportFate::assumed);
  expect_reported(r);
  EXPECT_EQ(onetrainer_with(R"("batch_size": 1)").preset.samples.every_minutes, 0)
      << "nothing to draw";
  const ImportResult units =
      onetrainer_with(prompts + R"(, "backup_after_unit": "STEP", "sample_after_unit": "EPOCH")");
  EXPECT_EQ(units.preset.output.save_every, 30);
  EXPECT_EQ(units.preset.samples.every_epochs, 10);
  EXPECT_EQ(onetrainer_with(R"("backup_after_unit": "NEVER")").preset.output.save_minutes,
            Preset().output.save_minutes);
  EXPECT_EQ(
      onetrainer_with(R"("save_every": 5, "save_every_unit": "MINUTE")").preset.output.save_minutes,
      5);
}

TEST(ImportOneTrainerWindow, TextEncodersOfSd2AreTrainedUnlessSwitchedOff) {
  for (const char* model : {"STABLE_DIFFUSION_21", "STABLE_DIFFUSION_15"}) {
    const auto with = [&](const std::string& keys) {
      return import_preset_text(
          R"({"training_method": "LORA", "model_type": ")" + std::string(model) + '"' + keys + "}",
          "x.json");
    };
    const ImportResult usual = with("");
    EXPECT_THAT(usual.preset.training.parts, ElementsAre(kDenoiser, kTe1)) << model;
    EXPECT_EQ(row(usual, "text_encoder.train").fate, ImportFate::assumed) << model;
    const ImportResult off = with(R"(, "text_encoder": {"train": false})");
    EXPECT_THAT(off.preset.training.parts, ElementsAre(kDenoiser)) << model;
  }
}

TEST(ImportOneTrainerWindow, EightBitMatmulsAreAComputeType) {
  struct {
    const char *weights, *values;
    ComputeType compute;
    StorageType storage;
    bool same;
  } constexpr kCases[] = {
      {"INT_W8A8", "BFLOAT_16", ComputeType::int8, StorageType::int8, true},
      {"INT_W8A8", "FLOAT_16", ComputeType::int8_fp16, StorageType::int8, true},
      {"INT_W8A8_COMPRESSED", "FLOAT_32", ComputeType::int8, StorageType::int8, false},
      {"FLOAT_W8A8", "BFLOAT_16", ComputeType::fp8, StorageType::fp8_e4m3, true},
      {"FLOAT_W8A8", "FLOAT_16", ComputeType::fp8, StorageType::fp8_e4m3, false},
      {"INT_8", "BFLOAT_16", ComputeType::bf16, StorageType::int8, true},
      {"NFLOAT_4", "BFLOAT_16", ComputeType::bf16, StorageType::nf4, true}};
  for (const auto& c : kCases) {
    SCOPED_TRACE(std::string(c.weights) + " " + c.values);
    const ImportResult r =
        onetrainer_with(R"("unet": {"train": true, "weight_dtype": ")" + std::string(c.weights) +
                        R"("}, "train_dtype": ")" + c.values + '"');
    EXPECT_EQ(r.preset.precision.compute, c.compute);
    EXPECT_EQ(r.preset.precision.weights.denoiser, c.storage);
    EXPECT_EQ(row(r, "train_dtype").fate, c.same ? ImportFate::mapped : ImportFate::changed);
  }
  const ImportResult silent =
      onetrainer_with(R"("unet": {"train": true, "weight_dtype": "INT_W8A8"})");
  EXPECT_EQ(silent.preset.precision.compute, ComputeType::int8_fp16) << "FP16 is the default";
  const ImportResult full = import_preset_text(
      R"({"training_method": "FINE_TUNE", "model_type": "FLUX_2", "train_dtype": "BFLOAT_16",
          "transformer": {"train": true, "weight_dtype": "INT_W8A8"},
          "text_encoder": {"weight_dtype": "FLOAT_W8A8"}})",
      "x.json");
  EXPECT_EQ(full.preset.precision.compute, ComputeType::bf16);
  EXPECT_EQ(row(full, "transformer.weight_dtype").fate, ImportFate::changed);
  EXPECT_EQ(row(full, "text_encoder.weight_dtype").fate, ImportFate::changed);
}

TEST(ImportOneTrainerWindow, OtherDistributionsAreAChange) {
  struct {
    const char* keys;
    TimestepDistribution taken;
    ImportFate fate;
  } constexpr kCases[] = {
      {R"("INVERTED_PARABOLA", "noising_weight": 7.7)", TimestepDistribution::uniform,
       ImportFate::changed},
      {R"("COS_MAP")", TimestepDistribution::uniform, ImportFate::changed},
      {R"("LOGIT_NORMAL", "noising_bias": 0.5)", TimestepDistribution::logit_normal,
       ImportFate::changed},
      {R"("HEAVY_TAIL", "noising_weight": 0.5)", TimestepDistribution::mode, ImportFate::changed},
      {R"("BETA", "noising_weight": 1, "noising_bias": 1)", TimestepDistribution::uniform,
       ImportFate::mapped}};
  for (const auto& c : kCases) {
    const ImportResult r = import_preset_text(
        R"({"training_method": "LORA", "model_type": "FLUX_2", "timestep_distribution": )" +
            std::string(c.keys) + "}",
        "x.json");
    EXPECT_EQ(r.preset.training.timesteps, c.taken) << c.keys;
    EXPECT_EQ(row(r, "timestep_distribution").fate, c.fate) << c.keys;
  }
  const ImportResult scripts = import_preset_text(
      "network_module = \"networks.lora_flux\"\nnetwork_dim = 4\n"
      "timestep_sampling = \"sigmoid\"\nsigmoid_scale = 2.0\n",
      "x.toml");
  EXPECT_EQ(scripts.preset.training.timesteps, TimestepDistribution::sigmoid);
  EXPECT_EQ(row(scripts, "sigmoid_scale").fate, ImportFate::changed);
  EXPECT_EQ(row(scripts, "timestep_sampling").fate, ImportFate::changed);
}

}  // namespace
}  // namespace mantissa
