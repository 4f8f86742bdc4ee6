// OneTrainer's files, for models with a UNet and with a transformer.
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
  EXPECT_EQ(p.model.family, ModelFamily("z_image"));
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

std::string with_concepts(const std::string& concepts, const std::string& more = "") {
  return R"({"training_method": "LORA", "model_type": "STABLE_DIFFUSION_XL_10_BASE", )" + more +
         R"("concepts": [)" + concepts + "]}";
}

constexpr const char* kChanged = R"({"image_variations": 6, "image": {
    "enable_crop_jitter": true, "enable_random_flip": true,
    "enable_random_rotate": true, "random_rotate_max_angle": 12,
    "enable_random_brightness": true, "random_brightness_max_strength": 0.2,
    "enable_random_contrast": false, "random_contrast_max_strength": 0.4,
    "enable_fixed_saturation": true, "random_saturation_max_strength": 0.3,
    "enable_random_hue": true, "random_hue_max_strength": 0.05}})";

TEST(ImportOneTrainer, ConceptsChangeTheirImages) {
  const ImportResult r = import_preset_text(with_concepts(kChanged), "x.json");
  const Preset::Data& d = r.preset.data;
  EXPECT_EQ(d.variants, 6);
  EXPECT_EQ(d.crop_jitter, 0.01);
  EXPECT_EQ(d.rotation, 12);
  EXPECT_EQ(d.brightness, 0.2);
  EXPECT_EQ(d.contrast, 0) << "off there";
  EXPECT_EQ(d.saturation, 0) << "fixed there";
  EXPECT_EQ(d.hue, 0.05);
  EXPECT_TRUE(d.flip);
  EXPECT_EQ(row(r, "concepts").fate, ImportFate::changed);
  EXPECT_THAT(row(r, "concepts").note.text(), HasSubstr("Corners are black there"));
  EXPECT_THAT(row(r, "concepts").note.text(), testing::Not(HasSubstr("first concept")));
  // With its cache off, OneTrainer draws new changes in every epoch.
  EXPECT_EQ(import_preset_text(with_concepts(kChanged, R"("latent_caching": false, )"), "x.json")
                .preset.data.variants,
            8);
}

TEST(ImportOneTrainer, ConceptsThatDifferAndThoseThatChangeNothing) {
  const std::string plain =
      R"({"image": {"enable_crop_jitter": true, "enable_random_flip": false}})";
  const ImportResult none = import_preset_text(with_concepts(plain), "x.json");
  EXPECT_EQ(none.preset.data, import_preset_text(with_concepts(""), "x.json").preset.data)
      << "one crop for each image there too";
  EXPECT_EQ(row(none, "concepts").fate, ImportFate::ignored);
  const ImportResult both =
      import_preset_text(with_concepts(std::string(kChanged) + "," + plain), "x.json");
  EXPECT_THAT(row(both, "concepts").note.text(), HasSubstr("first concept"));
  const std::string off = R"({"enabled": false, "image": {"enable_random_rotate": true,
      "random_rotate_max_angle": 90, "enable_random_flip": false}})";
  EXPECT_EQ(import_preset_text(with_concepts(off), "x.json").preset.data.rotation, 0);
  const std::string wide = R"({"image": {"enable_random_rotate": true,
      "random_rotate_max_angle": 90}})";
  const ImportResult cut = import_preset_text(with_concepts(wide), "x.json");
  EXPECT_EQ(cut.preset.data.rotation, 45);
  EXPECT_THAT(row(cut, "concepts").note.text(), HasSubstr("cut"));
  for (const char* odd :
       {"7", R"({"image": 3})", "null", R"({"image": {"enable_random_hue": 1}})"}) {
    EXPECT_NO_THROW(import_preset_text(with_concepts(odd), "x.json")) << odd;
  }
}

