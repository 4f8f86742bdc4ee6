#include "engine/preset/import_diffusion_pipe.h"

#include <cmath>

#include "engine/preset/import_families.h"
#include "tests/engine/preset/import_samples.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing_support::expect_reported;
using testing_support::expect_safe;
using testing_support::read_sample;
using testing_support::row;
using testing_support::sample;

/// The file of a model, with further keys of it, before the first table, and of other tables.
ImportResult pipe(const std::string& type, const std::string& model = "",
                  const std::string& training = "",
                  const std::string& tables = "[adapter]\ntype = 'lora'\nrank = 8\n",
                  const std::string& optimizer = "type = 'adamw'\nlr = 1e-4\n") {
  return import_preset_text(training + "[model]\ntype = '" + type + "'\ndtype = 'bfloat16'\n" +
                                model + tables + "[optimizer]\n" + optimizer,
                            "x.toml");
}

ImportResult with_optimizer(const std::string& keys, const std::string& training = "") {
  return pipe("flux", "", training, "[adapter]\ntype = 'lora'\nrank = 8\n", keys);
}

TEST(ImportDiffusionPipe, LoraWithItsDataSetsBeside) {
  const FileBeside beside = [](const std::string& name) -> std::optional<std::string> {
    return name == "diffusion_pipe_dataset.toml" ? std::optional(sample(name)) : std::nullopt;
  };
  const ImportResult r =
      import_preset_text(sample("diffusion_pipe_qwen.toml"), "mira.toml", beside);
  EXPECT_EQ(r.format, ImportFormat::diffusion_pipe);
  EXPECT_EQ(import_format_title(r.format).text(), "diffusion-pipe");
  const Preset& p = r.preset;
  EXPECT_EQ(p.model.family, ModelFamily("qwen_image"));
  EXPECT_EQ(p.training.method, TrainingMethod::adapter);
  EXPECT_EQ(p.adapter.type, AdapterType::lora);
  EXPECT_EQ(p.adapter.rank, 24);
  EXPECT_EQ(p.adapter.alpha, 24) << "always the rank";
  EXPECT_EQ(p.adapter.dropout, 0.1);
  EXPECT_THAT(p.adapter.targets,
              ElementsAre("attention+mlp", "denoiser.transformer_blocks.*_mod.*"));
  EXPECT_EQ(p.precision.compute, ComputeType::bf16);
  EXPECT_EQ(p.precision.weights.denoiser, StorageType::fp8_e4m3);
  EXPECT_THAT(row(r, "model.transformer_dtype").note.text(), HasSubstr("without any there"));
  EXPECT_EQ(p.precision.weights.text_encoders, StorageType::bf16);
  EXPECT_EQ(p.precision.adapter, MasterType::bf16);
  EXPECT_EQ(p.precision.gradients, MasterType::bf16);
  EXPECT_TRUE(p.precision.kahan) << "optimi's";
  EXPECT_EQ(p.output.dtype, MasterType::fp16);
  EXPECT_EQ(p.training.timesteps, TimestepDistribution::shifted);
  EXPECT_EQ(p.training.flow_shift, 2.5);
  EXPECT_EQ(p.data.batch_size, 2);
  EXPECT_EQ(p.data.caption_dropout, 0.05);
  EXPECT_EQ(p.training.epochs, 40);
  EXPECT_EQ(p.training.gradient_accumulation, 4);
  EXPECT_TRUE(p.training.gradient_checkpointing);
  EXPECT_EQ(p.training.max_grad_norm, 0.5);
  EXPECT_EQ(p.training.validate_every, 80);
  EXPECT_EQ(p.optimizer.type, OptimizerType::adamw);
  EXPECT_EQ(p.optimizer.learning_rate, 5e-5);
  EXPECT_EQ(p.optimizer.betas, (std::array{0.9, 0.98}));
  EXPECT_EQ(p.optimizer.weight_decay, 0.02);
  EXPECT_EQ(p.optimizer.eps, 1e-6);
  EXPECT_EQ(row(r, "optimizer.eps").fate, ImportFate::assumed);
  EXPECT_EQ(p.schedule.type, ScheduleType::cosine);
  EXPECT_DOUBLE_EQ(p.schedule.min_factor, 0.02) << "falls to 1e-6";
  EXPECT_EQ(p.schedule.warmup_steps, 50);
  EXPECT_EQ(p.output.save_epochs, 4);
  EXPECT_EQ(p.output.save_minutes, 90);
  EXPECT_THAT(row(r, "dataset").note.text(), HasSubstr("Read too"));
  EXPECT_THAT(row(r, "model.max_t").note.text(), HasSubstr("Not used there"));
  EXPECT_THAT(row(r, "optimizer.decouple_lr").note.text(), HasSubstr("Not offered here"));
  EXPECT_EQ(row(r, "monitoring.wandb_api_key").value, "•••");
  EXPECT_EQ(row(r, "a_key_of_tomorrow").fate, ImportFate::unknown);
  EXPECT_EQ(r.count(ImportFate::unknown), 1u);
  expect_reported(r);
  expect_safe(r);
  const ImportResult alone = read_sample("diffusion_pipe_qwen.toml");
  EXPECT_EQ(row(alone, "dataset").fate, ImportFate::changed);
  EXPECT_THAT(row(alone, "dataset").note.text(), HasSubstr("import it too"));
  EXPECT_EQ(alone.preset.data.resolution, Preset{}.data.resolution);
}

