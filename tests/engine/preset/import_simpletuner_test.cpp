#include "engine/preset/import_simpletuner.h"

#include "tests/engine/preset/import_samples.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::expect_reported;
using testing_support::expect_safe;
using testing_support::read_sample;
using testing_support::row;

TEST(ImportSimpleTuner, ZImage) {
  const ImportResult r = read_sample("simpletuner_zimage.json");
  EXPECT_EQ(r.format, ImportFormat::simpletuner);
  const Preset& p = r.preset;
  EXPECT_EQ(p.model.family, ModelFamily("z_image"));
  EXPECT_EQ(p.training.method, TrainingMethod::adapter);
  EXPECT_EQ(p.adapter.rank, 64);
  EXPECT_EQ(p.adapter.alpha, 32);
  EXPECT_EQ(p.adapter.dropout, 0.1) << "SimpleTuner's default, not ours";
  EXPECT_EQ(row(r, "lora_dropout").fate, ImportFate::assumed);
  EXPECT_THAT(p.adapter.targets, ElementsAre("attention"));
  EXPECT_EQ(p.precision.compute, ComputeType::bf16);
  EXPECT_EQ(p.precision.weights.denoiser, StorageType::int8);
  EXPECT_EQ(row(r, "base_model_precision").fate, ImportFate::changed);
  EXPECT_EQ(p.precision.weights.vae, StorageType::bf16);
  EXPECT_EQ(p.data.resolution, 1024);
  EXPECT_EQ(p.data.batch_size, 2);
  EXPECT_EQ(p.data.caption_dropout, 0.05);
  EXPECT_EQ(p.training.steps, 3000);
  EXPECT_EQ(p.training.max_grad_norm, 0.01);
  EXPECT_EQ(row(r, "max_grad_norm").fate, ImportFate::changed) << "of each value there";
  EXPECT_EQ(p.training.ema, 0.99);
  EXPECT_EQ(p.training.timesteps, TimestepDistribution::shifted);
  EXPECT_EQ(p.training.flow_shift, 2.5);
  EXPECT_EQ(p.optimizer.type, OptimizerType::lion);
  EXPECT_EQ(p.optimizer.learning_rate, 2e-4) << "with the dashes of a command line";
  EXPECT_EQ(p.optimizer.weight_decay, 0);
  EXPECT_EQ(p.optimizer.betas[1], 0.99);
  EXPECT_EQ(p.schedule.warmup_steps, 100);
  EXPECT_EQ(p.output.save_every, 150);
  EXPECT_EQ(p.output.keep, 3);
  EXPECT_EQ(p.samples.every, 75);
  ASSERT_EQ(p.samples.prompts.size(), 1u);
  EXPECT_EQ(p.samples.prompts[0].prompt, "mira holding a sign");
  EXPECT_EQ(p.samples.prompts[0].negative, "blurry");
  EXPECT_EQ(p.samples.prompts[0].width, 1024);
  EXPECT_EQ(p.samples.prompts[0].height, 768);
  EXPECT_EQ(p.samples.prompts[0].seed, 11);
  EXPECT_EQ(p.samples.prompts[0].steps, 30);
  EXPECT_EQ(row(r, "validation_guidance").fate, ImportFate::mapped);
  EXPECT_THAT(row(r, "post_checkpoint_script").note.text(), HasSubstr("never taken"));
  EXPECT_THAT(row(r, "data_backend_config").note.text(), HasSubstr("a file of its own"));
  EXPECT_EQ(row(r, "a_key_of_tomorrow").fate, ImportFate::unknown);
  EXPECT_EQ(r.count(ImportFate::unknown), 1u);
  expect_reported(r);
  expect_safe(r);
}

TEST(ImportSimpleTuner, ListOfBackendsGivesDataSettings) {
  const ImportResult r = read_sample("simpletuner_backends.json");
  EXPECT_EQ(r.format, ImportFormat::simpletuner);
  EXPECT_EQ(r.preset.data.resolution, 1024) << "a megapixel";
  ASSERT_EQ(r.preset.data.folders.size(), 1u) << "the other one has no repeats";
  EXPECT_EQ(r.preset.data.folders[0].folder, "images");
  EXPECT_EQ(r.preset.data.folders[0].repeats, 10) << "nine more times";
  EXPECT_TRUE(r.preset.data.shuffle_captions);
  EXPECT_EQ(r.preset.data.keep_tokens, 2);
  EXPECT_EQ(r.preset.adapter.rank, Preset{}.adapter.rank);
  EXPECT_EQ(r.count(ImportFate::assumed), 0u);
  EXPECT_EQ(row(r, "[0].instance_data_dir").fate, ImportFate::ignored);
  EXPECT_EQ(row(r, "[0].repeats").line, 14);
  EXPECT_THAT(row(r, "[1].resolution").note.text(), HasSubstr("[0]"));
  EXPECT_THAT(row(r, "[2].cache_dir").note.text(), HasSubstr("no settings here"));
  EXPECT_EQ(r.count(ImportFate::unknown), 0u);
  expect_reported(r);
  expect_safe(r);
}