TEST(ImportOneTrainer, WaysWithData) {
  const ImportResult r = import_preset_text(
      R"({"training_method": "LORA", "base_model_name": "x", "aspect_ratio_bucketing": true,
          "masked_training": true, "unmasked_weight": 0.1, "unmasked_probability": 0.2,
          "validation": true, "validate_after": 40, "validate_after_unit": "STEP"})",
      "x.json");
  EXPECT_EQ(r.preset.data.bucket_rule, BucketRule::onetrainer);
  EXPECT_EQ(r.preset.data.masks, MaskMode::files);
  EXPECT_EQ(r.preset.data.unmasked_weight, 0.1);
  EXPECT_THAT(row(r, "unmasked_probability").note.text(), HasSubstr("Not offered"));
  EXPECT_EQ(r.preset.training.validate_every, 40);
  EXPECT_THAT(row(r, "validation").note.text(), HasSubstr("chosen for each run"));
  const ImportResult off = import_preset_text(
      R"({"training_method": "LORA", "base_model_name": "x", "masked_training": false,
          "unmasked_weight": 0.1, "validation": false, "validate_after": 1,
          "validate_after_unit": "EPOCH"})",
      "y.json");
  EXPECT_EQ(off.preset.data.masks, MaskMode::off);
  EXPECT_EQ(off.preset.data.unmasked_weight, 0);
  EXPECT_EQ(off.preset.training.validate_every, Preset{}.training.validate_every);
}

TEST(ImportOneTrainer, Loha) {
  const ImportResult r = import_preset_text(
      "{\"training_method\": \"LORA\", \"peft_type\": \"LOHA\", \"lora_rank\": 8, "
      "\"lora_decompose\": true}",
      "x.json");
  EXPECT_EQ(r.preset.adapter.type, AdapterType::loha);
  EXPECT_EQ(row(r, "peft_type").fate, ImportFate::mapped);
  EXPECT_THAT(row(r, "lora_decompose").note.text(), HasSubstr("only for LoRA"));
  EXPECT_FALSE(r.preset.adapter.decompose) << "its LoHa has no such form";
}

TEST(ImportOneTrainer, LokrHasKeysOfItsOwn) {
  const auto lokr = [](const std::string& keys) {
    return import_preset_text(R"({"training_method": "LORA", "model_type": "Z_IMAGE",
                                  "peft_type": "LOKR", "lora_rank": 32, )" +
                                  keys + "}",
                              "x.json");
  };
  const ImportResult r = lokr(
      R"("lora_alpha": 4, "lokr_dim": 8, "lokr_decompose_factor": 4, "lokr_decompose_both": true,
         "lokr_use_tucker": true, "lokr_vec_trick": true, "lokr_weight_decompose": true,
         "lokr_dora_on_output": false, "lokr_full_matrix": false, "lora_decompose": false,
         "lora_decompose_output_axis": true, "dropout_probability": 0.1, "lokr_new": 1)");
  const Preset::Adapter& a = r.preset.adapter;
  EXPECT_EQ(a.type, AdapterType::lokr);
  EXPECT_EQ(a.rank, 8);
  EXPECT_EQ(a.alpha, 4);
  EXPECT_EQ(a.factor, 4);
  EXPECT_TRUE(a.decompose);
  EXPECT_EQ(a.dora_axis, DoraAxis::input);
  EXPECT_EQ(row(r, "lokr_dim").targets, std::vector<std::string>{"adapter.rank"});
  EXPECT_EQ(row(r, "lora_rank").note.text(), "lokr_dim counts instead.");
  EXPECT_THAT(row(r, "lokr_decompose_both").note.text(), HasSubstr("Not offered here"));
  EXPECT_THAT(row(r, "lokr_use_tucker").note.text(), HasSubstr("Tucker"));
  EXPECT_THAT(row(r, "dropout_probability").note.text(), HasSubstr("whole layer"));
  EXPECT_EQ(row(r, "lokr_new").fate, ImportFate::unknown);
  expect_reported(r);

  const ImportResult usual = lokr(R"("dropout_probability": 0.1)");
  EXPECT_EQ(usual.preset.adapter.rank, 16) << "lokr_dim's default";
  EXPECT_EQ(row(usual, "lokr_dim").fate, ImportFate::assumed);
  EXPECT_EQ(usual.preset.adapter.factor, -1);
  EXPECT_THAT(row(usual, "dropout_probability").note.text(), HasSubstr("of its matrices"));
  for (const char* keys :
       {R"("lokr_dim": 4, "lokr_full_matrix": true, "lora_alpha": 1)", R"("lokr_dim": 100000)"}) {
    const ImportResult whole = lokr(keys);
    EXPECT_EQ(whole.preset.adapter.rank, 1024) << keys;
    EXPECT_EQ(whole.preset.adapter.alpha, 1024) << keys;
  }
}