TEST(ImportDiffusionPipe, DataSetsGiveEachFolderItsOwn) {
  const ImportResult r = read_sample("diffusion_pipe_dataset.toml");
  EXPECT_EQ(r.format, ImportFormat::diffusion_pipe);
  const Preset::Data& data = r.preset.data;
  EXPECT_EQ(data.resolution, 960) << "the area of 1280 x 720";
  EXPECT_THAT(data.further_resolutions, ElementsAre(512));
  EXPECT_THAT(row(r, "resolutions").note.text(), HasSubstr("1280 x 720"));
  EXPECT_TRUE(data.buckets);
  EXPECT_EQ(data.masks, MaskMode::files);
  EXPECT_TRUE(data.shuffle_captions);
  ASSERT_EQ(data.folders.size(), 2u);
  EXPECT_EQ(data.folders[0].folder, "portraits");
  EXPECT_EQ(data.folders[0].repeats, 2) << "outside of the list";
  EXPECT_EQ(data.folders[0].prefix, "mira,") << "a space follows";
  EXPECT_EQ(data.folders[0].resolution, 0);
  EXPECT_EQ(data.folders[1].folder, "scenes");
  EXPECT_EQ(data.folders[1].repeats, 5);
  EXPECT_EQ(data.folders[1].prefix, "") << "an empty one counts too";
  EXPECT_EQ(data.folders[1].resolution, 768);
  EXPECT_EQ(data.repeats, 3) << "as often as there are orders of tags";
  EXPECT_EQ(row(r, "cache_shuffle_num").fate, ImportFate::changed);
  EXPECT_THAT(row(r, "cache_shuffle_num").targets,
              ElementsAre("data.shuffle_captions", "data.repeats"));
  EXPECT_THAT(row(r, "num_ar_buckets").note.text(), HasSubstr("data.bucket_rule"));
  EXPECT_THAT(row(r, "directory[1].control_path").note.text(), HasSubstr("reference images"));
  EXPECT_THAT(row(r, "directory[1].path").note.text(), HasSubstr("A path"));
  EXPECT_EQ(row(r, "directory[1].resolutions").targets, std::vector<std::string>{"data.folders"});
  EXPECT_EQ(r.preset.adapter, Preset{}.adapter);
  EXPECT_EQ(r.preset.training, Preset{}.training);
  EXPECT_EQ(r.count(ImportFate::assumed), 0u);
  expect_reported(r);
  expect_safe(r);
}

