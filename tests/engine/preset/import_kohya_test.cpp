// Settings of kohya's scripts.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "engine/preset/import.h"
#include "tests/engine/preset/import_samples.h"

namespace mantissa {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::expect_safe;
using testing_support::read_sample;
using testing_support::row;

TEST(Import, KohyaTomlBecomesAPreset) {
  const ImportResult r = read_sample("kohya_sdxl.toml");
  EXPECT_EQ(r.format, ImportFormat::kohya);
  const Preset& p = r.preset;
  EXPECT_EQ(p.adapter.rank, 32);
  EXPECT_EQ(p.adapter.alpha, 16);
  EXPECT_EQ(p.adapter.conv_rank, 8);
  EXPECT_THAT(p.adapter.targets, ElementsAre("linear+conv"));
  EXPECT_EQ(p.adapter.lora_plus_ratio, 16);
  EXPECT_EQ(p.adapter.dropout, 0.1);
  EXPECT_EQ(p.precision.compute, ComputeType::bf16);
  EXPECT_EQ(p.precision.weights.denoiser, StorageType::bf16);
  EXPECT_EQ(p.precision.weights.vae, StorageType::fp32);
  EXPECT_EQ(p.precision.adapter, MasterType::fp32);
  EXPECT_EQ(p.optimizer.type, OptimizerType::adamw8bit);
  EXPECT_EQ(p.optimizer.learning_rate, 2e-4);
  EXPECT_EQ(p.optimizer.weight_decay, 0.05);
  EXPECT_EQ(p.optimizer.betas[1], 0.99);
  EXPECT_THAT(p.training.parts, ElementsAre(kDenoiser, kTe1, kTe2));
  ASSERT_EQ(p.optimizer.groups.size(), 2u);
  EXPECT_EQ(p.optimizer.groups[0].learning_rate, 5e-5);
  EXPECT_EQ(p.optimizer.groups[1].learning_rate, 1e-5);
  EXPECT_EQ(p.training.steps, 2400);
  EXPECT_EQ(p.schedule.type, ScheduleType::cosine_restarts);
  EXPECT_EQ(p.schedule.warmup_steps, 120);
  EXPECT_EQ(p.training.max_grad_norm, 0.5);
  EXPECT_EQ(p.training.seed, 1234);
  EXPECT_EQ(p.training.noise_offset, 0.0357);
  EXPECT_EQ(p.data.batch_size, 2);
  EXPECT_EQ(p.data.cache, CacheMode::latents);
  EXPECT_EQ(p.output.name, "mira-xl");
  EXPECT_EQ(p.output.dtype, MasterType::fp16);
  EXPECT_EQ(p.output.save_every, 400);
  expect_safe(r);
}

TEST(Import, KohyaReportHasARowForEveryKey) {
  const ImportResult r = read_sample("kohya_sdxl.toml");
  const ImportRow& rank = row(r, "network.network_dim");
  EXPECT_EQ(rank.fate, ImportFate::mapped);
  EXPECT_THAT(rank.targets, ElementsAre("adapter.rank"));
  EXPECT_EQ(rank.line, 22);
  EXPECT_EQ(row(r, "network.network_dropout").fate, ImportFate::changed);
  EXPECT_THAT(row(r, "network.network_args.conv_alpha").targets, ElementsAre("adapter.ranks"));
  EXPECT_EQ(row(r, "model.pretrained_model_name_or_path").fate, ImportFate::ignored);
  EXPECT_THAT(row(r, "model.pretrained_model_name_or_path").note.text(), HasSubstr("A path"));
  EXPECT_THAT(row(r, "training.lr_scheduler_type").note.text(), HasSubstr("never loaded"));
  EXPECT_THAT(row(r, "optimizer_arguments.learning_rate").note.text(), HasSubstr("unet_lr counts"));
  EXPECT_EQ(row(r, "training.brand_new_option").fate, ImportFate::unknown);
  EXPECT_EQ(row(r, "training.started").value, "2024-05-01T12:00:00Z");
  EXPECT_EQ(row(r, "training.wandb_api_key").value, "•••");
  EXPECT_THAT(row(r, "dataset.keep_tokens").targets, ElementsAre("data.keep_tokens"));
  std::set<std::string> seen;
  for (const ImportRow& each : r.rows) {
    EXPECT_TRUE(seen.insert(each.source).second) << each.source;
    EXPECT_TRUE(each.fate == ImportFate::mapped ? !each.targets.empty() : !each.note.empty())
        << each.source;
  }
  EXPECT_EQ(r.count(ImportFate::unknown), 2u);
}

TEST(Import, KohyaDatasetFileGivesDataSettings) {
  const ImportResult r = read_sample("kohya_dataset.toml");
  EXPECT_EQ(r.preset.data.resolution, 1006);  // the root of 832 x 1216
  EXPECT_EQ(r.preset.data.batch_size, 4);
  EXPECT_EQ(r.preset.data.repeats, 1);
  ASSERT_EQ(r.preset.data.folders.size(), 2u) << "without the regularisation images";
  EXPECT_EQ(r.preset.data.folders[0].folder, "mira");
  EXPECT_EQ(r.preset.data.folders[0].repeats, 6);
  EXPECT_EQ(r.preset.data.folders[0].resolution, 0);
  EXPECT_EQ(r.preset.data.folders[1].repeats, 2);
  EXPECT_EQ(r.preset.data.folders[1].resolution, 512);
  EXPECT_EQ(row(r, "datasets[1].resolution").fate, ImportFate::mapped);
  EXPECT_TRUE(r.preset.data.flip);
  EXPECT_EQ(r.preset.adapter.rank, Preset{}.adapter.rank) << "it says nothing of the network";
  EXPECT_EQ(row(r, "datasets[0].resolution").fate, ImportFate::changed);
  EXPECT_THAT(row(r, "datasets[1].batch_size").note.text(), HasSubstr("datasets[0]"));
  EXPECT_THAT(row(r, "datasets[0].subsets[1].is_reg").note.text(), HasSubstr("subsets[0]"));
  expect_safe(r);
}

TEST(Import, KohyasWaysWithData) {
  const ImportResult r = read_sample("kohya_sdxl.toml");
  EXPECT_EQ(r.preset.data.bucket_rule, BucketRule::kohya);
  EXPECT_EQ(r.preset.data.bucket_min, 512);
  EXPECT_EQ(r.preset.data.bucket_max, 2048);
  EXPECT_TRUE(r.preset.data.shuffle_captions);
  EXPECT_EQ(r.preset.data.keep_tokens, 1);
  const ImportResult more = import_preset_text(
      "network_dim = 8\nenable_bucket = true\nkeep_tokens = 3\nmasked_loss = true\n"
      "alpha_mask = true\nprior_loss_weight = 0.5\nvalidation_split = 0.1\n"
      "validation_seed = 4\nvalidate_every_n_steps = 50\nbucket_reso_steps = 32\n",
      "x.toml");
  EXPECT_EQ(more.preset.data.bucket_max, 1024) << "sd-scripts' default, not ours";
  EXPECT_EQ(row(more, "max_bucket_reso").fate, ImportFate::assumed);
  EXPECT_EQ(more.preset.data.keep_tokens, 0) << "nothing is shuffled there";
  EXPECT_EQ(row(more, "keep_tokens").fate, ImportFate::ignored);
  EXPECT_EQ(more.preset.data.masks, MaskMode::alpha);
  EXPECT_EQ(more.preset.training.prior_weight, 0.5);
  EXPECT_EQ(more.preset.data.validation_share, 0.1);
  EXPECT_EQ(row(more, "validation_split").fate, ImportFate::changed);
  EXPECT_EQ(more.preset.training.validate_every, 50);
  EXPECT_EQ(row(more, "validation_seed").fate, ImportFate::ignored);
  EXPECT_THAT(row(more, "bucket_reso_steps").note.text(), HasSubstr("Not offered"));
  EXPECT_EQ(more.count(ImportFate::unknown), 0u);
  const ImportResult folder =
      import_preset_text("network_dim = 8\nmasked_loss = true\nvalidation_split = 0.9\n", "y");
  EXPECT_EQ(folder.preset.data.masks, MaskMode::files);
  EXPECT_EQ(row(folder, "masked_loss").fate, ImportFate::changed);
  EXPECT_EQ(folder.preset.data.validation_share, 0.5) << "more than half can't be held out";
  EXPECT_THAT(row(folder, "validation_split").note.text(), HasSubstr("the nearest is 0.5"));
}

TEST(Import, KohyasAugmentationsAreVersions) {
  const ImportResult r =
      import_preset_text("network_dim = 8\ncolor_aug = true\nrandom_crop = true\n", "x.toml");
  EXPECT_EQ(r.preset.data.variants, 8);
  EXPECT_DOUBLE_EQ(r.preset.data.hue, 8.0 / 180);
  EXPECT_EQ(r.preset.data.crop_jitter, 0.01);
  for (const char* key : {"color_aug", "random_crop"}) {
    EXPECT_EQ(row(r, key).fate, ImportFate::changed) << key;
    EXPECT_THAT(row(r, key).note.text(), HasSubstr("8 versions")) << key;
  }
  const ImportResult off =
      import_preset_text("network_dim = 8\ncolor_aug = false\nrandom_crop = false\n", "x.toml");
  EXPECT_EQ(off.preset.data.variants, 1);
  EXPECT_EQ(off.preset.data.hue, 0);
  EXPECT_EQ(row(off, "color_aug").fate, ImportFate::ignored);
}

TEST(Import, KohyasConvolutionsHaveTheirAlpha) {
  const auto read = [](const std::string& args, const std::string& more = "") {
    return import_preset_text(
        "network_module = \"networks.lora\"\nnetwork_dim = 16\n"
        "network_alpha = 8\nnetwork_args = [" +
            args + "]\n" + more,
        "x.toml");
  };
  const ImportResult own = read(R"("conv_dim=4", "conv_alpha=2")");
  ASSERT_EQ(own.preset.adapter.ranks.size(), 4u);
  for (const LayerRank& entry : own.preset.adapter.ranks) {
    EXPECT_EQ(entry.rank, 4);
    EXPECT_EQ(entry.alpha, 2);
  }
  EXPECT_THAT(row(own, "network_args.conv_alpha").targets, ElementsAre("adapter.ranks"));
  EXPECT_TRUE(read(R"("conv_dim=4", "conv_alpha=8")").preset.adapter.ranks.empty());
  const ImportResult without = read(R"("conv_dim=4")");
  ASSERT_EQ(without.preset.adapter.ranks.size(), 4u);
  EXPECT_EQ(without.preset.adapter.ranks[0].alpha, 1) << "the default of sd-scripts";
  EXPECT_EQ(row(without, "network_args.conv_alpha").fate, ImportFate::assumed);
}

/// "0,0,…" with the values at their places.
std::string block_list(std::size_t count, int usual, std::map<std::size_t, int> others) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const auto own = others.find(i);
    text += (i == 0 ? "" : ",") + std::to_string(own == others.end() ? usual : own->second);
  }
  return text;
}