TEST(ImportOneTrainer, KeysOfOtherFormsSayWhy) {
  const ImportResult lora = import_preset_text(
      R"({"training_method": "LORA", "model_type": "Z_IMAGE", "peft_type": "LORA", "lora_rank": 32,
          "lokr_dim": 8, "lokr_decompose_factor": 4, "lokr_full_matrix": true, "lokr_new": 1,
          "oft_block_size": 32})",
      "x.json");
  EXPECT_EQ(lora.preset.adapter.rank, 32);
  EXPECT_EQ(lora.preset.adapter.factor, -1);
  for (const char* key : {"lokr_dim", "lokr_decompose_factor", "lokr_full_matrix", "lokr_new"}) {
    EXPECT_EQ(row(lora, key).note.text(), "Concerns LoKr only.") << key;
  }
  EXPECT_EQ(row(lora, "oft_block_size").note.text(), "Concerns OFT only.");
  const ImportResult oft = import_preset_text(
      R"({"training_method": "LORA", "model_type": "Z_IMAGE", "peft_type": "OFT_2",
          "oft_block_size": 32})",
      "x.json");
  EXPECT_EQ(row(oft, "oft_block_size").note.text(), "Not offered here: OFT.");
}

TEST(ImportOneTrainer, TextEncodersAreTrainedUnlessTheFileSaysNo) {
  const auto read = [](const std::string& model, const std::string& keys) {
    return import_preset_text(R"({"training_method": "LORA", "learning_rate": 1e-4,
                                  "model_type": ")" +
                                  model + "\"" + keys + "}",
                              "x.json");
  };
  const ImportResult sdxl = read("STABLE_DIFFUSION_XL_10_BASE", "");
  EXPECT_THAT(sdxl.preset.training.parts, ElementsAre(kDenoiser, kTe1, kTe2));
  EXPECT_EQ(row(sdxl, "text_encoder.train").fate, ImportFate::assumed);
  EXPECT_EQ(row(sdxl, "text_encoder_2.train").fate, ImportFate::assumed);
  EXPECT_EQ(row(sdxl, "text_encoder.stop_training_after").fate, ImportFate::changed)
      << "30 of 100 epochs there";
  const ImportResult sd1 = read("STABLE_DIFFUSION_15", R"(, "epochs": 20)");
  EXPECT_THAT(sd1.preset.training.parts, ElementsAre(kDenoiser, kTe1)) << "it has one";
  EXPECT_THROW(row(sd1, "text_encoder_2.train"), Error);
  EXPECT_THROW(row(sd1, "text_encoder.stop_training_after"), Error) << "20 epochs end earlier";
  const ImportResult one =
      read("STABLE_DIFFUSION_XL_10_BASE", R"(, "text_encoder": {"train": false})");
  EXPECT_THAT(one.preset.training.parts, ElementsAre(kDenoiser, kTe2));
  const ImportResult z_image = read("Z_IMAGE", "");
  EXPECT_THAT(z_image.preset.training.parts, ElementsAre(kDenoiser));
  EXPECT_THROW(row(z_image, "text_encoder.train"), Error) << "frozen there too";
  const ImportResult pixart = read("PIXART_SIGMA", "");
  EXPECT_THAT(pixart.preset.training.parts, ElementsAre(kDenoiser));
  EXPECT_EQ(row(pixart, "text_encoder.train").fate, ImportFate::changed);
}

TEST(ImportOneTrainer, WithoutAMethodTheModelItselfIsTrained) {
  const ImportResult r = import_preset_text(
      R"({"model_type": "STABLE_DIFFUSION_XL_10_BASE", "learning_rate_scheduler": "CONSTANT",
          "base_model_name": "x", "learning_rate": 1e-5})",
      "x.json");
  EXPECT_EQ(r.preset.training.method, TrainingMethod::full);
  EXPECT_EQ(row(r, "training_method").fate, ImportFate::assumed);
  EXPECT_THAT(r.preset.training.parts, ElementsAre(kDenoiser, kTe1, kTe2));
}

