// kohya_ss: which script its switches choose, what is passed to it, and its two keys for a warm-up.
#include "tests/engine/preset/import_samples.h"

namespace mantissa {
namespace {

using testing::HasSubstr;
using testing_support::expect_safe;
using testing_support::row;

ImportResult of_gui(const std::string& keys) {
  return import_preset_text(
      R"({"network_dim": 8, "learning_rate": 1e-4, "epoch": 1, )" + keys + "}", "x.json");
}

std::string gui_refusal(const std::string& keys) {
  try {
    of_gui(keys);
  } catch (const UnsupportedFamily& error) {
    return error.what();
  }
  return "imported";
}

TEST(ImportKohyaGui, StepsOfTheWarmUpCountBeforeItsPercentage) {
  struct {
    const char* keys;
    std::int64_t steps;
    const char* unused;  ///< the key that says so, if any
  } constexpr kCases[] = {
      {R"("lr_warmup": 10, "lr_warmup_steps": 0)", 200, "lr_warmup_steps"},
      {R"("lr_warmup_steps": 0, "lr_warmup": "10")", 200, "lr_warmup_steps"},
      {R"("lr_warmup": 10)", 200, ""},
      {R"("lr_warmup": "5", "lr_warmup_steps": 120)", 120, "lr_warmup"},
      {R"("lr_warmup": 0, "lr_warmup_steps": 120)", 120, ""},
      {R"("lr_warmup": 0, "lr_warmup_steps": 0)", 0, ""},
      {R"("lr_warmup": 3.33, "lr_warmup_steps": "")", 66, ""},
      {R"("lr_warmup": 3.33, "dataset_config": "d.toml")", 67, ""},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.keys);
    const ImportResult r = of_gui(std::string(R"("LoRA_type": "Standard", "sdxl": true,
        "lr_scheduler": "cosine", "max_train_steps": 2000, )") +
                                  c.keys);
    EXPECT_EQ(r.preset.schedule.warmup_steps, c.steps);
    for (const std::string key : {"lr_warmup", "lr_warmup_steps"}) {
      if (key == c.unused) {
        EXPECT_EQ(row(r, key).fate, ImportFate::ignored);
        EXPECT_THAT(row(r, key).note.text(), HasSubstr("counts instead"));
      }
    }
  }
  const ImportResult timescale = of_gui(R"("LoRA_type": "Standard", "lr_scheduler": "inverse_sqrt",
      "max_train_steps": 2000, "lr_warmup": 10, "lr_warmup_steps": 0)");
  EXPECT_EQ(timescale.preset.schedule.timescale, 200) << "the warm-up's length, as there";
}

TEST(ImportKohyaGui, AShareOfTheRunIsCutToWholeSteps) {
  struct {
    const char* keys;
    std::int64_t steps;
  } constexpr kCases[] = {{"lr_warmup_steps = 0.03\nmax_train_steps = 1650", 49},
                          {"lr_warmup_steps = 0.05\nmax_train_steps = 1010", 50},
                          {"lr_warmup_steps = 0.1\nmax_train_steps = 1999", 199},
                          {"lr_warmup_steps = 0.001\nmax_train_steps = 999", 0}};
  for (const auto& c : kCases) {
    for (const char* network : {"networks.lora", "networks.lora_krea2"}) {
      const ImportResult r =
          import_preset_text(std::string("network_module = \"") + network +
                                 "\"\nnetwork_dim = 8\nlr_scheduler = \"cosine\"\n" + c.keys + "\n",
                             "x.toml");
      EXPECT_EQ(r.preset.schedule.warmup_steps, c.steps) << network << " " << c.keys;
    }
  }
}

TEST(ImportKohyaGui, TheFirstSwitchThatIsOnNamesTheFamily) {
  struct {
    const char* keys;
    const char* family;
  } constexpr kCases[] = {
      {R"("LoRA_type": "Standard", "sdxl": false)", "sd15"},
      {R"("LoRA_type": "Standard", "sdxl": true, "anima_checkbox": false)", "sdxl"},
      {R"("LoRA_type": "Anima", "anima_checkbox": true, "sdxl": false)", "anima"},
      {R"("LoRA_type": "LyCORIS/LoKr", "LyCORIS_preset": "full", "sdxl": false, "v2": false,
          "flux1_checkbox": false, "sd3_checkbox": false, "anima_checkbox": true)",
       "anima"},
      {R"("LoRA_type": "Kohya LoHa", "sdxl": false, "anima_checkbox": true)", "anima"},
      {R"("LoRA_type": "Flux1", "sdxl": false, "flux1_checkbox": true)", "flux1"},
      {R"("LoRA_type": "Standard", "sdxl": false, "v2": true)", "auto"},
      {R"("LoRA_type": "Standard", "sdxl": true, "model_type": "chroma")", "sdxl"},
      {R"("LoRA_type": "Flux1", "flux1_checkbox": true, "model_type": "chroma")", "chroma"},
      {R"("LoRA_type": "LyCORIS/LoKr", "flux1_checkbox": true, "model_type": "chroma")", "chroma"},
  };
  for (const auto& c : kCases) {
    const ImportResult r = of_gui(c.keys);
    EXPECT_EQ(r.preset.model.family.name(), c.family) << c.keys;
    EXPECT_EQ(r.count(ImportFate::unknown), 0U) << c.keys;
    expect_safe(r);
  }
  const ImportResult anima = of_gui(kCases[2].keys);
  EXPECT_EQ(row(anima, "LoRA_type").fate, ImportFate::mapped);
  EXPECT_EQ(row(anima, "anima_checkbox").fate, ImportFate::mapped);
}

