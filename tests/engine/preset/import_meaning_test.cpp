// What a configuration leaves out, or gives in another way than here, keeps its meaning or is told.
#include "tests/engine/preset/import_short.h"

namespace mantissa {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::ai_toolkit_with;
using testing_support::expect_reported;
using testing_support::kohya_with;
using testing_support::lycoris_with;
using testing_support::onetrainer_with;
using testing_support::row;
using testing_support::train_row;

TEST(ImportMeaning, AlphaKeepsItsQuotientToTheRank) {
  const ImportResult large = kohya_with("network_dim = 2048\nnetwork_alpha = 2048\n");
  EXPECT_EQ(large.preset.adapter.rank, 1024);
  EXPECT_EQ(large.preset.adapter.alpha, 1024);
  EXPECT_EQ(row(large, "network_alpha").fate, ImportFate::changed);
  const ImportResult zero = kohya_with("network_dim = 8\nnetwork_alpha = 0\n");
  EXPECT_EQ(zero.preset.adapter.alpha, 8) << "as sd-scripts reads it";
  EXPECT_THAT(row(zero, "network_alpha").note.text(), HasSubstr("stands for the rank"));
  EXPECT_EQ(onetrainer_with(R"("lora_rank": 2048, "lora_alpha": 512)").preset.adapter.alpha, 256);
  EXPECT_EQ(import_preset_text(R"({"algo": "lora", "linear_dim": 8, "linear_alpha": 0})", "x.json")
                .preset.adapter.alpha,
            8);
  const ImportResult conv = kohya_with(
      "network_dim = 8\nnetwork_alpha = 8\nnetwork_args = [\"conv_dim=4\", \"conv_alpha=0\"]\n");
  ASSERT_FALSE(conv.preset.adapter.ranks.empty());
  EXPECT_EQ(conv.preset.adapter.ranks[0].alpha, 4);
}

TEST(ImportMeaning, NumbersBeyondARangeAreTheNearest) {
  const ImportResult r = import_preset_text(
      "network_module = \"networks.lora\"\nnetwork_dim = 8\nlearning_rate = 15\nresolution = "
      "8192\n",
      "x.toml");
  EXPECT_EQ(r.preset.optimizer.learning_rate, 10);
  EXPECT_THAT(row(r, "learning_rate").note.text(), HasSubstr("15; the nearest is 10"));
  EXPECT_EQ(r.preset.data.resolution, 4096);
  EXPECT_EQ(row(r, "resolution").fate, ImportFate::changed);
}

TEST(ImportMeaning, LycorisWithoutAPresetAdaptsAll) {
  const ImportResult r = lycoris_with("\"algo=loha\"");
  EXPECT_THAT(r.preset.adapter.targets, ElementsAre("linear+conv"));
  EXPECT_EQ(r.preset.adapter.conv_rank, 0) << "that of the other layers";
  EXPECT_EQ(row(r, "network_args.preset").fate, ImportFate::assumed);
  EXPECT_THAT(lycoris_with("\"preset=unet-only\"").preset.training.parts, ElementsAre(kDenoiser));
  const ImportResult blocks = lycoris_with("\"preset=unet-convblock-only\"");
  EXPECT_THAT(
      blocks.preset.adapter.targets,
      ElementsAre("denoiser.*.resnets.*", "denoiser.*.downsamplers.*", "denoiser.*.upsamplers.*"));
  EXPECT_THAT(blocks.preset.training.parts, ElementsAre(kDenoiser));
  EXPECT_THAT(lycoris_with("\"preset=unet-transformer-only\"").preset.adapter.targets,
              ElementsAre("attention+mlp"));
  for (const char* args : {"\"preset=full-lin\"", "\"conv_dim=0\""}) {
    const ImportResult linear = lycoris_with(args);
    EXPECT_THAT(linear.preset.adapter.targets, ElementsAre("linear+conv")) << args;
    ASSERT_EQ(linear.preset.adapter.ranks.size(), 4u) << args;
    EXPECT_EQ(linear.preset.adapter.ranks[0].rank, 0) << args;
  }
  EXPECT_THAT(lycoris_with("\"preset=attn-mlp\", \"conv_dim=4\"").preset.adapter.targets,
              ElementsAre("attention+mlp"));
}

TEST(ImportMeaning, ArgumentsThatAreNoListAreTold) {
  for (const char* value : {"true", "0.5"}) {
    const ImportResult r = kohya_with(std::string("network_args = ") + value + "\n");
    EXPECT_THAT(row(r, "network_args").note.text(), HasSubstr("Not offered here")) << value;
  }
  const ImportResult twice =
      kohya_with("network_dim = 8\nnetwork_args = [\"conv_dim=4\", \"conv_dim=16\"]\n");
  EXPECT_EQ(twice.preset.adapter.conv_rank, 16);
  EXPECT_EQ(row(twice, "network_args.conv_dim").note.text(), "Given again: the last one counts.");
}

TEST(ImportMeaning, ArgumentsOfLycorisAreItsAlone) {
  const ImportResult r = kohya_with(
      "network_dim = 64\nnetwork_alpha = 64\nnetwork_args = [\"algo=lokr\", "
      "\"preset=attn-only\", \"dora_wd=True\", \"rs_lora=True\", \"use_scalar=True\"]\n");
  EXPECT_EQ(r.preset.adapter.type, AdapterType::lora);
  EXPECT_FALSE(r.preset.adapter.decompose);
  EXPECT_EQ(r.preset.adapter.scaling, AdapterScaling::standard);
  EXPECT_THAT(r.preset.adapter.targets, ElementsAre("attention+mlp"));
  for (const char* key : {"algo", "preset", "dora_wd", "rs_lora", "use_scalar"}) {
    EXPECT_THAT(row(r, std::string("network_args.") + key).note.text(),
                HasSubstr("only for LyCORIS"))
        << key;
  }
}

TEST(ImportMeaning, AWholeMatrixOfLokr) {
  const ImportResult r =
      lycoris_with("\"algo=lokr\", \"full_matrix=True\", \"rs_lora=True\", \"dropout=0.3\"");
  EXPECT_EQ(r.preset.adapter.rank, 1024);
  EXPECT_EQ(r.preset.adapter.alpha, 1024);
  EXPECT_EQ(row(r, "network_args.full_matrix").fate, ImportFate::changed);
  EXPECT_EQ(row(r, "network_args.rs_lora").fate, ImportFate::changed);
  EXPECT_EQ(row(r, "network_dim").note.text(), "full_matrix counts instead.");
  const ImportResult by_rank = import_preset_text(
      "network_module = \"lycoris.kohya\"\nnetwork_dim = 100000\n"
      "network_args = [\"algo=lokr\", \"rs_lora=True\"]\n",
      "x.toml");
  EXPECT_EQ(row(by_rank, "network_args.rs_lora").fate, ImportFate::changed);
  EXPECT_EQ(by_rank.preset.adapter.scaling, AdapterScaling::standard);
  EXPECT_EQ(r.preset.adapter.dropout, 0) << "LyCORIS has none for LoKr";
  EXPECT_EQ(lycoris_with("\"algo=loha\", \"full_matrix=True\"").preset.adapter.rank, 16);
  EXPECT_EQ(import_preset_text(
                R"({"algo": "lokr", "linear_dim": 8, "linear_alpha": 1, "full_matrix": true})", "x")
                .preset.adapter.rank,
            1024);
}

TEST(ImportMeaning, OnlyTheNamedKindOfNoiseCounts) {
  const ImportResult other =
      kohya_with("network_dim = 8\nnoise_offset_type = \"Multires\"\nnoise_offset = 0.1\n");
  EXPECT_EQ(other.preset.training.noise_offset, 0);
  EXPECT_THAT(row(other, "noise_offset").note.text(), HasSubstr("another kind of noise"));
  const ImportResult own = kohya_with(
      "network_dim = 8\nnoise_offset_type = \"Original\"\n"
      "noise_offset = 0.1\nmultires_noise_iterations = 6\n");
  EXPECT_EQ(own.preset.training.noise_offset, 0.1);
  EXPECT_THAT(row(own, "multires_noise_iterations").note.text(), HasSubstr("another kind"));
}

TEST(ImportMeaning, StepsThatCountBatches) {
  const ImportResult r = ai_toolkit_with("steps: 1000, gradient_accumulation_steps: 4");
  EXPECT_EQ(r.preset.training.gradient_accumulation, 4);
  EXPECT_EQ(r.preset.training.steps, 250);
  EXPECT_EQ(r.preset.output.save_every, 250) << "a default of 1000 batches";
  EXPECT_EQ(train_row(r, "steps").fate, ImportFate::changed);
  EXPECT_EQ(ai_toolkit_with("steps: 1000, gradient_accumulation: 4").preset.training.steps, 1000);
}

TEST(ImportMeaning, WeightsBySignalToNoise) {
  const ImportResult r = ai_toolkit_with("snr_gamma: 2, min_snr_gamma: 5");
  EXPECT_EQ(r.preset.training.min_snr_gamma, 0);
  EXPECT_EQ(train_row(r, "snr_gamma").fate, ImportFate::changed);
  EXPECT_EQ(train_row(r, "min_snr_gamma").note.text(), "snr_gamma counts instead.");
  EXPECT_EQ(ai_toolkit_with("min_snr_gamma: 5").preset.training.min_snr_gamma, 5);
}

TEST(ImportMeaning, OtherLossesSayWhatTheyBecome) {
  const ImportResult toolkit = ai_toolkit_with("loss_type: mae");
  EXPECT_EQ(train_row(toolkit, "loss_type").note.text(),
            "Not offered here: mae as the loss; the squared error instead.");
  EXPECT_EQ(train_row(ai_toolkit_with("loss_type: mse"), "loss_type").fate, ImportFate::mapped);
  const ImportResult trainer =
      onetrainer_with(R"("mse_strength": 0.0, "mae_strength": 1.0, "huber_strength": 0.0)");
  EXPECT_EQ(row(trainer, "mae_strength").fate, ImportFate::changed);
  EXPECT_EQ(row(trainer, "mae_strength").note.text(),
            "Not offered here: the absolute error as the loss; the squared error instead.");
  EXPECT_EQ(row(trainer, "huber_strength").note.text(), "Not used there.");
  const ImportResult tuner = import_preset_text(
      R"({"--model_family": "sdxl", "--lora_rank": 8, "--loss_type": "mae"})", "x.json");
  EXPECT_THAT(row(tuner, "--loss_type").note.text(), HasSubstr("the squared error instead"));
}

TEST(ImportMeaning, ValuesThatCannotBeTakenBecomeTheDefaultThere) {
  const ImportResult trainer = onetrainer_with(
      R"("lora_rank": "many", "resolution": "large", "learning_rate_warmup_steps": [1, 2],
         "epochs": "few", "gradient_checkpointing": "maybe")");
  EXPECT_EQ(trainer.preset.adapter.rank, 16);
  EXPECT_EQ(trainer.preset.data.resolution, 512);
  EXPECT_EQ(trainer.preset.schedule.warmup_steps, 200);
  EXPECT_EQ(trainer.preset.training.epochs, 100);
  for (const char* key : {"lora_rank", "resolution", "learning_rate_warmup_steps", "epochs"}) {
    EXPECT_EQ(row(trainer, key).fate, ImportFate::changed) << key;
    EXPECT_THAT(row(trainer, key).note.text(), HasSubstr("Not taken: ")) << key;
    EXPECT_THAT(row(trainer, key).note.text(), HasSubstr(", the default there.")) << key;
  }
  const ImportResult scripts = kohya_with("network_dim = \"large\"\nmixed_precision = \"odd\"\n");
  EXPECT_EQ(scripts.preset.adapter.rank, 4);
  EXPECT_EQ(scripts.preset.precision.compute, ComputeType::fp32);
  EXPECT_THAT(row(scripts, "network_dim").note.text(), HasSubstr("the default there"));
  const ImportResult tuner = import_preset_text(
      R"({"--model_family": "sdxl", "--model_type": "lora", "--lora_rank": "x",
          "--train_batch_size": "y", "--max_grad_norm": "z"})",
      "x.json");
  EXPECT_EQ(tuner.preset.adapter.rank, 16);
  EXPECT_EQ(tuner.preset.data.batch_size, 4);
  EXPECT_EQ(tuner.preset.training.max_grad_norm, 2);
}