TEST(Import, KohyasBlocksHaveTheirRanks) {
  const std::string head =
      "network_module = \"networks.lora\"\nnetwork_dim = 16\nnetwork_alpha = 8\n";
  const auto read = [&](const std::string& family, const std::string& args) {
    return import_preset_text(family + head + "network_args = [" + args + "]\n", "x.toml");
  };
  const auto entries = [](const ImportResult& r) { return r.preset.adapter.ranks; };
  // SDXL: 5 is the first with attention, 11 the middle, 15 ends the first step up.
  const ImportResult xl = read(
      "sdxl = true\n", "\"block_dims=" + block_list(23, 16, {{5, 4}, {11, 32}, {15, 0}}) + '"');
  EXPECT_EQ(entries(xl), (std::vector<LayerRank>{{"denoiser.down_blocks.1.attentions.0.*", 4, 8},
                                                 {"denoiser.mid_block.attentions.0.*", 32, 8},
                                                 {"denoiser.up_blocks.0.attentions.2.*", 0, 8}}));
  EXPECT_THAT(row(xl, "network_args.block_dims").targets, ElementsAre("adapter.ranks"));
  EXPECT_EQ(row(xl, "network_args.block_dims").fate, ImportFate::mapped);
  // SD 1.5, with convolutions: 3 is the first sampler down, 12 the middle, 13 the first step up.
  const ImportResult sd =
      read("v2 = false\n", "\"block_dims=" + block_list(25, 16, {{13, 4}}) +
                               "\", \"block_alphas=" + block_list(25, 8, {{13, 2}}) +
                               "\", \"conv_block_dims=" + block_list(25, 2, {{3, 0}}) +
                               "\", \"conv_dim=2\", \"conv_alpha=8\"");
  EXPECT_EQ(entries(sd), (std::vector<LayerRank>{{"denoiser.down_blocks.0.downsamplers.0.*", 0, 8},
                                                 {"denoiser.up_blocks.0.resnets.0.conv1", 2, 8},
                                                 {"denoiser.up_blocks.0.resnets.0.conv2", 2, 8},
                                                 {"denoiser.up_blocks.0.resnets.0.*", 4, 2}}));
  EXPECT_THAT(sd.preset.adapter.targets, ElementsAre("linear+conv"));
  // Without conv_dim, conv_block_dims decide alone.
  const ImportResult alone =
      read("sdxl = true\n", "\"block_dims=" + block_list(23, 16, {}) +
                                "\", \"conv_block_dims=" + block_list(23, 0, {{10, 4}}) + '"');
  EXPECT_THAT(alone.preset.adapter.targets, ElementsAre("linear+conv"));
  const auto all = entries(alone);
  const auto of = [&](const char* layers) {
    const auto at = std::ranges::find(all, layers, &LayerRank::layers);
    return at == all.end() ? LayerRank{"", -1, 0} : *at;
  };
  EXPECT_EQ(of("denoiser.mid_block.resnets.0.conv1"),
            (LayerRank{"denoiser.mid_block.resnets.0.conv1", 4, 1}));
  EXPECT_EQ(of("denoiser.down_blocks.0.downsamplers.0.*").rank, 0);
  EXPECT_EQ(of("denoiser.up_blocks.2.resnets.2.conv2").rank, 0);
}