TEST(ImportSimpleTuner, AdamKeysAreOfDeepSpeed) {
  const auto read = [](const std::string& keys) {
    return import_preset_text(R"({"model_family": "sdxl", "model_type": "lora",
                                  "optimizer": "adamw_bf16", "adam_weight_decay": 0.2,
                                  "adam_beta1": 0.5, "adam_beta2": 0.9, "adam_epsilon": 1e-3)" +
                                  keys + "}",
                              "x.json");
  };
  const ImportResult plain = read("");
  EXPECT_EQ(plain.preset.optimizer.weight_decay, 0.01) << "the optimizer's own";
  EXPECT_EQ(plain.preset.optimizer.betas, (std::array{0.9, 0.999}));
  EXPECT_EQ(plain.preset.optimizer.eps, 1e-6);
  for (const char* key : {"adam_weight_decay", "adam_beta1", "adam_beta2", "adam_epsilon"}) {
    EXPECT_EQ(row(plain, key).fate, ImportFate::ignored) << key;
    EXPECT_THAT(row(plain, key).note.text(), HasSubstr("DeepSpeed")) << key;
  }
  const ImportResult config = read(R"(, "optimizer_config": "weight_decay=0.05")");
  EXPECT_EQ(config.preset.optimizer.weight_decay, 0.05);
  EXPECT_EQ(row(config, "adam_weight_decay").fate, ImportFate::ignored);
  const ImportResult deepspeed = read(R"(, "deepspeed_config": "zero.json")");
  EXPECT_EQ(deepspeed.preset.optimizer.weight_decay, 0.2);
  EXPECT_EQ(deepspeed.preset.optimizer.betas, (std::array{0.5, 0.9}));
  EXPECT_EQ(deepspeed.preset.optimizer.eps, 1e-3);
  EXPECT_EQ(row(deepspeed, "adam_weight_decay").fate, ImportFate::mapped);
}

TEST(ImportSimpleTuner, SamplesHaveEverySize) {
  const auto read = [](const std::string& sizes) {
    return import_preset_text(R"({"model_family": "sdxl", "model_type": "lora",
                                  "validation_prompt": "a cat", "validation_resolution": )" +
                                  sizes + "}",
                              "x.json");
  };
  const ImportResult both = read(R"("1024x768, 512")");
  const auto& prompts = both.preset.samples.prompts;
  ASSERT_EQ(prompts.size(), 2u);
  EXPECT_EQ(prompts[0].width, 1024);
  EXPECT_EQ(prompts[0].height, 768);
  EXPECT_EQ(prompts[1].prompt, "a cat");
  EXPECT_EQ(prompts[1].width, 512);
  EXPECT_EQ(prompts[1].height, 512);
  EXPECT_EQ(row(both, "validation_resolution").fate, ImportFate::mapped);
  EXPECT_EQ(read("768").preset.samples.prompts[0].height, 768);
  const ImportResult bad = read(R"("1024x768,large")");
  EXPECT_EQ(bad.preset.samples.prompts.size(), 1u);
  EXPECT_EQ(row(bad, "validation_resolution").fate, ImportFate::changed);
}

TEST(ImportSimpleTuner, DropsCaptionsAndOffsetsNoiseByDefault) {
  const auto read = [](const std::string& more) {
    return import_preset_text(R"({"model_family": "sdxl", "model_type": "lora")" + more + "}",
                              "x.json");
  };
  const ImportResult silent = read("");
  EXPECT_EQ(silent.preset.data.caption_dropout, 0.1);
  EXPECT_EQ(row(silent, "caption_dropout_probability").fate, ImportFate::assumed);
  EXPECT_EQ(silent.preset.training.noise_offset, 0);
  EXPECT_EQ(read(R"(, "caption_dropout_probability": 0)").preset.data.caption_dropout, 0);
  EXPECT_EQ(read(R"(, "offset_noise": true)").preset.training.noise_offset, 0.1);
  for (const char* offset : {"", R"(, "noise_offset": 0.05)"}) {
    const ImportResult flow = import_preset_text(
        std::string(R"({"model_family": "flux", "model_type": "lora", "offset_noise": true)") +
            offset + "}",
        "x.json");
    EXPECT_EQ(flow.preset.training.noise_offset, 0) << "flows have none there" << offset;
  }
  const auto decay = [&](const std::string& optimizer) {
    return read(R"(, "optimizer": ")" + optimizer + "\"").preset.optimizer.weight_decay;
  };
  EXPECT_EQ(decay("adamw_schedulefree"), 0.01);
  EXPECT_EQ(decay("adamw_schedulefree+no_kahan"), 0.001);
}