TEST(ImportOneTrainer, Sdxl) {
  const ImportResult r = read_sample("onetrainer.json");
  EXPECT_EQ(r.format, ImportFormat::onetrainer);
  const Preset& p = r.preset;
  EXPECT_EQ(p.model.family, ModelFamily("sdxl"));
  EXPECT_EQ(p.adapter.type, AdapterType::dora);
  EXPECT_EQ(p.adapter.dora_axis, DoraAxis::input);
  EXPECT_EQ(p.adapter.rank, 24);
  EXPECT_EQ(p.adapter.alpha, 12);
  EXPECT_THAT(p.adapter.targets, ElementsAre("attention+mlp"));
  EXPECT_EQ(p.precision.weights.denoiser, StorageType::fp8_e4m3);
  EXPECT_EQ(p.precision.weights.text_encoders, StorageType::bf16);
  EXPECT_EQ(p.precision.weights.vae, StorageType::fp32);
  EXPECT_EQ(p.precision.compute, ComputeType::bf16);
  EXPECT_FALSE(p.precision.stochastic_rounding);
  EXPECT_EQ(p.output.dtype, MasterType::bf16);
  EXPECT_EQ(p.data.resolution, 1024);
  EXPECT_EQ(p.data.caption_dropout, 0.05);
  EXPECT_THAT(p.training.parts, ElementsAre(kDenoiser, kTe1));
  EXPECT_EQ(p.optimizer.learning_rate, 3e-4);
  ASSERT_EQ(p.optimizer.groups.size(), 1u);
  EXPECT_EQ(p.optimizer.groups[0].learning_rate, 2e-5);
  EXPECT_EQ(p.optimizer.betas[1], 0.99);
  EXPECT_EQ(p.optimizer.weight_decay, 0.02);
  EXPECT_EQ(p.training.ema, 0.995);
  EXPECT_EQ(p.training.min_snr_gamma, 5);
  EXPECT_EQ(p.schedule.warmup_steps, 100);
  EXPECT_EQ(p.samples.every, 250);
  EXPECT_EQ(p.output.save_every, 500);
  EXPECT_EQ(p.output.keep, 3);
  ASSERT_EQ(p.samples.prompts.size(), 1u);
  EXPECT_EQ(p.samples.prompts[0].guidance, 7);
  EXPECT_EQ(row(r, "resolution").fate, ImportFate::changed);
  EXPECT_EQ(row(r, "ema").fate, ImportFate::changed);
  EXPECT_EQ(p.training.timesteps, TimestepDistribution::logit_normal);
  EXPECT_EQ(p.training.epochs, 60);
  EXPECT_EQ(p.output.save_epochs, 2);
  EXPECT_EQ(row(r, "secrets.huggingface_token").value, "•••");
  EXPECT_EQ(row(r, "something_of_tomorrow").fate, ImportFate::unknown);
  EXPECT_EQ(r.count(ImportFate::unknown), 1u);
  expect_safe(r);
}