TEST(ImportMeaning, AnimasScriptsHaveTheirOwnNoiseLevelsAndKeys) {
  const auto anima = [](const std::string& keys) {
    return import_preset_text(
        "qwen3 = \"/q\"\nnetwork_module = \"networks.lora_anima\"\n"
        "network_dim = 8\nlearning_rate = 1e-4\n" +
            keys,
        "x.toml");
  };
  const ImportResult plain = anima(
      "self_attn_lr = 1e-5\nmod_lr = 0\nqwen3_max_token_length = 512\nattn_mode = \"flash\"\n"
      "t5_max_token_length = 512\nunsloth_offload_checkpointing = true\n"
      "vae_disable_cache = true\nskip_latents_validity_check = true\n");
  EXPECT_EQ(plain.preset.training.timesteps, TimestepDistribution::sigmoid);
  EXPECT_EQ(row(plain, "timestep_sampling").fate, ImportFate::assumed);
  EXPECT_EQ(plain.count(ImportFate::unknown), 0U);
  EXPECT_THAT(row(plain, "mod_lr").note.text(), HasSubstr("where a network is trained"));
  expect_reported(plain);
  const ImportResult shift = anima("timestep_sampling = \"shift\"\n");
  EXPECT_EQ(shift.preset.training.timesteps, TimestepDistribution::shifted);
  EXPECT_EQ(shift.preset.training.flow_shift, 1);
  EXPECT_EQ(row(shift, "discrete_flow_shift").fate, ImportFate::assumed);
}