TEST(ImportKohyaGui, SwitchesOfOtherFamiliesAreRefusedByName) {
  for (const char* network : {"Standard", "LyCORIS/LoKr", "Kohya LoKr"}) {
    const std::string type = std::string(R"("sdxl": false, "LoRA_type": ")") + network + "\", ";
    EXPECT_THAT(gui_refusal(type + R"("hunyuan_image_checkbox": true)"),
                HasSubstr("HunyuanImage 2.1 (hunyuan_image_checkbox)"));
    EXPECT_THAT(gui_refusal(type + R"("lumina_checkbox": true)"),
                HasSubstr("Lumina Image 2.0 (lumina_checkbox)"));
    EXPECT_THAT(gui_refusal(type + R"("sd3_checkbox": true)"), HasSubstr("Stable Diffusion 3"));
  }
  EXPECT_THAT(gui_refusal(R"("LoRA_type": "Lumina")"), HasSubstr("Lumina Image 2.0"));
  EXPECT_THAT(gui_refusal(R"("LoRA_type": "HunyuanImage-2.1")"), HasSubstr("HunyuanImage 2.1"));
}

TEST(ImportKohyaGui, InpaintingModelsAreRefusedByName) {
  EXPECT_THAT(gui_refusal(R"("LoRA_type": "Standard", "sdxl": true, "train_inpainting": true)"),
              HasSubstr("SDXL Inpainting (train_inpainting)"));
  EXPECT_THAT(gui_refusal(R"("LoRA_type": "Standard", "v2": true, "train_inpainting": true)"),
              HasSubstr("Stable Diffusion 2 Inpainting"));
  EXPECT_THAT(gui_refusal(R"("network_module": "networks.lora", "train_inpainting": true)"),
              HasSubstr("Stable Diffusion Inpainting"));
  for (const char* without : {R"("LoRA_type": "Standard", "sdxl": true, "train_inpainting": false)",
                              R"("LoRA_type": "Flux1", "flux1_checkbox": true,
                                 "train_inpainting": true)"}) {
    EXPECT_EQ(row(of_gui(without), "train_inpainting").fate, ImportFate::ignored) << without;
  }
}

// The file has the keys of every script, whichever is chosen.