TEST(ImportOneTrainer, Timesteps) {
  using enum TimestepDistribution;
  const auto import = [](const std::string& keys) {
    return import_preset_text(
        R"({"training_method": "LORA", "base_model_name": "x", )" + keys + "}", "x.json");
  };
  const auto distribution = [&](const std::string& name, const std::string& more = {}) {
    return import(R"("timestep_distribution": ")" + name + '"' + more);
  };
  EXPECT_EQ(distribution("LOGIT_NORMAL").preset.training.timesteps, logit_normal);
  EXPECT_EQ(distribution("HEAVY_TAIL", R"(, "noising_weight": 1.29)").preset.training.timesteps,
            mode);
  for (const char* flat : {"UNIFORM", "HEAVY_TAIL", "SIGMOID"}) {
    const ImportResult r = distribution(flat);
    EXPECT_EQ(row(r, "timestep_distribution").fate, ImportFate::mapped) << flat;
    EXPECT_EQ(r.preset.training.timesteps, uniform) << flat;
  }
  for (const char* more : {R"(, "noising_weight": 0.5)", R"(, "noising_bias": -1)"}) {
    const ImportResult r = distribution("LOGIT_NORMAL", more);
    EXPECT_THAT(row(r, "timestep_distribution").note.text(), HasSubstr("Not offered")) << more;
    EXPECT_EQ(r.preset.training.timesteps, logit_normal) << more;
  }
  EXPECT_EQ(import(R"("timestep_shift": 3.0)").preset.training.flow_shift, 3);
  const ImportResult dynamic =
      import(R"("timestep_shift": 3.0, "dynamic_timestep_shifting": true)");
  EXPECT_EQ(dynamic.preset.training.flow_shift, std::nullopt);
  EXPECT_EQ(row(dynamic, "dynamic_timestep_shifting").fate, ImportFate::mapped);
  const ImportResult sdxl =
      import(R"("model_type": "STABLE_DIFFUSION_XL_10_BASE", "timestep_shift": 3.0)");
  EXPECT_EQ(sdxl.preset.training.flow_shift, std::nullopt);
  EXPECT_THAT(row(sdxl, "timestep_shift").note.text(), HasSubstr("Not offered"));
}

TEST(ImportOneTrainer, SavesAndSamplesByTime) {
  const std::pair<std::string, double> units[] = {{"SECOND", 0.5}, {"MINUTE", 30}, {"HOUR", 1800}};
  for (const auto& [unit, minutes] : units) {
    for (const std::string key : {"save_every", "backup_after", "sample_after"}) {
      const ImportResult r =
          import_preset_text(R"({"training_method": "LORA", "base_model_name": "x", ")" + key +
                                 R"(": 30, ")" + key + R"(_unit": ")" + unit + "\"}",
                             "x.json");
      EXPECT_EQ(
          key == "sample_after" ? r.preset.samples.every_minutes : r.preset.output.save_minutes,
          minutes)
          << key << " " << unit;
    }
  }
}

// Its steps are batches.
TEST(ImportOneTrainer, StepsOfAccumulatedGradientsAreUpdates) {
  const auto read = [](const std::string& more) {
    return import_preset_text(
        R"({"training_method": "LORA", "gradient_accumulation_steps": 4, )" + more + "}", "x.json");
  };
  const ImportResult r = read(
      R"("learning_rate_warmup_steps": 203, "save_every": 401, "save_every_unit": "STEP",
         "sample_after": 100, "sample_after_unit": "STEP")");
  EXPECT_EQ(r.preset.schedule.warmup_steps, 50) << "rounded down there";
  EXPECT_EQ(row(r, "learning_rate_warmup_steps").fate, ImportFate::changed);
  EXPECT_EQ(r.preset.output.save_every, 101);
  EXPECT_EQ(r.preset.samples.every, 25);
  const ImportResult usual = read(R"("epochs": 10)");
  EXPECT_EQ(usual.preset.schedule.warmup_steps, 50) << "200 batches";
  EXPECT_EQ(row(usual, "learning_rate_warmup_steps").fate, ImportFate::assumed);
}

TEST(ImportOneTrainer, ScheduleFreeOptimizersHaveAConstantRateAndTheirOwnWarmUp) {
  const ImportResult r = import_preset_text(
      R"({"training_method": "LORA", "gradient_accumulation_steps": 4,
          "learning_rate_scheduler": "COSINE", "learning_rate_warmup_steps": 100,
          "optimizer": {"optimizer": "SCHEDULE_FREE_ADAMW"}})",
      "x.json");
  EXPECT_EQ(r.preset.optimizer.type, OptimizerType::adamw_schedule_free);
  EXPECT_EQ(r.preset.schedule.type, ScheduleType::constant);
  EXPECT_EQ(row(r, "learning_rate_scheduler").fate, ImportFate::changed);
  EXPECT_EQ(r.preset.schedule.warmup_steps, 100);
  EXPECT_EQ(r.preset.optimizer.weight_decay, 0.01);
  const ImportResult share = import_preset_text(
      R"({"training_method": "LORA", "learning_rate_warmup_steps": 0.1,
          "optimizer": {"optimizer": "SCHEDULE_FREE_ADAMW"}})",
      "x.json");
  EXPECT_EQ(share.preset.schedule.warmup_steps, 0) << "a share is less than one update there";
}