TEST(Import, KohyasBlocksThatCannotBeTakenSayWhy) {
  const auto note = [](const std::string& text, const char* key) {
    return row(import_preset_text("network_module = \"networks.lora\"\nnetwork_dim = 16\n" + text,
                                  "x.toml"),
               key)
        .note.text();
  };
  EXPECT_THAT(note("sdxl = true\nblock_dims = \"1,2,3\"\n", "block_dims"), HasSubstr("23 numbers"));
  EXPECT_THAT(note("v2 = true\nblock_dims = \"1,x\"\n", "block_dims"), HasSubstr("25 numbers"));
  EXPECT_THAT(note("sdxl = true\nblock_alphas = \"1,2\"\n", "block_alphas"),
              HasSubstr("beside block_dims"));
  EXPECT_THAT(note("sdxl = true\nconv_block_alphas = \"1,2\"\n", "conv_block_alphas"),
              HasSubstr("beside conv_block_dims"));
}

TEST(Import, KohyaSsJson) {
  const ImportResult r = read_sample("kohya_ss.json");
  const Preset& p = r.preset;
  EXPECT_EQ(p.model.family, ModelFamily("sdxl"));
  EXPECT_EQ(p.adapter.type, AdapterType::dora);
  EXPECT_EQ(p.adapter.rank, 16);
  EXPECT_EQ(p.adapter.alpha, 8);
  EXPECT_EQ(p.adapter.conv_rank, 8);
  EXPECT_EQ(p.precision.weights.denoiser, StorageType::fp8_e4m3);
  EXPECT_EQ(p.precision.weights.vae, StorageType::fp32);
  EXPECT_EQ(p.precision.compute, ComputeType::bf16);
  EXPECT_EQ(p.optimizer.type, OptimizerType::prodigy);
  EXPECT_EQ(p.optimizer.learning_rate, 1.0);
  EXPECT_THAT(p.training.parts, ElementsAre(kDenoiser)) << "the text encoders' rate is 0";
  EXPECT_EQ(p.training.steps, 1800);
  EXPECT_EQ(p.data.cache, CacheMode::all);
  EXPECT_EQ(p.schedule.warmup_steps, 0) << "constant does not warm up there";
  ASSERT_EQ(p.samples.prompts.size(), 2u);
  EXPECT_EQ(p.samples.prompts[0].prompt, "a mira portrait");
  EXPECT_EQ(p.samples.prompts[0].negative, "blurry, text");
  EXPECT_EQ(p.samples.prompts[0].width, 1024);
  EXPECT_EQ(p.samples.prompts[0].height, 768);
  EXPECT_EQ(p.samples.prompts[0].seed, 7);
  EXPECT_EQ(p.samples.prompts[0].guidance, 6.5);
  EXPECT_EQ(p.samples.prompts[0].steps, 28);
  EXPECT_EQ(p.samples.prompts[1].prompt, "a mira in rain");
  EXPECT_EQ(p.output.name, Preset{}.output.name);
  EXPECT_EQ(row(r, "output_name").fate, ImportFate::changed) << "a URL is no file name";
  EXPECT_THAT(row(r, "additional_parameters").note.text(), HasSubstr("No command is run"));
  const Message& unsupported = row(r, "optimizer_args.d_coef").note;
  EXPECT_EQ(unsupported.text(), "Not offered here: Prodigy's factor on the rate.");
  EXPECT_EQ(unsupported.source(), "Not offered here: {what}.");
  EXPECT_EQ(row(r, "huggingface_token").value, "•••");
  EXPECT_EQ(r.count(ImportFate::unknown), 0u);
  expect_safe(r);
}