TEST(ImportDiffusionPipe, DataSetsHaveDefaultsOfTheirOwn) {
  const auto read = [](const std::string& keys, const std::string& own = "") {
    return import_preset_text(keys + "[[directory]]\npath = '/a/one'\n" + own, "d.toml");
  };
  const ImportResult silent = read("resolutions = [640]\n");
  EXPECT_EQ(silent.preset.data.resolution, 640);
  EXPECT_FALSE(silent.preset.data.buckets) << "squares";
  EXPECT_EQ(row(silent, "enable_ar_bucket").fate, ImportFate::assumed);
  EXPECT_THAT(row(silent, "skip_empty_caption").note.text(), HasSubstr("left out there"));
  const ImportResult kept = read("skip_empty_caption = false\nshuffle_tags = true\n");
  EXPECT_THAT(row(kept, "skip_empty_caption").note.text(), HasSubstr("an empty one there"));
  EXPECT_TRUE(kept.preset.data.shuffle_captions);
  EXPECT_EQ(kept.preset.data.repeats, 1);
  const ImportResult sizes = read("size_buckets = [[960, 704, 1], [1280, 704, 1]]\n");
  EXPECT_EQ(sizes.preset.data.resolution, 949);
  EXPECT_EQ(row(sizes, "size_buckets").fate, ImportFate::changed);
  EXPECT_TRUE(sizes.preset.data.buckets) << "by shape";
  const ImportResult no_sizes = read("size_buckets = [[960]]\n");
  EXPECT_EQ(no_sizes.preset.data.resolution, Preset{}.data.resolution);
  EXPECT_THAT(row(no_sizes, "size_buckets").note.text(), HasSubstr("not a list of widths"));
  for (const char* none : {"resolutions = [[]]\n", "resolutions = ['x', -4]\n"}) {
    const ImportResult bad = read(none);
    EXPECT_EQ(bad.preset.data.resolution, Preset{}.data.resolution) << none;
    EXPECT_THAT(row(bad, "resolutions").note.text(), HasSubstr("Not taken")) << none;
  }
  const ImportResult half = read("num_repeats = 2.5\n");
  EXPECT_EQ(half.preset.data.repeats, 3);
  EXPECT_EQ(row(half, "num_repeats").fate, ImportFate::changed);
  const ImportResult close = read("", "caption_prefix = 'mira:'\n");
  ASSERT_EQ(close.preset.data.folders.size(), 1u);
  EXPECT_EQ(close.preset.data.folders[0].prefix, "mira:");
  EXPECT_THAT(row(close, "directory[0].caption_prefix").note.text(), HasSubstr("a space here"));
}

TEST(ImportDiffusionPipe, OptionsOfSomeDirectoriesAreTold) {
  const ImportResult r = import_preset_text(
      "resolutions = [512]\n[[directory]]\npath = '/a'\nenable_ar_bucket = true\n"
      "[[directory]]\npath = '/b'\ncache_shuffle_num = 1\nmask_path = '/m'\n",
      "d.toml");
  EXPECT_TRUE(r.preset.data.buckets);
  EXPECT_THAT(row(r, "directory[0].enable_ar_bucket").note.text(),
              HasSubstr("for all images here"));
  EXPECT_FALSE(r.preset.data.shuffle_captions);
  EXPECT_EQ(row(r, "directory[1].cache_shuffle_num").fate, ImportFate::changed);
  EXPECT_THAT(row(r, "directory[1].cache_shuffle_num").note.text(),
              HasSubstr("the first folder has none"));
  EXPECT_EQ(r.preset.data.masks, MaskMode::files) << "each image has one or not";
  expect_reported(r);
}