TEST(ImportOneTrainer, SkippedLayersAreClipSkip) {
  const auto read = [](const std::string& model, const std::string& second = "") {
    return import_preset_text(R"({"training_method": "LORA", "model_type": ")" + model +
                                  R"(", "text_encoder_layer_skip": 1)" + second + "}",
                              "x.json");
  };
  const std::string both = R"(, "text_encoder_2_layer_skip": 1)";
  EXPECT_EQ(read("STABLE_DIFFUSION_15").preset.training.clip_skip, 2);
  EXPECT_EQ(read("STABLE_DIFFUSION_XL_10_BASE", both).preset.training.clip_skip, 3)
      << "SDXL leaves the last layer out by itself";
  for (const char* model : {"STABLE_DIFFUSION_XL_10_BASE", "CHROMA_1", "PIXART_SIGMA"}) {
    const ImportResult one = read(model);
    EXPECT_EQ(one.preset.training.clip_skip, Preset{}.training.clip_skip) << model;
    EXPECT_THAT(row(one, "text_encoder_layer_skip").note.text(), HasSubstr("Not offered")) << model;
  }
  const ImportResult flux = read("FLUX_DEV_1", both);
  EXPECT_EQ(row(flux, "text_encoder_layer_skip").note.text(), "Not used there.");
  EXPECT_THAT(row(flux, "text_encoder_2_layer_skip").note.text(), HasSubstr("Not offered"));
  EXPECT_EQ(row(read("Z_IMAGE"), "text_encoder_layer_skip").note.text(), "Not used there.");
  const ImportResult untold = import_preset_text(
      R"({"training_method": "LORA", "learning_rate_scheduler": "CONSTANT",
          "text_encoder_layer_skip": 1})",
      "x.json");
  EXPECT_EQ(untold.preset.training.clip_skip, 2) << "SD 1.5 is OneTrainer's default";
}

TEST(ImportOneTrainer, OlderNamesAndDefaults) {
  const ImportResult r = import_preset_text(
      R"({"training_method": "LORA", "model_type": "STABLE_DIFFUSION_15", "min_snr_gamma": 5.0,
          "weight_dtype": "FLOAT_32", "masked_training": true,
          "optimizer": "ADAMW", "optimizer_weight_decay": 0.1, "optimizer_beta2": 0.99})",
      "x.json");
  EXPECT_EQ(r.preset.training.min_snr_gamma, 5);
  EXPECT_EQ(r.preset.optimizer.weight_decay, 0.1);
  EXPECT_EQ(r.preset.optimizer.betas[1], 0.99);
  EXPECT_EQ(row(r, "optimizer_weight_decay").fate, ImportFate::mapped);
  EXPECT_EQ(r.preset.precision.compute, ComputeType::fp16) << "whatever the weights are";
  EXPECT_EQ(r.preset.data.unmasked_weight, 0.1);
}

TEST(ImportOneTrainer, OldFlatFiles) {
  const ImportResult r = read_sample("onetrainer_old.json");
  EXPECT_EQ(r.preset.precision.weights.denoiser, StorageType::fp16);
  EXPECT_EQ(r.preset.precision.weights.vae, StorageType::fp32);
  EXPECT_EQ(r.preset.precision.compute, ComputeType::fp16);
  EXPECT_EQ(r.preset.optimizer.learning_rate, 1e-4);
  EXPECT_THAT(r.preset.training.parts, ElementsAre(kDenoiser, kTe2)) << "it is silent of te2";
  EXPECT_EQ(r.preset.adapter.alpha, 1);
  EXPECT_EQ(row(r, "lora_alpha").fate, ImportFate::assumed);
  EXPECT_EQ(r.preset.schedule.warmup_steps, 200);
  EXPECT_THAT(row(r, "learning_rate").note.text(), HasSubstr("parts count instead"));
  EXPECT_EQ(r.count(ImportFate::unknown), 0u);
  expect_safe(r);
}

}  // namespace
}  // namespace mantissa