TEST(Import, KohyasFoldersGiveRepeats) {
  const char* folder = "network_dim = 8\ntrain_data_dir = \"D:/train/img\"\n";
  const ImportResult r = import_preset_text(folder, "x.toml");
  EXPECT_TRUE(r.preset.data.folder_repeats);
  expect_safe(r);
  const ImportResult listed =
      import_preset_text(std::string(folder) + "in_json = \"D:/train/all.json\"\n", "x.toml");
  EXPECT_FALSE(listed.preset.data.folder_repeats);
}

// sd-scripts prefers epochs to steps; kohya_ss has a second number for want of both.

TEST(Import, KohyasEpochs) {
  struct {
    const char* keys;
    std::int64_t epochs, steps;
  } constexpr kCases[] = {
      {"max_train_epochs = 8\nmax_train_steps = 2400", 8, 1000},
      {"max_train_epochs = 0\nmax_train_steps = 2400", 0, 2400},
      {"LoRA_type = \"Standard\"\nepoch = 5\nmax_train_steps = 0", 5, 1000},
      {"LoRA_type = \"Standard\"\nepoch = 5\nmax_train_steps = 700", 0, 700},
      {"LoRA_type = \"Standard\"\nepoch = 5\nmax_train_epochs = 3\nmax_train_steps = 700", 3, 1000},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.keys);
    const ImportResult r = import_preset_text(
        std::string("network_dim = 8\nsave_every_n_epochs = 2\nsample_every_n_epochs = 3\n") +
            c.keys + "\n",
        "x.toml");
    EXPECT_EQ(r.preset.training.epochs, c.epochs);
    EXPECT_EQ(r.preset.training.steps, c.steps);
    EXPECT_EQ(r.preset.output.save_epochs, 2);
    EXPECT_EQ(r.preset.samples.every_epochs, 3);
  }
  const ImportResult share = import_preset_text(
      "network_dim = 8\nmax_train_epochs = 8\nmax_train_steps = 2400\nlr_warmup_steps = 0.1\n",
      "x.toml");
  EXPECT_EQ(share.preset.schedule.warmup_steps, 0) << "a share of an unknown number of steps";
}