TEST(ImportKohyaGui, OneScriptsKeysAreNotAnothers) {
  const std::string keys = R"("sdxl": false, "timestep_sampling": "shift",
      "discrete_flow_shift": 3.1582, "weighting_scheme": "mode", "guidance_scale": 3.5,
      "anima_timestep_sampling": "shift", "anima_discrete_flow_shift": 2.5,
      "anima_sigmoid_scale": 1.0, "anima_cache_text_encoder_outputs": true, "anima_qwen3": "/q",
      "anima_vae": "/v", "anima_compile": false, "anima_split_attn": false,
      "anima_qwen_image_vae_2d": true, "hunyuan_timestep_sampling": "sigma",
      "lumina_gemma2": "/g", "sd3_clip_l": "/l", "cache_latents": true, "max_train_steps": 9, )";
  const ImportResult anima = of_gui(keys + R"("LoRA_type": "Anima", "anima_checkbox": true)");
  EXPECT_EQ(anima.preset.training.timesteps, TimestepDistribution::shifted);
  EXPECT_EQ(anima.preset.training.flow_shift, 2.5);
  EXPECT_EQ(anima.preset.data.cache, CacheMode::all);
  EXPECT_EQ(anima.count(ImportFate::unknown), 0U);
  const ImportResult flux = of_gui(keys + R"("LoRA_type": "Flux1", "flux1_checkbox": true)");
  EXPECT_EQ(flux.preset.training.timesteps, TimestepDistribution::shifted);
  EXPECT_EQ(flux.preset.training.flow_shift, 3.1582);
  EXPECT_THAT(row(flux, "weighting_scheme").note.text(), HasSubstr("for another model there"));
  EXPECT_THAT(row(flux, "anima_discrete_flow_shift").note.text(),
              HasSubstr("for another model there"));
  EXPECT_EQ(flux.count(ImportFate::unknown), 0U);
  const ImportResult plain = import_preset_text(
      R"({"sdxl": true, "pretrained_model_name_or_path": "b", "sd3_clip_l": "/l", "save_clip": false,
          "t5xxl_dtype": "bf16", "anima_timestep_sampling": "shift"})",
      "x.json");
  EXPECT_EQ(plain.count(ImportFate::unknown), 0U) << "of its other pages, without a network";
}

TEST(ImportKohyaGui, ItsOwnProductsHaveConvolutions) {
  struct {
    const char* type;
    AdapterType adapter;
  } constexpr kCases[] = {{"Kohya LoKr", AdapterType::lokr},
                          {"Kohya LoHa", AdapterType::loha},
                          {"Kohya DyLoRA", AdapterType::lora}};
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.type);
    const ImportResult r = of_gui(std::string(R"("network_alpha": 8, "sdxl": true, "conv_dim": 4,
        "conv_alpha": 2, "text_encoder_lr": 0, "unet_lr": 1e-4, "LoRA_type": ")") +
                                  c.type + "\"");
    EXPECT_EQ(r.preset.adapter.type, c.adapter);
    EXPECT_EQ(r.preset.adapter.conv_rank, 4);
    EXPECT_THAT(r.preset.adapter.targets, testing::ElementsAre("linear+conv"));
    ASSERT_FALSE(r.preset.adapter.ranks.empty()) << "another alpha than the linear layers'";
    EXPECT_EQ(r.preset.adapter.ranks[0].alpha, 2);
    EXPECT_EQ(row(r, "conv_dim").fate, ImportFate::mapped);
    EXPECT_EQ(row(r, "conv_alpha").fate, ImportFate::mapped);
  }
  const ImportResult standard = of_gui(R"("LoRA_type": "Standard", "sdxl": true, "conv_dim": 4)");
  EXPECT_EQ(standard.preset.adapter.conv_rank, 0) << "it isn't passed on";
}

TEST(ImportKohyaGui, ArgumentsOfNetworksAreKnownByBothNames) {
  for (const std::string key : {"unit", "train_on_input"}) {
    const ImportResult r = import_preset_text(
        "network_module = \"networks.dylora\"\n"
        "network_dim = 16\nnetwork_args = [\"" +
            key + "=4\"]\n",
        "x.toml");
    EXPECT_EQ(row(r, "network_args." + key).note.text(),
              row(of_gui("\"LoRA_type\": \"Kohya DyLoRA\", \"" + key + "\": 4"), key).note.text());
    EXPECT_EQ(r.count(ImportFate::unknown), 0U);
  }
}

TEST(ImportKohyaGui, TheShiftOfKrea2IsItsOwn) {
  const auto krea = [](const std::string& sampling, const std::string& network) {
    const ImportResult r = import_preset_text(
        "network_module = \"networks." + network +
            "\"\ndit = \"d\"\nnetwork_dim = 8\ntimestep_sampling = \"" + sampling + "\"\n",
        "x.toml");
    EXPECT_EQ(r.preset.training.timesteps, TimestepDistribution::shifted);
    EXPECT_FALSE(r.preset.training.flow_shift.has_value()) << "the base model's";
    return row(r, "timestep_sampling").fate;
  };
  EXPECT_EQ(krea("krea2_shift", "lora_krea2"), ImportFate::mapped);
  EXPECT_EQ(krea("krea2_shift", "lora_zimage"), ImportFate::changed);
  EXPECT_EQ(krea("flux2_shift", "lora_krea2"), ImportFate::changed);
}

