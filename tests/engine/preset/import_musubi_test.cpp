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

TEST(ImportMusubi, ZImage) {
  const ImportResult r = read_sample("musubi_zimage.toml");
  EXPECT_EQ(r.format, ImportFormat::musubi);
  const Preset& p = r.preset;
  EXPECT_EQ(p.model.family, ModelFamily("z_image"));
  EXPECT_EQ(p.adapter.rank, 32);
  EXPECT_EQ(p.adapter.alpha, 16);
  EXPECT_EQ(p.adapter.lora_plus_ratio, 4);
  EXPECT_THAT(p.adapter.targets,
              ElementsAre("denoiser.layers.*.attention.*", "denoiser.layers.*.feed_forward.*"));
  EXPECT_EQ(p.precision.compute, ComputeType::bf16);
  EXPECT_EQ(p.precision.weights.denoiser, StorageType::fp8_e4m3);
  EXPECT_EQ(row(r, "fp8_base").note.text(), "With one scale per output channel here.");
  EXPECT_EQ(p.precision.weights.text_encoders, StorageType::fp8_e4m3);
  EXPECT_THAT(p.training.parts, ElementsAre(kDenoiser));
  EXPECT_TRUE(p.optimizer.groups.empty());
  EXPECT_EQ(p.training.timesteps, TimestepDistribution::shifted);
  EXPECT_EQ(p.training.flow_shift, 2);
  EXPECT_EQ(p.training.steps, 2200);
  EXPECT_EQ(p.optimizer.learning_rate, 1e-4);
  EXPECT_EQ(p.optimizer.weight_decay, 0.05);
  EXPECT_EQ(p.schedule.warmup_steps, 100);
  EXPECT_EQ(p.output.name, "mira-z");
  EXPECT_EQ(p.name, "Mira");
  EXPECT_THAT(row(r, "dit").note.text(), HasSubstr("A path"));
  EXPECT_THAT(row(r, "network_args.exclude_patterns").note.text(), HasSubstr("a filter of layers"));
  EXPECT_THAT(row(r, "num_timestep_buckets").note.text(), HasSubstr("Not offered"));
  EXPECT_EQ(r.count(ImportFate::unknown), 0u);
  expect_reported(r);
  expect_safe(r);
}

TEST(ImportMusubi, DatasetFile) {
  const ImportResult r = read_sample("musubi_dataset.toml");
  EXPECT_EQ(r.format, ImportFormat::musubi);
  EXPECT_EQ(r.preset.data.batch_size, 2);
  EXPECT_EQ(r.preset.data.repeats, 4);
  EXPECT_EQ(r.preset.data.resolution, 723) << "the root of 960 x 544";
  EXPECT_TRUE(r.preset.data.buckets);
  EXPECT_EQ(r.preset.data.bucket_rule, BucketRule::equal_area) << "not that of sd-scripts";
  EXPECT_EQ(r.preset.adapter.rank, Preset{}.adapter.rank);
  EXPECT_EQ(r.count(ImportFate::unknown), 0u);
  EXPECT_EQ(r.count(ImportFate::assumed), 0u);
  expect_reported(r);
}

TEST(ImportMusubi, DefaultsDifferFromThoseOfSdScripts) {
  const ImportResult r =
      import_preset_text("network_module = \"networks.lora_flux_2\"\nnetwork_dim = 8\n", "x.toml");
  EXPECT_EQ(r.preset.training.flow_shift, 1);
  EXPECT_THAT(row(r, "discrete_flow_shift").note.text(), HasSubstr("musubi-tuner"));
  EXPECT_THAT(r.preset.training.parts, ElementsAre(kDenoiser)) << "text encoders are not trained";
  const ImportResult shifted = import_preset_text(
      "network_module = \"networks.lora_flux_2\"\ntimestep_sampling = \"flux2_shift\"\n", "x.toml");
  EXPECT_EQ(shifted.preset.training.timesteps, TimestepDistribution::shifted);
  EXPECT_EQ(shifted.preset.training.flow_shift, std::nullopt) << "by the size of each image";
  EXPECT_THAT(shifted.preset.adapter.targets, ElementsAre("attention+mlp"));
  const ImportResult loha = import_preset_text(
      "network_module = \"networks.loha\"\nmodel_version = \"klein-4b\"\ndit = \"/m\"\n"
      "fp8_base = true\n",
      "x.toml");
  EXPECT_EQ(loha.preset.model.family, ModelFamily("flux2"));
  EXPECT_EQ(loha.preset.adapter.type, AdapterType::loha);
  EXPECT_EQ(row(loha, "network_module").fate, ImportFate::mapped);
  EXPECT_THAT(row(loha, "fp8_base").note.text(), HasSubstr("without any there"));
}

TEST(ImportMusubi, TransformersAreLoadedInBf16WhateverIsMixed) {
  const auto read = [](const std::string& network) {
    return import_preset_text("network_module = \"networks." + network + "\"\nnetwork_dim = 8\n",
                              "x.toml")
        .preset.precision;
  };
  EXPECT_EQ(read("lora_qwen_image").compute, ComputeType::bf16);
  EXPECT_EQ(read("lora_qwen_image").weights.denoiser, StorageType::bf16);
  EXPECT_EQ(read("lora_zimage").compute, ComputeType::fp32);
}

TEST(ImportMusubi, QwenShiftIsTheModelsOwn) {
  const ImportResult r = import_preset_text(
      "network_module = \"networks.lora_qwen_image\"\ntimestep_sampling = \"qwen_shift\"\n",
      "x.toml");
  EXPECT_EQ(r.preset.training.timesteps, TimestepDistribution::shifted);
  EXPECT_EQ(r.preset.training.flow_shift, std::nullopt);
  EXPECT_EQ(row(r, "timestep_sampling").fate, ImportFate::mapped);
}

// The network decides, then keys that only one of the two has.
TEST(ImportMusubi, IsToldFromSdScripts) {
  const auto format = [](const std::string& text) { return import_preset_text(text, "x").format; };
  EXPECT_EQ(format("network_module = \"networks.lora\"\nnetwork_dim = 4"), ImportFormat::kohya);
  EXPECT_EQ(format("network_module = \"networks.lora_zimage\""), ImportFormat::musubi);
  EXPECT_EQ(format("network_module = \"lycoris.kohya\"\nnetwork_dim = 4"), ImportFormat::kohya);
  EXPECT_EQ(format("[[datasets]]\nimage_directory = \"/a\"\nnum_repeats = 2"),
            ImportFormat::musubi);
  EXPECT_EQ(format("[[datasets]]\n[[datasets.subsets]]\nimage_dir = \"/a\"\nnum_repeats = 2"),
            ImportFormat::kohya);
}

TEST(ImportMusubi, AdaptersMetadata) {
  const ImportResult r = import_preset_metadata({{"ss_network_module", "networks.lora_zimage"},
                                                 {"ss_network_dim", "16"},
                                                 {"ss_network_alpha", "16.0"},
                                                 {"ss_base_model_version", "z_image"},
                                                 {"ss_timestep_sampling", "shift"},
                                                 {"ss_discrete_flow_shift", "3.0"}},
                                                "a");
  EXPECT_EQ(r.format, ImportFormat::musubi);
  EXPECT_EQ(r.preset.model.family, ModelFamily("z_image"));
  EXPECT_EQ(r.preset.training.flow_shift, 3);
  EXPECT_EQ(r.count(ImportFate::unknown), 0u);
}

}  // namespace
}  // namespace mantissa