TEST(ImportSimpleTuner, DefaultsAndTimesteps) {
  const ImportResult r =
      import_preset_text(R"({"model_family": "flux2", "lora_rank": 8})", "x.json");
  EXPECT_EQ(r.preset.training.method, TrainingMethod::full);
  EXPECT_EQ(r.preset.adapter.alpha, 8) << "the rank";
  EXPECT_EQ(r.preset.data.batch_size, 4);
  EXPECT_EQ(r.preset.optimizer.learning_rate, 4e-7);
  EXPECT_EQ(r.preset.precision.compute, ComputeType::bf16);
  EXPECT_EQ(r.preset.precision.weights.denoiser, StorageType::bf16);
  EXPECT_EQ(r.preset.training.timesteps, TimestepDistribution::shifted);
  EXPECT_EQ(r.preset.training.flow_shift, 3);
  const auto flow = [](const std::string& keys) {
    return import_preset_text(R"({"model_family": "flux2", )" + keys + "}", "x").preset.training;
  };
  EXPECT_EQ(flow(R"("flow_schedule_shift": 0)").flow_shift, 1);
  EXPECT_EQ(flow(R"("flow_schedule_shift": 0, "flow_schedule_auto_shift": true)").flow_shift,
            std::nullopt);
  EXPECT_EQ(flow(R"("flow_use_uniform_schedule": true)").timesteps, TimestepDistribution::uniform);
  EXPECT_EQ(flow(R"("flow_use_uniform_schedule": true)").flow_shift, 3);
  const ImportResult sdxl = import_preset_text(
      R"({"model_family": "sdxl", "flow_schedule_shift": 3, "model_type": "lora",
          "train_text_encoder": true, "text_encoder_lr": 1e-6, "learning_rate": 1e-4})",
      "x");
  EXPECT_EQ(sdxl.preset.training.flow_shift, std::nullopt);
  EXPECT_THAT(sdxl.preset.training.parts, ElementsAre(kDenoiser, kTe1, kTe2));
  EXPECT_EQ(sdxl.preset.optimizer.groups.size(), 2u);
}

ImportResult lora_of(const std::string& family, const std::string& more = "") {
  return import_preset_text(R"({"model_type": "lora", "learning_rate": 1e-4, "model_family": ")" +
                                family + '"' + more + "}",
                            "config.json");
}

TEST(ImportSimpleTuner, ChromasNoiseLevelsAreMovedOnceMore) {
  for (const char* keys : {"", R"(, "flow_sigmoid_scale": 1)"}) {
    const ImportResult r = lora_of("chroma", keys);
    EXPECT_EQ(r.preset.training.timesteps, TimestepDistribution::shifted);
    EXPECT_EQ(row(r, "flow_sigmoid_scale").fate, ImportFate::changed) << keys;
    EXPECT_THAT(row(r, "flow_sigmoid_scale").note.text(), HasSubstr("towards 0 and 1 there"));
  }
  const ImportResult uniform = lora_of("chroma", R"(, "flow_use_uniform_schedule": true)");
  EXPECT_EQ(uniform.preset.training.timesteps, TimestepDistribution::uniform);
  EXPECT_EQ(row(uniform, "flow_use_uniform_schedule").fate, ImportFate::mapped);
  EXPECT_EQ(row(lora_of("flux2"), "flow_sigmoid_scale").fate, ImportFate::assumed);
}