TEST(ImportKohyaGui, MoreOptionsCountLast) {
  const ImportResult r = import_preset_text(
      R"({"LoRA_type": "Standard", "additional_parameters": "--lr_scheduler cosine_with_restarts )"
      R"(--network_train_unet_only --optimizer_args \"betas=.9,.95\" weight_decay=0.5 )"
      R"(--min-snr-gamma=4 --network_dim 32", "lr_scheduler": "cosine", "network_dim": 8, )"
      R"("text_encoder_lr": 1e-5, "epoch": 3, "optimizer": "AdamW", "learning_rate": 1e-4})",
      "x.json");
  EXPECT_EQ(r.preset.schedule.type, ScheduleType::cosine_restarts);
  EXPECT_EQ(r.preset.schedule.cycles, 3);
  EXPECT_THAT(row(r, "lr_scheduler_num_cycles").note.text(), HasSubstr("passes its epochs"));
  EXPECT_EQ(r.preset.training.parts, (std::vector<Part>{kDenoiser}));
  EXPECT_EQ(r.preset.optimizer.betas, (std::array{0.9, 0.95}));
  EXPECT_EQ(r.preset.optimizer.weight_decay, 0.5);
  EXPECT_EQ(r.preset.training.min_snr_gamma, 4);
  EXPECT_EQ(r.preset.adapter.rank, 32);
  EXPECT_EQ(row(r, "network_dim").fate, ImportFate::ignored) << "given again behind it";
  EXPECT_EQ(row(r, "additional_parameters.network_dim").fate, ImportFate::mapped);
}

// Its page for fine-tuning: presets of it have no base model.

ImportResult of_finetuning_page(const std::string& keys) {
  return import_preset_text(
      R"({"full_path": true, "use_latent_files": "No", "create_buckets": false,
          "image_folder": "/i", "learning_rate": 1e-5, "optimizer": "AdamW", "seed": "0",
          "lr_scheduler": "constant", )" +
          keys + "}",
      "ft.json");
}

TEST(ImportKohyaGui, ThePageForFineTuningTrainsTheModelItself) {
  const ImportResult sdxl = of_finetuning_page(
      R"("sdxl_checkbox": true, "epoch": 4, "train_text_encoder": false,
         "learning_rate_te1": 1e-6, "learning_rate_te2": 0)");
  EXPECT_EQ(sdxl.preset.training.method, TrainingMethod::full);
  EXPECT_EQ(sdxl.preset.model.family, ModelFamily("sdxl"));
  EXPECT_EQ(sdxl.preset.training.parts, (std::vector<Part>{kDenoiser}));
  EXPECT_EQ(sdxl.preset.training.epochs, 4);
  EXPECT_EQ(row(sdxl, "epoch").fate, ImportFate::mapped);
  EXPECT_EQ(row(sdxl, "sdxl_checkbox").fate, ImportFate::mapped);
  EXPECT_EQ(row(sdxl, "train_text_encoder").fate, ImportFate::mapped);
  EXPECT_EQ(row(sdxl, "learning_rate_te1").note.text(), "This part is not trained there.");
  EXPECT_THAT(row(sdxl, "seed").note.text(), HasSubstr("random seed"));
  EXPECT_EQ(sdxl.count(ImportFate::unknown), 0U);
  expect_safe(sdxl);

  const ImportResult both = of_finetuning_page(
      R"("sdxl_checkbox": true, "train_text_encoder": true, "max_train_steps": 900, "epoch": 4)");
  EXPECT_EQ(both.preset.training.parts, (std::vector<Part>{kDenoiser, kTe1, kTe2}));
  EXPECT_EQ(both.preset.training.steps, 900);
  EXPECT_EQ(row(both, "epoch").fate, ImportFate::ignored);
  const ImportResult sd15 =
      of_finetuning_page(R"("sdxl_checkbox": false, "train_text_encoder": true)");
  EXPECT_EQ(sd15.preset.model.family, ModelFamily("sd15"));
  EXPECT_EQ(sd15.preset.training.parts, (std::vector<Part>{kDenoiser, kTe1}));
  EXPECT_EQ(row(sd15, "max_train_steps").fate, ImportFate::assumed);
  const ImportResult earlier = of_finetuning_page(R"("train_text_encoder": true, "epoch": "2")");
  EXPECT_EQ(earlier.preset.training.method, TrainingMethod::full);
  EXPECT_EQ(earlier.preset.training.parts, (std::vector<Part>{kDenoiser, kTe1}))
      << "from before SDXL";
  EXPECT_EQ(earlier.preset.training.epochs, 2);
}