TEST(Import, KohyasLosses) {
  const ImportResult r = import_preset_text(
      "network_dim = 8\nloss_type = \"smooth_l1\"\nhuber_c = 0.2\n"
      "huber_schedule = \"exponential\"\nhuber_scale = 2.0\n",
      "x.toml");
  EXPECT_EQ(r.preset.training.loss, LossType::smooth_l1);
  EXPECT_EQ(r.preset.training.huber_c, 0.2);
  EXPECT_EQ(r.preset.training.huber_schedule, HuberSchedule::exponential);
  EXPECT_EQ(row(r, "huber_scale").fate, ImportFate::ignored);
  const ImportResult l2 = import_preset_text("network_dim = 8\nloss_type = \"l2\"\n", "x.toml");
  EXPECT_EQ(l2.preset.training.loss, LossType::mse);
  const ImportResult l1 = import_preset_text("network_dim = 8\nloss_type = \"l1\"\n", "x.toml");
  EXPECT_EQ(l1.preset.training.loss, LossType::mse);
  EXPECT_EQ(row(l1, "loss_type").fate, ImportFate::changed);
  EXPECT_EQ(row(l1, "loss_type").note.text(),
            "Not offered here: l1 as the loss; the squared error instead.");
  EXPECT_EQ(l1.preset.training.loss, LossType::mse);
}