TEST(ImportDiffusionPipe, SdxlTrainsItsTextEncodersToo) {
  const ImportResult r = read_sample("diffusion_pipe_sdxl.toml");
  const Preset& p = r.preset;
  EXPECT_EQ(p.model.family, ModelFamily("sdxl"));
  EXPECT_THAT(row(r, "model.type").note.text(), HasSubstr("data.caption_chunks"));
  EXPECT_THAT(p.training.parts, ElementsAre(kDenoiser, kTe1, kTe2));
  EXPECT_EQ(p.optimizer.learning_rate, 4e-5);
  ASSERT_EQ(p.optimizer.groups.size(), 2u);
  EXPECT_EQ(p.optimizer.groups[0].part, kTe1);
  EXPECT_EQ(p.optimizer.groups[0].learning_rate, 2e-5);
  EXPECT_EQ(p.optimizer.groups[1].learning_rate, 1e-5) << "the optimizer's";
  EXPECT_EQ(row(r, "model.text_encoder_2_lr").fate, ImportFate::assumed);
  EXPECT_THAT(p.adapter.targets, ElementsAre("attention+mlp", "denoiser.*.time_emb_proj",
                                             "text_encoder_2.text_projection"));
  EXPECT_EQ(p.precision.weights.vae, StorageType::fp32);
  EXPECT_EQ(p.precision.adapter, MasterType::bf16) << "model.dtype";
  EXPECT_EQ(p.output.dtype, MasterType::bf16);
  EXPECT_EQ(p.optimizer.type, OptimizerType::adamw8bit);
  EXPECT_TRUE(p.precision.kahan);
  EXPECT_EQ(row(r, "optimizer.type").fate, ImportFate::mapped);
  EXPECT_EQ(p.training.prediction, Prediction::v);
  EXPECT_TRUE(p.training.zero_terminal_snr);
  EXPECT_EQ(p.training.min_snr_gamma, 5);
  EXPECT_THAT(row(r, "model.timestep_sample_method").note.text(), HasSubstr("flow models"));
  EXPECT_EQ(p.training.loss, LossType::mse) << "SDXL's loss has no Huber there";
  EXPECT_EQ(p.training.steps, 3000);
  EXPECT_EQ(p.training.epochs, 0);
  EXPECT_THAT(row(r, "epochs").note.text(), HasSubstr("here max_steps decides"));
  EXPECT_EQ(p.schedule.type, ScheduleType::linear);
  EXPECT_THAT(row(r, "lr_scheduler").note.text(), HasSubstr("whatever max_steps is"));
  EXPECT_EQ(p.data.batch_size, 1) << "of the largest resolution";
  EXPECT_EQ(row(r, "micro_batch_size_per_gpu").fate, ImportFate::changed);
  EXPECT_EQ(p.output.save_every, 100) << "by the first batch size, of two batches";
  EXPECT_EQ(p.output.save_epochs, 1);
  EXPECT_EQ(r.count(ImportFate::unknown), 0u);
  expect_reported(r);
  expect_safe(r);
  const ImportResult frozen = pipe(
      "sdxl", "text_encoder_1_lr = 0\ntext_encoder_2_lr = 0\ndebiased_estimation_loss = false\n");
  EXPECT_THAT(frozen.preset.training.parts, ElementsAre(kDenoiser));
  EXPECT_THAT(frozen.preset.adapter.targets,
              ElementsAre("attention+mlp", "denoiser.*.time_emb_proj"));
  EXPECT_EQ(row(frozen, "model.text_encoder_1_lr").targets,
            std::vector<std::string>{"training.parts"});
  EXPECT_THAT(row(frozen, "model.debiased_estimation_loss").note.text(),
              HasSubstr("Any value switches it on there"));
}

TEST(ImportDiffusionPipe, AdaptersCoverTheBlocks) {
  using Targets = std::vector<std::string>;
  const std::pair<const char*, Targets> families[] = {
      {"flux", {"attention+mlp", "denoiser.*transformer_blocks.*.norm*"}},
      {"chroma", {"attention+mlp"}},
      {"flux2", {"attention+mlp"}},
      {"z_image", {"attention+mlp"}},
      {"ernie_image", {"attention+mlp"}},
      {"qwen_image", {"attention+mlp", "denoiser.transformer_blocks.*_mod.*"}},
      {"anima", {"attention+mlp", "denoiser.transformer_blocks.*.norm*"}},
      {"krea2", {"denoiser.transformer_blocks.*", "denoiser.text_fusion.*", "denoiser.txt_in.*"}}};
  for (const auto& [type, targets] : families) {
    const ImportResult r = pipe(type);
    EXPECT_EQ(r.preset.adapter.targets, targets) << type;
    EXPECT_EQ(r.preset.adapter.alpha, 8) << type;
    const std::string name = type;
    const bool joined = name == "chroma" || name == "flux2" || name == "z_image";
    EXPECT_EQ(row(r, "adapter.type").fate, joined ? ImportFate::changed : ImportFate::mapped)
        << type;
  }
  EXPECT_THAT(row(pipe("chroma"), "adapter.type").note.text(), HasSubstr("single blocks"));
  EXPECT_THAT(row(pipe("flux2"), "adapter.type").note.text(), Not(HasSubstr("single blocks")));
}