TEST(ImportMeaning, TextEncodersOfFlux1AreTrainedAsThere) {
  const auto parts = [](const std::string& text, const char* file) {
    const ImportResult r = import_preset_text(text, file);
    EXPECT_EQ(r.preset.model.family, ModelFamily("flux1"));
    expect_reported(r);
    return r.preset.training.parts;
  };
  EXPECT_EQ(parts(R"({"training_method": "LORA", "model_type": "FLUX_DEV_1",
                      "text_encoder": {"train": true}, "text_encoder_2": {"train": true}})",
                  "x.json"),
            (std::vector<Part>{kDenoiser, kTe1, kTe2}));
  EXPECT_EQ(parts(R"({"training_method": "LORA", "model_type": "FLUX_DEV_1",
                      "text_encoder": {"train": false}, "text_encoder_2": {"train": true}})",
                  "x.json"),
            (std::vector<Part>{kDenoiser, kTe2}));
  EXPECT_EQ(parts("job: extension\nconfig:\n  process:\n    - model: {arch: flux}\n      network: "
                  "{type: lora, linear: 8}\n      train: {train_text_encoder: true}\n",
                  "x.yaml"),
            (std::vector<Part>{kDenoiser, kTe1, kTe2}));
}

TEST(ImportMeaning, ModulationsOfFlux1AreAdaptedAsThere) {
  const std::vector<std::string> blocks{"attention+mlp", "denoiser.*transformer_blocks.*.norm*"};
  EXPECT_EQ(
      import_preset_text("network_module = \"networks.lora_flux\"\nnetwork_dim = 8\n", "x.toml")
          .preset.adapter.targets,
      blocks);
  EXPECT_EQ(import_preset_text("job: extension\nconfig:\n  process:\n    - model: {arch: flux}\n"
                               "      network: {type: lora, linear: 8}\n",
                               "x.yaml")
                .preset.adapter.targets,
            blocks);
  EXPECT_EQ(import_preset_text(R"({"training_method": "LORA", "model_type": "FLUX_DEV_1",
                                   "layer_filter_preset": "blocks"})",
                               "x.json")
                .preset.adapter.targets,
            blocks);
}