TEST(ImportKohyaGui, PagesSaveRatesOfTextEncodersThatOnlyOtherModelsHave) {
  const auto dreambooth = [](const std::string& keys) {
    return import_preset_text(
        R"({"pretrained_model_name_or_path": "b", "learning_rate": 1e-5, "max_train_steps": 9,
            "stop_text_encoder_training": 0, )" +
            keys + "}",
        "db.json");
  };
  const ImportResult frozen = dreambooth(
      R"("sdxl": false, "learning_rate_te": 0, "learning_rate_te1": 1e-5, "learning_rate_te2": 0)");
  EXPECT_EQ(frozen.preset.training.parts, std::vector<Part>{kDenoiser});
  EXPECT_EQ(row(frozen, "learning_rate_te1").note.text(), "Counts for another model there.");
  const ImportResult sd15 =
      dreambooth(R"("sdxl": false, "learning_rate_te": 5e-6, "learning_rate_te1": 1e-5)");
  EXPECT_EQ(sd15.preset.training.parts, (std::vector<Part>{kDenoiser, kTe1}));
  ASSERT_EQ(sd15.preset.optimizer.groups.size(), 1U);
  EXPECT_EQ(sd15.preset.optimizer.groups[0].learning_rate, 5e-6);
  const ImportResult sdxl = dreambooth(
      R"("sdxl": true, "learning_rate_te": 5e-6, "learning_rate_te1": 2e-6,
         "learning_rate_te2": 0)");
  EXPECT_EQ(sdxl.preset.training.parts, (std::vector<Part>{kDenoiser, kTe1}));
  EXPECT_EQ(sdxl.preset.optimizer.groups.at(0).learning_rate, 2e-6);
  EXPECT_EQ(row(sdxl, "learning_rate_te").fate, ImportFate::ignored);
  const ImportResult tuned = of_finetuning_page(
      R"("sdxl_checkbox": false, "train_text_encoder": true, "learning_rate_te": 5e-6,
         "learning_rate_te1": 1e-6)");
  EXPECT_EQ(tuned.preset.optimizer.groups.at(0).learning_rate, 5e-6);
}

TEST(ImportKohyaGui, OtherPagesCountEpochsToo) {
  const ImportResult dreambooth = import_preset_text(
      R"({"sdxl": true, "no_token_padding": false, "learning_rate": 1e-5, "epoch": 8,
          "max_train_steps": 0, "learning_rate_te1": 1e-6, "learning_rate_te2": 0})",
      "db.json");
  EXPECT_EQ(dreambooth.preset.training.method, TrainingMethod::full);
  EXPECT_EQ(dreambooth.preset.training.epochs, 8);
  EXPECT_EQ(dreambooth.preset.training.parts, (std::vector<Part>{kDenoiser, kTe1}));
  const ImportResult word = import_preset_text(
      R"({"pretrained_model_name_or_path": "b", "sdxl": false, "token_string": "zorb",
          "epoch": 3})",
      "ti.json");
  EXPECT_EQ(word.preset.training.epochs, 3);
  const ImportResult script = import_preset_text(
      "pretrained_model_name_or_path = \"b\"\nin_json = \"m.json\"\nlearning_rate = 1e-5\n"
      "learning_rate_te1 = 1e-6\nmax_train_steps = 9\n",
      "ft.toml");
  EXPECT_EQ(script.preset.training.parts, (std::vector<Part>{kDenoiser}))
      << "train_text_encoder asks for them there";
}

}  // namespace
}  // namespace mantissa