TEST(ImportDiffusionPipe, VeryHighRanksAreWholeMatrices) {
  const auto read = [](const std::string& adapter) {
    return pipe("krea2", "", "", "[adapter]\n" + adapter);
  };
  const ImportResult whole = read("type = 'lokr'\nrank = 1e6\ndecompose_factor = 4\n");
  EXPECT_EQ(whole.preset.adapter.type, AdapterType::lokr);
  EXPECT_EQ(whole.preset.adapter.rank, 1024);
  EXPECT_EQ(whole.preset.adapter.alpha, 1024);
  EXPECT_EQ(whole.preset.adapter.factor, 4);
  EXPECT_THAT(row(whole, "adapter.rank").note.text(), HasSubstr("trained whole"));
  const ImportResult low =
      read("type = 'lokr'\nrank = 16\nalpha = 8\ndropout = 0.2\nrank_dropout = 0.1\n");
  EXPECT_EQ(low.preset.adapter.rank, 16);
  EXPECT_EQ(low.preset.adapter.alpha, 16);
  EXPECT_EQ(low.preset.adapter.dropout, 0);
  EXPECT_THAT(row(low, "adapter.alpha").note.text(), HasSubstr("Refused there"));
  EXPECT_THAT(row(low, "adapter.rank_dropout").note.text(), HasSubstr("dropout of ranks"));
  const ImportResult high = read("type = 'lora'\nrank = 4096\n");
  EXPECT_EQ(high.preset.adapter.alpha, high.preset.adapter.rank) << "the scale stays 1";
  EXPECT_EQ(row(high, "adapter.rank").fate, ImportFate::changed);
}

TEST(ImportDiffusionPipe, WithoutAnAdapterTheModelIsTrained) {
  const ImportResult r = pipe("z_image", "diffusion_model_dtype = 'bfloat16'\n", "", "",
                              "type = 'adamw_optimi'\nlr = 1e-5\nweight_decay = 0.01\n");
  EXPECT_EQ(r.preset.training.method, TrainingMethod::full);
  EXPECT_EQ(row(r, "adapter").fate, ImportFate::assumed);
  EXPECT_EQ(r.preset.precision.adapter, MasterType::bf16);
  EXPECT_EQ(r.preset.precision.weights.denoiser, StorageType::bf16);
  EXPECT_THAT(row(r, "optimizer.weight_decay").note.text(), HasSubstr("Norms and biases"));
  EXPECT_THAT(pipe("anima", "", "", "").preset.training.parts, ElementsAre(kDenoiser, kTe2));
}

TEST(ImportDiffusionPipe, RatesOfAnimasLayers) {
  const ImportResult usual = pipe("anima", "llm_path = '/qwen.safetensors'\n");
  EXPECT_THAT(usual.preset.training.parts, ElementsAre(kDenoiser, kTe2));
  EXPECT_EQ(row(usual, "model.llm_adapter_lr").fate, ImportFate::assumed);
  const ImportResult frozen =
      pipe("anima", "llm_adapter_lr = 0\nself_attn_lr = 0\nmlp_lr = 1e-4\nmod_lr = 2e-5\n");
  EXPECT_THAT(frozen.preset.training.parts, ElementsAre(kDenoiser));
  ASSERT_EQ(frozen.preset.adapter.ranks.size(), 1u);
  EXPECT_EQ(frozen.preset.adapter.ranks[0].layers, "denoiser.transformer_blocks.*.attn1.*");
  EXPECT_EQ(frozen.preset.adapter.ranks[0].rank, 0);
  EXPECT_THAT(row(frozen, "model.mlp_lr").note.text(), HasSubstr("The same here"));
  EXPECT_EQ(row(frozen, "model.mod_lr").fate, ImportFate::changed);
  const ImportResult slow = pipe("anima", "llm_adapter_lr = 1e-5\n");
  ASSERT_EQ(slow.preset.optimizer.groups.size(), 1u);
  EXPECT_EQ(slow.preset.optimizer.groups[0].part, kTe2);
  EXPECT_EQ(slow.preset.optimizer.groups[0].learning_rate, 1e-5);
  expect_reported(frozen);
}