TEST(Import, KohyaDefaultsAreTakenOverAndTold) {
  const ImportResult r = import_preset_text("network_dim = 8\nunet_lr = 1e-4\n", "x.toml");
  EXPECT_EQ(r.preset.adapter.alpha, 1) << "sd-scripts' default, not ours";
  EXPECT_EQ(row(r, "network_alpha").fate, ImportFate::assumed);
  EXPECT_EQ(r.preset.training.steps, 1600);
  EXPECT_THAT(r.preset.training.parts, ElementsAre(kDenoiser, kTe1, kTe2));
  EXPECT_EQ(row(r, "network_train_unet_only").fate, ImportFate::assumed);
  const ImportResult lion =
      import_preset_text("network_dim = 8\noptimizer_type = \"Lion\"\n", "x.toml");
  EXPECT_EQ(lion.preset.optimizer.weight_decay, 0);
  EXPECT_EQ(lion.preset.optimizer.betas[1], 0.99);
}

TEST(Import, KohyaWholeFp16IsLeftToThePreflight) {
  const ImportResult r =
      import_preset_text("network_dim = 8\nmixed_precision = \"fp16\"\nfull_fp16 = true\n", "x");
  EXPECT_EQ(r.preset.precision.adapter, MasterType::fp16);
  EXPECT_EQ(row(r, "full_fp16").fate, ImportFate::changed);
  EXPECT_THAT(row(r, "full_fp16").note.text(), HasSubstr("refuses"));
}

TEST(Import, LycorissFormsOfKohya) {
  const auto read = [](const std::string& args) {
    return import_preset_text("network_module = \"lycoris.kohya\"\nnetwork_dim = 8\n" + args,
                              "x.toml");
  };
  const ImportResult lokr = read(
      "network_args = [\"algo=lokr\", \"factor=8\", \"conv_dim=4\", \"decompose_both=True\"]\n");
  EXPECT_EQ(lokr.preset.adapter.type, AdapterType::lokr);
  EXPECT_EQ(lokr.preset.adapter.factor, 8);
  EXPECT_EQ(lokr.preset.adapter.rank, 8);
  EXPECT_EQ(lokr.preset.adapter.conv_rank, 4);
  EXPECT_EQ(row(lokr, "network_args.factor").fate, ImportFate::mapped);
  EXPECT_THAT(row(lokr, "network_args.decompose_both").note.text(), HasSubstr("smaller matrix"));
  EXPECT_FALSE(lokr.preset.adapter.decompose);
  for (const char* args : {"network_args = [\"algo=loha\", \"dora_wd=True\"]\n",
                           "network_args = [\"dora_wd=True\", \"algo=loha\"]\n"}) {
    const ImportResult loha = read(args);
    EXPECT_EQ(loha.preset.adapter.type, AdapterType::loha);
    EXPECT_TRUE(loha.preset.adapter.decompose);
    EXPECT_EQ(row(loha, "network_args.dora_wd").fate, ImportFate::mapped);
    EXPECT_EQ(loha.preset.adapter.dora_axis, DoraAxis::output);
  }
  const ImportResult input =
      read("network_args = [\"algo=lokr\", \"dora_wd=True\", \"wd_on_output=False\"]\n");
  EXPECT_TRUE(input.preset.adapter.decompose);
  EXPECT_EQ(input.preset.adapter.dora_axis, DoraAxis::input);
  const ImportResult dora = read("network_args = [\"algo=lora\", \"dora_wd=True\"]\n");
  EXPECT_EQ(dora.preset.adapter.type, AdapterType::dora);
  EXPECT_FALSE(dora.preset.adapter.decompose);
  EXPECT_FALSE(
      read("network_args = [\"algo=loha\", \"dora_wd=False\"]\n").preset.adapter.decompose);
  EXPECT_EQ(read("network_args = [\"algo=loha\", \"factor=8\"]\n").preset.adapter.factor, -1);
  EXPECT_EQ(
      import_preset_text("{\"LoRA_type\": \"LyCORIS/LoKr\", \"network_dim\": 8, \"factor\": 4, "
                         "\"pretrained_model_name_or_path\": \"x\"}",
                         "x.json")
          .preset.adapter.factor,
      4);
}