TEST(ImportMeaning, TensorBoardIsAskedForAsThere) {
  EXPECT_TRUE(kohya_with("log_with = \"tensorboard\"\n").preset.output.tensorboard);
  EXPECT_TRUE(kohya_with("log_with = \"all\"\n").preset.output.tensorboard);
  const ImportResult online = kohya_with("log_with = \"wandb\"\n");
  EXPECT_FALSE(online.preset.output.tensorboard);
  EXPECT_EQ(row(online, "log_with").fate, ImportFate::ignored);
  EXPECT_TRUE(onetrainer_with(R"("tensorboard": true)").preset.output.tensorboard);
  EXPECT_FALSE(onetrainer_with(R"("tensorboard": false)").preset.output.tensorboard);
  const auto simpletuner = [](const std::string& report) {
    return import_preset_text(
        R"({"model_family": "sdxl", "model_type": "lora", "report_to": ")" + report + "\"}",
        "config.json");
  };
  EXPECT_TRUE(simpletuner("tensorboard").preset.output.tensorboard);
  EXPECT_FALSE(simpletuner("none").preset.output.tensorboard);
}

TEST(ImportMeaning, ARateOfZeroIsTold) {
  const ImportResult r =
      kohya_with("network_dim = 8\nunet_lr = 0.0\nnetwork_train_unet_only = true\n");
  EXPECT_EQ(row(r, "unet_lr").fate, ImportFate::changed);
  EXPECT_THAT(row(r, "unet_lr").note.text(), HasSubstr("trains nothing"));
  EXPECT_EQ(r.preset.optimizer.learning_rate, 1e-4);
}

TEST(ImportMeaning, SimpleTunersEnvironment) {
  const ImportResult r = import_preset_text(
      "# a comment\nexport MODEL_FAMILY=sdxl\nexport MODEL_TYPE='lora'\nLORA_RANK=64\n"
      "LEARNING_RATE=1e-4\nTRAINER_EXTRA_ARGS=\"--lora_rank=8 --lora_alpha 4\"\n"
      "TRAINER_EXTRA_ARGS+=\" --use_dora\"\nMAX_NUM_STEPS=900\n",
      "config.env");
  EXPECT_EQ(r.format, ImportFormat::simpletuner);
  EXPECT_EQ(r.preset.model.family, ModelFamily("sdxl"));
  EXPECT_EQ(r.preset.training.steps, 900);
  EXPECT_EQ(r.preset.optimizer.learning_rate, 1e-4);
  EXPECT_EQ(r.preset.adapter.rank, 8);
  EXPECT_EQ(r.preset.adapter.alpha, 4);
  EXPECT_EQ(r.preset.adapter.type, AdapterType::dora);
  EXPECT_EQ(row(r, "LORA_RANK").fate, ImportFate::unknown) << "no option stands for it there";
  expect_reported(r);
}

}  // namespace
}  // namespace mantissa