TEST(ImportDiffusionPipe, NoiseLevels) {
  const ImportResult usual = pipe("flux");
  EXPECT_EQ(usual.preset.training.timesteps, TimestepDistribution::sigmoid);
  EXPECT_EQ(row(usual, "model.timestep_sample_method").fate, ImportFate::assumed);
  const ImportResult flux = pipe("flux", "flux_shift = true\nguidance = 3.5\n");
  EXPECT_EQ(flux.preset.training.timesteps, TimestepDistribution::shifted);
  EXPECT_EQ(flux.preset.training.flow_shift, std::nullopt);
  EXPECT_EQ(row(flux, "model.flux_shift").fate, ImportFate::mapped) << "FLUX.1's own";
  EXPECT_EQ(row(flux, "model.guidance").fate, ImportFate::changed);
  const ImportResult chroma = pipe("chroma", "flux_shift = true\n");
  EXPECT_EQ(row(chroma, "model.flux_shift").fate, ImportFate::changed);
  const ImportResult uniform = pipe("flux2", "timestep_sample_method = 'uniform'\n");
  EXPECT_EQ(uniform.preset.training.timesteps, TimestepDistribution::uniform);
  EXPECT_EQ(uniform.preset.training.flow_shift, 1);
  const ImportResult both = pipe(
      "flux2", "timestep_sample_method = 'uniform'\nshift = 3\nflux_shift = true\nmin_t = 0.2\n");
  EXPECT_EQ(both.preset.training.flow_shift, 3);
  EXPECT_THAT(row(both, "model.flux_shift").note.text(), HasSubstr("model.shift counts"));
  EXPECT_THAT(row(both, "model.min_t").note.text(), HasSubstr("Not used there"));
  EXPECT_EQ(row(pipe("flux", "sigmoid_scale = 1.5\n"), "model.sigmoid_scale").fate,
            ImportFate::changed);
}

TEST(ImportDiffusionPipe, Losses) {
  const ImportResult huber = pipe("flux", "", "huber_delta = 0.2\nsmooth_l1_beta = 0.3\n");
  EXPECT_EQ(huber.preset.training.loss, LossType::huber);
  EXPECT_EQ(huber.preset.training.huber_c, 0.2);
  EXPECT_EQ(huber.preset.training.huber_schedule, HuberSchedule::constant);
  EXPECT_THAT(row(huber, "smooth_l1_beta").note.text(), HasSubstr("huber_delta counts"));
  const ImportResult older = pipe("flux", "", "pseudo_huber_c = 0.5\n");
  EXPECT_EQ(older.preset.training.loss, LossType::smooth_l1);
  EXPECT_EQ(older.preset.training.huber_c, 0.5);
  EXPECT_THAT(row(older, "pseudo_huber_c").note.text(), HasSubstr("Only older versions"));
  EXPECT_EQ(pipe("flux").preset.training.loss, LossType::mse);
}