// The draws of sd-scripts' scripts for flow models, where they match ours.

TEST(Import, KohyasTimesteps) {
  using enum TimestepDistribution;
  const std::optional<double> own;
  const struct {
    const char* keys;
    TimestepDistribution timesteps;
    std::optional<double> shift;
  } cases[] = {
      {"timestep_sampling = \"uniform\"\ndiscrete_flow_shift = 3.0", uniform, 1},
      {"timestep_sampling = \"sigmoid\"\nsigmoid_scale = 1.0", sigmoid, own},
      {"timestep_sampling = \"shift\"\ndiscrete_flow_shift = 3.1582", shifted, 3.1582},
      {"timestep_sampling = \"flux_shift\"\ndiscrete_flow_shift = 3.0", shifted, own},
      {"timestep_sampling = \"sigma\"\ndiscrete_flow_shift = 3.0", uniform, 3},
      {"weighting_scheme = \"logit_normal\"\ndiscrete_flow_shift = 3.0", logit_normal, 3},
      {"timestep_sampling = \"sigma\"\nweighting_scheme = \"mode\"\nmode_scale = 1.29", mode, own},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.keys);
    const ImportResult r = import_preset_text(c.keys, "x.toml");
    EXPECT_EQ(r.preset.training.timesteps, c.timesteps);
    EXPECT_EQ(r.preset.training.flow_shift, c.shift);
    EXPECT_EQ(r.count(ImportFate::unknown), 0u);
    // Models without flow have none of these keys.
    for (const char* without : {"base_model_version = \"sdxl_base_v1-0\"\n", "v2 = true\n"}) {
      const ImportResult other = import_preset_text(std::string(without) + c.keys, "x");
      EXPECT_EQ(other.preset.training.timesteps, uniform);
      EXPECT_EQ(other.preset.training.flow_shift, own);
    }
  }
  const std::pair<const char*, TimestepDistribution> others[] = {
      {"timestep_sampling = \"shift\"\nsigmoid_scale = 2.0", shifted},
      {"weighting_scheme = \"cosmap\"", uniform},
      {"weighting_scheme = \"mode\"\nmode_scale = 0.5", mode},
      {"timestep_sampling = \"qinglong\"", uniform}};
  for (const auto& [other, nearest] : others) {
    const ImportResult r = import_preset_text(other, "x.toml");
    EXPECT_THAT(r.rows.front().note.text(), HasSubstr("Not offered")) << other;
    EXPECT_EQ(r.preset.training.timesteps, nearest) << other;
  }
}

TEST(Import, KohyasTokensBecomeChunksThatHoldThem) {
  for (const auto& [tokens, chunks] : {std::pair{75, 1}, {76, 2}, {150, 2}, {200, 3}, {225, 3}}) {
    const ImportResult r = import_preset_text(
        "network_dim = 8\nmax_token_length = " + std::to_string(tokens) + "\n", "x.toml");
    EXPECT_EQ(r.preset.data.caption_chunks, chunks) << tokens;
  }
}

// Encoders whose outputs are cached run before anything is cast to FP8.
TEST(ImportKohya, Fp8BaseIsOfWhatIsCast) {
  const auto read = [](const std::string& more) {
    return import_preset_text("mixed_precision = \"bf16\"\nfp8_base = true\n" + more, "x.toml");
  };
  const char* flux = "network_module = \"networks.lora_flux\"\n";
  EXPECT_EQ(read(flux).preset.precision.weights.text_encoders, StorageType::fp8_e4m3);
  for (const char* cached :
       {"cache_text_encoder_outputs = true\n", "cache_text_encoder_outputs_to_disk = true\n"}) {
    const ImportResult r = read(std::string(flux) + cached);
    EXPECT_EQ(r.preset.precision.weights.denoiser, StorageType::fp8_e4m3);
    EXPECT_EQ(r.preset.precision.weights.text_encoders, StorageType::bf16) << cached;
  }
  const ImportResult anima = read("network_module = \"networks.lora_anima\"\n");
  EXPECT_EQ(anima.preset.precision.weights.denoiser, StorageType::bf16);
  EXPECT_EQ(row(anima, "fp8_base").fate, ImportFate::ignored);
}

}  // namespace
}  // namespace mantissa