TEST(ImportSimpleTuner, TurboModelsHaveATrainingAdapter) {
  const std::string base = R"(, "pretrained_model_name_or_path": "b")";
  for (const char* flavour : {"turbo", "turbo-ostris-v2"}) {
    const ImportResult r = lora_of("z_image", base + R"(, "model_flavour": ")" + flavour + '"');
    EXPECT_EQ(row(r, "model_flavour").fate, ImportFate::changed) << flavour;
    EXPECT_THAT(row(r, "model_flavour").note.text(), HasSubstr("--training-adapter"));
  }
  const ImportResult usual = lora_of("z_image");
  EXPECT_THAT(row(usual, "model_flavour").note.text(), HasSubstr("for turbo-ostris-v2 there"));
  for (const std::string& keys :
       {R"(, "model_flavour": "base")" + base,
        R"(, "model_flavour": "turbo", "disable_assistant_lora": true)" + base}) {
    EXPECT_EQ(row(lora_of("z_image", keys), "model_flavour").fate, ImportFate::ignored) << keys;
  }
  const std::string ernie = R"(, "model_flavour": "turbo")";
  EXPECT_EQ(row(lora_of("ernie", ernie), "model_flavour").fate, ImportFate::ignored)
      << "it has none by itself";
  EXPECT_THAT(
      row(lora_of("ernie", ernie + R"(, "assistant_lora_path": "a")"), "model_flavour").note.text(),
      HasSubstr("for turbo there"));
  const std::string path = R"(, "assistant_lora_path": "a")";
  for (const std::string& keys : {path, path + base + R"(, "model_flavour": "v2.0")"}) {
    EXPECT_THAT(row(lora_of("qwen_image", keys), "model_flavour").note.text(),
                HasSubstr("for v2.0 there"))
        << keys;
  }
  EXPECT_EQ(row(lora_of("qwen_image", base + R"(, "model_flavour": "v2.0")"), "model_flavour").fate,
            ImportFate::ignored);
}

TEST(ImportSimpleTuner, FamiliesOverruleKeys) {
  const ImportResult sd2 = lora_of("sd2x", R"(, "train_text_encoder": true)");
  EXPECT_TRUE(sd2.preset.training.zero_terminal_snr);
  EXPECT_EQ(row(sd2, "rescale_betas_zero_snr").fate, ImportFate::assumed);
  EXPECT_THAT(sd2.preset.training.parts, ElementsAre(kDenoiser, kTe1));
  const ImportResult off = lora_of("sd2x", R"(, "rescale_betas_zero_snr": false)");
  EXPECT_TRUE(off.preset.training.zero_terminal_snr);
  EXPECT_EQ(row(off, "rescale_betas_zero_snr").fate, ImportFate::changed);
  EXPECT_FALSE(lora_of("sd1x").preset.training.zero_terminal_snr);

  EXPECT_EQ(lora_of("pixart_sigma").preset.training.max_grad_norm, 0.01);
  const ImportResult limited =
      lora_of("pixart_sigma", R"(, "max_grad_norm": 1, "grad_clip_method": "norm")");
  EXPECT_EQ(limited.preset.training.max_grad_norm, 0.01);
  EXPECT_THAT(row(limited, "max_grad_norm").note.text(), HasSubstr("At most 0.01 there"));
  const ImportResult known = lora_of(
      "pixart_sigma",
      R"(, "max_grad_norm": 1, "grad_clip_method": "norm", "i_know_what_i_am_doing": true)");
  EXPECT_EQ(known.preset.training.max_grad_norm, 1);
}

TEST(ImportSimpleTuner, FourBitWeightsAreOffered) {
  const ImportResult r = lora_of("flux2", R"(, "base_model_precision": "nf4-bnb")");
  EXPECT_EQ(r.preset.precision.weights.denoiser, StorageType::nf4);
  EXPECT_EQ(row(r, "base_model_precision").fate, ImportFate::mapped);
}

TEST(ImportSimpleTuner, OtherSchedulesAreAChange) {
  for (const char* key : {"flux_fast_schedule", "flow_custom_timesteps", "timestep_bias_strategy",
                          "mixflow_enabled", "flow_cubic_schedule_weights"}) {
    const ImportResult r = lora_of("flux2", std::string(", \"") + key + "\": \"1,2\"");
    EXPECT_EQ(row(r, key).fate, ImportFate::changed) << key;
  }
  EXPECT_EQ(row(lora_of("sdxl", R"(, "flux_fast_schedule": true)"), "flux_fast_schedule").fate,
            ImportFate::ignored);
}

TEST(ImportSimpleTuner, AFileOfItsLaunchAloneSaysSo) {
  for (const char* text : {"export TRAINING_NUM_PROCESSES=1\n",
                           "#export TRAINING_DYNAMO_BACKEND=inductor\n"
                           "export TRAINING_NUM_PROCESSES=1\nexport CONFIG_TYPE=json\n"
                           "export SIMPLETUNER_LOG_LEVEL=DEBUG\n"}) {
    EXPECT_THAT(test::message_of([&] { import_preset_text(text, "config.env"); }),
                HasSubstr("import the config.json beside it"));
  }
}

}  // namespace
}  // namespace mantissa