TEST(ImportDiffusionPipe, OptimizersHaveTheirLibrarysDefaults) {
  const auto optimizer = [](const std::string& keys) {
    return with_optimizer(keys).preset.optimizer;
  };
  const Preset::Optimizer optimi = optimizer("type = 'adamw_optimi'\nlr = 1e-4\n");
  EXPECT_EQ(optimi.betas, (std::array{0.9, 0.99}));
  EXPECT_EQ(optimi.weight_decay, 0.01);
  EXPECT_EQ(optimizer("type = 'adamw'\n").learning_rate, 1e-3);
  const ImportResult automagic = with_optimizer("type = 'automagic'\nweight_decay = 0.01\n",
                                                "lr_scheduler = 'cosine'\nwarmup_steps = 10\n");
  EXPECT_EQ(automagic.preset.optimizer.type, OptimizerType::automagic);
  EXPECT_EQ(automagic.preset.optimizer.learning_rate, 1e-6);
  EXPECT_EQ(automagic.preset.schedule.type, ScheduleType::constant);
  EXPECT_EQ(automagic.preset.schedule.warmup_steps, 0);
  EXPECT_THAT(row(automagic, "lr_scheduler").note.text(), HasSubstr("no schedule there"));
  EXPECT_TRUE(automagic.preset.precision.kahan);
  const Preset::Optimizer prodigy = optimizer("type = 'Prodigy'\nlr = 1\n");
  EXPECT_EQ(prodigy.type, OptimizerType::prodigy);
  EXPECT_EQ(prodigy.learning_rate, 1);
  EXPECT_EQ(prodigy.weight_decay, 0);
  const ImportResult plain = with_optimizer("type = 'AdamW'\nlr = 1e-4\n");
  EXPECT_FALSE(plain.preset.precision.kahan);
  EXPECT_THAT(row(plain, "optimizer.type").note.text(),
              AllOf(HasSubstr("State in bfloat16"), HasSubstr("rounded to the nearest there")));
  const Preset::Optimizer generic = optimizer("type = 'GenericOptim'\nmuon = true\nlr = 1e-4\n");
  EXPECT_EQ(generic.type, OptimizerType::adamw) << "of a rank below 32";
  EXPECT_EQ(generic.weight_decay, 0);
  EXPECT_DOUBLE_EQ(
      optimizer("type = 'adamw'\nlr = 1e-4\nbetas = [0.9, 0.5]\nbeta2_half_life = 2\n").betas[1],
      std::pow(0.5, 0.5));
  const ImportResult lists = with_optimizer("type = 'adamw'\nlr = 1e-4\nbeta2_half_life = 1000\n",
                                            "micro_batch_size_per_gpu = [[512, 8], [1024, 2]]\n"
                                            "gradient_accumulation_steps = 2\n");
  EXPECT_DOUBLE_EQ(lists.preset.optimizer.betas[1], std::pow(0.5, 16.0 / 1000))
      << "the first batch size counts there, whatever becomes of it here";
}

TEST(ImportDiffusionPipe, AdafactorsArguments) {
  const ImportResult off = with_optimizer(
      "type = 'adafactor'\nlr = 1e-4\nrelative_step = false\n"
      "scale_parameter = false\n");
  EXPECT_EQ(row(off, "optimizer.relative_step").note.text(), "The same here.");
  EXPECT_EQ(row(off, "optimizer.scale_parameter").note.text(), "The same here.");
}

TEST(ImportDiffusionPipe, MasksAndReferencesAreOfDirectoriesAlone) {
  const auto read = [](const std::string& keys, const std::string& own) {
    return import_preset_text(
        "resolutions = [512]\n" + keys + "[[directory]]\npath = '/a/one'\n" + own, "d.toml");
  };
  const ImportResult general = read("mask_path = '/m'\ncontrol_path = '/c'\n", "");
  EXPECT_EQ(general.preset.data.masks, Preset{}.data.masks);
  EXPECT_EQ(row(general, "mask_path").note.text(), "Not used there.");
  EXPECT_EQ(row(general, "control_path").note.text(), "Not used there.");
  const ImportResult own = read("mask_path = '/m'\n", "mask_path = '/n'\nsubsample_ratio = 0.5\n");
  EXPECT_NE(own.preset.data.masks, Preset{}.data.masks);
  EXPECT_EQ(row(own, "directory[0].subsample_ratio").note.text(), "Not used there.");
}

TEST(ImportDiffusionPipe, ForcedRatesAndReleasedGradients) {
  const ImportResult forced =
      pipe("sdxl", "unet_lr = 4e-5\n",
           "force_constant_lr = 3e-5\nlr_scheduler = 'linear'\nwarmup_steps = 100\nepochs = 3\n");
  EXPECT_EQ(forced.preset.optimizer.learning_rate, 3e-5);
  EXPECT_TRUE(forced.preset.optimizer.groups.empty());
  EXPECT_EQ(forced.preset.schedule.type, ScheduleType::constant);
  EXPECT_EQ(forced.preset.schedule.warmup_steps, 0);
  for (const char* key : {"optimizer.lr", "model.unet_lr", "lr_scheduler", "warmup_steps"}) {
    EXPECT_THAT(row(forced, key).note.text(), HasSubstr("force_constant_lr counts")) << key;
  }
  const std::string released = "type = 'adamw'\nlr = 1e-4\ngradient_release = true\n";
  const ImportResult fused = with_optimizer(released);
  EXPECT_TRUE(fused.preset.optimizer.fused_back_pass);
  EXPECT_EQ(fused.preset.training.max_grad_norm, 0);
  EXPECT_EQ(row(fused, "gradient_clipping").fate, ImportFate::assumed);
  const ImportResult several =
      with_optimizer(released, "gradient_accumulation_steps = 4\ngradient_clipping = 1.0\n");
  EXPECT_FALSE(several.preset.optimizer.fused_back_pass);
  EXPECT_EQ(several.preset.training.gradient_accumulation, 4);
  EXPECT_EQ(row(several, "optimizer.gradient_release").fate, ImportFate::changed);
  EXPECT_EQ(several.preset.training.max_grad_norm, 0);
}

TEST(ImportDiffusionPipe, KeysOfOtherModelsAreNotUsed) {
  const ImportResult r = pipe("z_image",
                              "transformer_dtype = 'float8'\nguidance = 4.0\nunet_lr = 1e-5\n"
                              "merge_adapters = ['/models/turbo_adapter.safetensors']\n",
                              "image_micro_batch_size_per_gpu = 8\nmicro_batch_size_per_gpu = 1\n"
                              "eval_every_n_steps = 10\nlogging_steps = 1\n");
  EXPECT_EQ(r.preset.precision.weights.denoiser, StorageType::bf16);
  EXPECT_THAT(row(r, "model.transformer_dtype").note.text(), HasSubstr("Not used there"));
  EXPECT_EQ(row(r, "model.guidance").fate, ImportFate::ignored);
  EXPECT_THAT(row(r, "model.unet_lr").note.text(), HasSubstr("Stable Diffusion only"));
  EXPECT_THAT(row(r, "model.merge_adapters").note.text(), HasSubstr("--training-adapter"));
  EXPECT_EQ(r.preset.data.batch_size, 8) << "of images";
  EXPECT_THAT(row(r, "micro_batch_size_per_gpu").note.text(), HasSubstr("image_micro_batch"));
  EXPECT_THAT(row(r, "eval_every_n_steps").note.text(), HasSubstr("Not used there"));
  expect_reported(r);
}

TEST(ImportDiffusionPipe, OtherFamiliesAreRefusedByName) {
  const auto refusal = [](const std::string& model) {
    return test::message_of([&] {
      import_preset_text("[model]\n" + model + "\n[optimizer]\ntype = 'adamw'\n", "x.toml");
    });
  };
  for (const OtherFamily& other : other_families(&ForeignNames::diffusion_pipe)) {
    EXPECT_THAT(refusal("type = '" + std::string(other.name) + "'"),
                AllOf(HasSubstr("x.toml:2: " + std::string(other.title) + " (model.type)"),
                      HasSubstr("is not supported here")));
  }
  EXPECT_THAT(refusal("type = 'tomorrow'"), HasSubstr("tomorrow (model.type)"));
  EXPECT_THAT(refusal("type = 'flux2'\ndiffusion_model = '/m/flux2-dev.safetensors'"),
              HasSubstr("x.toml:3: FLUX.2 dev (model.diffusion_model)"));
  EXPECT_THAT(refusal("type = 'flux2'\ndiffusion_model = '/dev/f.safetensors'\n"
                      "text_encoders = [{path = '/m/mistral_3_small_flux2.safetensors'}]"),
              HasSubstr("FLUX.2 dev (model.text_encoders)"));
  EXPECT_THAT(refusal("type = 'flux'\ndiffusers_path = '/m/FLUX.1-Fill-dev'"),
              HasSubstr("FLUX.1 Fill (model.diffusers_path)"));
  EXPECT_THAT(refusal("type = 'anima'\nt5_path = '/m/t5.safetensors'"),
              HasSubstr("Cosmos-Predict2"));
  EXPECT_EQ(pipe("cosmos_predict2", "llm_path = '/m/qwen.safetensors'\n").preset.model.family,
            ModelFamily("anima"));
  EXPECT_EQ(pipe("flux2", "diffusion_model = '/m/flux-2-klein-base-9b.safetensors'\n")
                .preset.model.family,
            ModelFamily("flux2"));
}

}  // namespace
}  // namespace mantissa
