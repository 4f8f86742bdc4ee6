#include "engine/preset/import_ai_toolkit.h"

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

const ImportRow& in_process(const ImportResult& result, const std::string& key) {
  return row(result, "config.process[0]." + key);
}

ImportResult with_train(const std::string& train, const std::string& arch = "zimage") {
  return import_preset_text("job: extension\nconfig:\n  process:\n    - model: {arch: " + arch +
                                "}\n      network: {type: lora}\n      train: {" + train + "}\n",
                            "x.yaml");
}

TEST(ImportAiToolkit, ZImageInYaml) {
  const ImportResult r = read_sample("ai_toolkit_zimage.yaml");
  EXPECT_EQ(r.format, ImportFormat::ai_toolkit);
  const Preset& p = r.preset;
  EXPECT_EQ(p.name, "mira_zimage");
  EXPECT_EQ(p.output.name, "mira_zimage");
  EXPECT_EQ(p.model.family, ModelFamily("z_image"));
  EXPECT_EQ(p.adapter.type, AdapterType::lora);
  EXPECT_EQ(p.adapter.rank, 16);
  EXPECT_EQ(p.adapter.alpha, 16) << "that of the file has no effect there";
  EXPECT_EQ(p.adapter.conv_rank, 0) << "a transformer has no convolutions";
  EXPECT_THAT(p.adapter.targets,
              ElementsAre("denoiser.layers.*.attention.*", "denoiser.layers.*.feed_forward.*",
                          "denoiser.layers.*.adaLN_modulation.0"));
  EXPECT_EQ(p.precision.compute, ComputeType::bf16);
  EXPECT_EQ(p.precision.weights.denoiser, StorageType::fp8_e4m3);
  EXPECT_EQ(p.precision.weights.text_encoders, StorageType::fp8_e4m3);
  EXPECT_THAT(in_process(r, "model.quantize_te").note.text(), HasSubstr("uint4 is not offered"));
  EXPECT_EQ(p.precision.weights.vae, StorageType::bf16);
  EXPECT_EQ(p.output.dtype, MasterType::bf16);
  EXPECT_EQ(p.output.save_every, 300);
  EXPECT_EQ(p.output.keep, 4);
  EXPECT_EQ(p.data.resolution, 1024);
  EXPECT_EQ(p.data.further_resolutions, (std::vector<int>{768, 512}));
  EXPECT_EQ(in_process(r, "datasets[0].resolution").fate, ImportFate::mapped);
  EXPECT_EQ(p.data.repeats, 1);
  ASSERT_EQ(p.data.folders.size(), 2u);
  EXPECT_EQ(p.data.folders[0].folder, "images");
  EXPECT_EQ(p.data.folders[0].repeats, 3);
  EXPECT_EQ(p.data.folders[0].resolution, 0) << "those of all images";
  EXPECT_EQ(p.data.folders[1].folder, "more");
  EXPECT_EQ(p.data.folders[1].resolution, 512);
  EXPECT_EQ(p.data.caption_dropout, 0.05);
  EXPECT_TRUE(p.data.shuffle_captions);
  EXPECT_EQ(p.data.keep_tokens, 2);
  EXPECT_EQ(p.data.batch_size, 2);
  EXPECT_EQ(p.data.cache, CacheMode::all);
  EXPECT_EQ(p.training.steps, 2500);
  EXPECT_EQ(p.training.gradient_accumulation, 4);
  EXPECT_TRUE(p.training.gradient_checkpointing);
  EXPECT_EQ(p.training.ema, 0.99);
  EXPECT_EQ(p.training.timesteps, TimestepDistribution::uniform);
  EXPECT_EQ(p.training.flow_shift, 1);
  EXPECT_EQ(in_process(r, "train.timestep_type").fate, ImportFate::changed);
  EXPECT_EQ(p.optimizer.type, OptimizerType::adamw8bit);
  EXPECT_EQ(p.optimizer.learning_rate, 1e-4) << "1e-4 is a number";
  EXPECT_EQ(p.optimizer.weight_decay, 1e-4);
  EXPECT_EQ(p.optimizer.eps, 1e-6);
  EXPECT_EQ(row(r, "train.optimizer_params.eps").fate, ImportFate::assumed);
  EXPECT_EQ(p.samples.every, 250);
  ASSERT_EQ(p.samples.prompts.size(), 2u);
  EXPECT_EQ(p.samples.prompts[1].prompt, "m1ra at sea: waves");
  EXPECT_EQ(p.samples.prompts[1].negative, "blurry");
  EXPECT_EQ(p.samples.prompts[1].width, 1024);
  EXPECT_EQ(p.samples.prompts[1].height, 768);
  EXPECT_EQ(p.samples.prompts[1].steps, 28);
  EXPECT_EQ(p.samples.prompts[1].guidance, 4);
  EXPECT_EQ(p.samples.prompts[1].seed, 8) << "one more than the first";
  expect_safe(r);
}

TEST(ImportAiToolkit, ReportHasARowForEveryKey) {
  const ImportResult r = read_sample("ai_toolkit_zimage.yaml");
  EXPECT_EQ(in_process(r, "network.linear").line, 13);
  EXPECT_EQ(in_process(r, "network.linear").fate, ImportFate::mapped);
  EXPECT_THAT(in_process(r, "model.name_or_path").note.text(), HasSubstr("A path"));
  EXPECT_THAT(in_process(r, "trigger_word").note.text(), HasSubstr("Not offered"));
  EXPECT_EQ(in_process(r, "datasets[1].resolution").targets,
            std::vector<std::string>{"data.folders"});
  EXPECT_EQ(in_process(r, "datasets[0].network_weight").note.text(), "Not used there.");
  EXPECT_EQ(in_process(r, "datasets[0].brand_new_option").fate, ImportFate::unknown);
  EXPECT_EQ(r.count(ImportFate::unknown), 1u);
  expect_reported(r);
}

TEST(ImportAiToolkit, KleinInJson) {
  const ImportResult r = read_sample("ai_toolkit_klein.json");
  EXPECT_EQ(r.format, ImportFormat::ai_toolkit);
  const Preset& p = r.preset;
  EXPECT_EQ(p.model.family, ModelFamily("flux2"));
  EXPECT_EQ(p.adapter.type, AdapterType::lokr);
  EXPECT_EQ(p.adapter.factor, -1);
  EXPECT_EQ(p.adapter.rank, 1024) << "lokr_full_rank";
  EXPECT_EQ(p.adapter.alpha, 1024);
  EXPECT_EQ(in_process(r, "network.lokr_full_rank").fate, ImportFate::changed);
  EXPECT_THAT(p.adapter.targets, ElementsAre("attention+mlp"));
  EXPECT_EQ(p.precision.weights.denoiser, StorageType::bf16);
  EXPECT_EQ(p.optimizer.type, OptimizerType::prodigy);
  EXPECT_EQ(p.optimizer.weight_decay, 0);
  EXPECT_EQ(row(r, "train.optimizer_params.weight_decay").fate, ImportFate::assumed);
  EXPECT_EQ(p.training.timesteps, TimestepDistribution::sigmoid);
  EXPECT_THAT(p.training.parts, ElementsAre(kDenoiser));
  EXPECT_EQ(in_process(r, "train.train_text_encoder").fate, ImportFate::changed);
  EXPECT_EQ(p.data.masks, MaskMode::files);
  EXPECT_EQ(p.data.unmasked_weight, 0.1);
  EXPECT_TRUE(p.data.flip);
  EXPECT_EQ(p.data.cache, CacheMode::none);
  EXPECT_EQ(row(r, "datasets.cache_latents_to_disk").fate, ImportFate::assumed);
  EXPECT_EQ(p.samples.every, 0) << "sampling is disabled";
  EXPECT_EQ(p.samples.prompts[0].guidance, 2.5);
  EXPECT_EQ(p.samples.prompts[1].guidance, 4);
  EXPECT_EQ(p.output.keep, 2);
  EXPECT_EQ(r.count(ImportFate::unknown), 0u);
  expect_reported(r);
  expect_safe(r);
}

TEST(ImportAiToolkit, Timesteps) {
  using enum TimestepDistribution;
  const std::optional<double> own;
  const struct {
    const char* train;
    TimestepDistribution timesteps;
    std::optional<double> shift;
  } cases[] = {
      {"noise_scheduler: flowmatch, timestep_type: sigmoid", sigmoid, own},
      {"noise_scheduler: flowmatch", sigmoid, own},
      {"noise_scheduler: flowmatch, timestep_type: linear", uniform, 1},
      {"noise_scheduler: flowmatch, timestep_type: shift", uniform, own},
      {"noise_scheduler: flowmatch, linear_timesteps: true, timestep_type: sigmoid", uniform, 1},
  };
  for (const auto& c : cases) {
    const ImportResult r = with_train(c.train);
    EXPECT_EQ(r.preset.training.timesteps, c.timesteps) << c.train;
    EXPECT_EQ(r.preset.training.flow_shift, c.shift) << c.train;
    const ImportResult other = with_train("timestep_type: linear", "sdxl");
    EXPECT_EQ(other.preset.training.flow_shift, own) << "SDXL has no flow";
  }
  const ImportResult blend = with_train("noise_scheduler: flowmatch, timestep_type: lognorm_blend");
  EXPECT_THAT(in_process(blend, "train.timestep_type").note.text(), HasSubstr("Not offered"));
}

TEST(ImportAiToolkit, QuantisedTypes) {
  for (const auto& [type, ours] : {std::pair{"qfloat8", StorageType::fp8_e4m3},
                                   {"qint8", StorageType::int8},
                                   {"int8", StorageType::int8},
                                   {"qint4", StorageType::fp8_e4m3}}) {
    const ImportResult r = import_preset_text(
        std::string(
            "job: extension\nconfig:\n  process:\n    - model: {arch: sdxl, quantize: true, "
            "qtype: ") +
            type + "}\n      network: {type: lora}\n",
        "x.yaml");
    EXPECT_EQ(r.preset.precision.weights.denoiser, ours) << type;
    EXPECT_EQ(in_process(r, "model.quantize").note.text().find("not offered") != std::string::npos,
              std::string_view(type) == "qint4");
  }
}

TEST(ImportAiToolkit, TextEncodersAreQuantisedWithTheDenoiser) {
  const auto read = [](const std::string& model) {
    return import_preset_text(
        "job: extension\nconfig:\n  process:\n    - model: {" + model + "}\n      network: {}\n",
        "x.yaml");
  };
  const ImportResult r = read("arch: zimage, quantize: true");
  EXPECT_EQ(r.preset.precision.weights.text_encoders, StorageType::fp8_e4m3);
  EXPECT_EQ(row(r, "model.quantize_te").fate, ImportFate::assumed);
  const StorageType usual = Preset{}.precision.weights.text_encoders;
  EXPECT_EQ(read("arch: zimage, quantize: true, quantize_te: false")
                .preset.precision.weights.text_encoders,
            usual);
  EXPECT_EQ(read("arch: zimage").preset.precision.weights.text_encoders, usual);
}

TEST(ImportAiToolkit, TextEncodersAndConvolutionsOfSdxl) {
  const ImportResult r = import_preset_text(
      "job: extension\nconfig:\n  process:\n    - model: {arch: sdxl, is_v_pred: true}\n"
      "      network: {type: lora, linear: 8, conv: 4, conv_alpha: 4}\n"
      "      train: {train_text_encoder: true, lr: 1e-4, text_encoder_lr: 5e-6}\n",
      "x.yaml");
  EXPECT_THAT(r.preset.training.parts, ElementsAre(kDenoiser, kTe1, kTe2));
  ASSERT_EQ(r.preset.optimizer.groups.size(), 2u);
  EXPECT_EQ(r.preset.optimizer.groups[1].learning_rate, 5e-6);
  EXPECT_EQ(r.preset.adapter.conv_rank, 4);
  EXPECT_EQ(r.preset.adapter.alpha, 1) << "AI Toolkit's default, not ours";
  EXPECT_EQ(r.preset.adapter.targets.front(), "linear+conv");
  EXPECT_EQ(r.preset.training.prediction, Prediction::v);
  EXPECT_EQ(r.preset.data.resolution, 512);
  EXPECT_EQ(r.preset.samples.every, 100);
}

TEST(ImportAiToolkit, LokrsWholeMatrixIsItsDefault) {
  const auto read = [](const std::string& network, const std::string& arch = "sdxl") {
    return import_preset_text("job: extension\nconfig:\n  process:\n    - model: {arch: " + arch +
                                  "}\n      network: " + network + "\n",
                              "x.yaml")
        .preset.adapter;
  };
  for (const char* network :
       {"{type: lokr, linear: 8, lokr_factor: 4}", "{type: lokr, lokr_factor: 4}",
        "{type: lokr, rank: 8, linear: 16, alpha: 4, lokr_factor: 4}",
        "{type: lokr, lokr_full_rank: true, conv: 16, conv_alpha: 8, lokr_factor: 4}"}) {
    for (const char* arch : {"sdxl", "flux"}) {
      const Preset::Adapter whole = read(network, arch);
      SCOPED_TRACE(std::string(network) + " " + arch);
      EXPECT_EQ(whole.rank, 1024);
      EXPECT_EQ(whole.alpha, 1024) << "a scale of 1";
      EXPECT_EQ(whole.factor, 4);
      EXPECT_TRUE(whole.ranks.empty());
    }
    const Preset::Adapter unet = read(network);
    EXPECT_EQ(unet.conv_rank, 1024) << network;
    EXPECT_EQ(unet.targets.front(), "linear+conv") << network;
  }
  EXPECT_EQ(read("{type: lokr, linear: 8, lokr_full_rank: false}").rank, 8);
  const std::string part = "type: lokr, lokr_full_rank: false, linear: 16, linear_alpha: 8";
  EXPECT_EQ(read("{" + part + "}", "flux").alpha, 16) << "PEFT's form";
  EXPECT_EQ(read("{" + part + ", old_lokr_format: true}", "flux").alpha, 8);
  EXPECT_EQ(read("{" + part + ", old_lokr_format: true}", "krea2").alpha, 16) << "has no old form";
  EXPECT_EQ(read("{type: lora, linear: 8, lokr_full_rank: true, lokr_factor: 4}").rank, 8);
  EXPECT_EQ(read("{type: lora, linear: 8, lokr_factor: 4}").factor, -1);
}

TEST(ImportAiToolkit, RandomCropsAreVersions) {
  const ImportResult r = import_preset_text(
      "job: extension\nconfig:\n  process:\n    - datasets:\n        - random_crop: true\n"
      "          augments: [ColorJitter]\n",
      "x.yaml");
  EXPECT_EQ(r.preset.data.variants, 8);
  EXPECT_EQ(r.preset.data.crop_jitter, 0.01);
  const auto note = [&](std::string_view end) {
    for (const ImportRow& row : r.rows) {
      if (row.source.ends_with(end)) {
        return row.note.text();
      }
    }
    return std::string("no row");
  };
  EXPECT_THAT(note("random_crop"), HasSubstr("8 versions"));
  EXPECT_THAT(note("augments"), HasSubstr("data.brightness"));
}

TEST(ImportAiToolkit, JobsThatDoNotTrainAreRefused) {
  EXPECT_THAT(test::message_of(
                  [] { import_preset_text("job: extract\nconfig:\n  process: []\n", "x.yaml"); }),
              HasSubstr("x.yaml:1: the job \"extract\" of AI Toolkit does not train"));
}

TEST(ImportAiToolkit, TheTriggerWordStandsInSamples) {
  const auto prompt = [](const std::string& trigger, const std::string& samples) {
    return import_preset_text(
               "job: extension\nconfig:\n  name: zorb v2\n  process:\n    - type: sd_trainer\n" +
                   trigger +
                   "      model: {arch: sdxl}\n      network: {type: lora, linear: 8}\n"
                   "      sample: {" +
                   samples + "}\n",
               "x.yaml")
        .preset.samples.prompts.at(0)
        .prompt;
  };
  const char* word = "      trigger_word: p3r5on\n";
  EXPECT_EQ(prompt(word, "prompts: ['a [trigger] and [trigger] --w 512']"), "a p3r5on and p3r5on");
  EXPECT_EQ(prompt(word, "samples: [{prompt: '[trigger] of [name]'}]"), "p3r5on of zorb v2");
  EXPECT_EQ(prompt(word, "prompts: ['a cat']"), "a cat") << "not put in front there";
  EXPECT_EQ(prompt("", "prompts: ['a [trigger]']"), "a [trigger]");
}

TEST(ImportAiToolkit, PreservationOfTheBasesOutput) {
  const auto imported = [](const std::string& trigger, const std::string& train) {
    return import_preset_text(
        "job: extension\nconfig:\n  process:\n    - model: {arch: sdxl}\n" + trigger +
            "      network: {type: lora, linear: 8}\n      train: {" + train + "}\n",
        "x.yaml");
  };
  const ImportResult of_class =
      imported("      trigger_word: p3r5on\n",
               "diff_output_preservation: true, diff_output_preservation_multiplier: 0.5, "
               "diff_output_preservation_class: person, blank_prompt_preservation: true");
  const Preset::Training& t = of_class.preset.training;
  EXPECT_EQ(t.preservation, Preservation::class_word);
  EXPECT_EQ(t.preservation_weight, 0.5);
  EXPECT_EQ(t.class_word, "person");
  EXPECT_EQ(t.trigger_word, "p3r5on");
  EXPECT_EQ(in_process(of_class, "trigger_word").fate, ImportFate::changed);
  EXPECT_EQ(in_process(of_class, "train.blank_prompt_preservation").note.text(), "Not used there.");
  const ImportResult blank = imported("",
                                      "blank_prompt_preservation: true, "
                                      "blank_prompt_preservation_multiplier: 2");
  EXPECT_EQ(blank.preset.training.preservation, Preservation::empty);
  EXPECT_EQ(blank.preset.training.preservation_weight, 2);
  const ImportResult off =
      imported("", "diff_output_preservation: false, diff_output_preservation_class: person");
  EXPECT_EQ(off.preset.training.preservation, Preservation::off);
  EXPECT_EQ(off.preset.training.class_word, "");
}

TEST(ImportAiToolkit, ASliderOfTwoPrompts) {
  const ImportResult r = import_preset_text(
      "job: extension\nconfig:\n  process:\n    - type: concept_slider\n      model: {arch: sdxl}\n"
      "      network: {type: lora, linear: 8}\n      train: {steps: 500}\n"
      "      slider: {guidance_strength: 4, anchor_strength: 3, target_class: person,\n"
      "               positive_prompt: old person, negative_prompt: young person,\n"
      "               anchor_class: house}\n",
      "x.yaml");
  EXPECT_EQ(r.preset.training.purpose, TrainingPurpose::slider);
  const Preset::Slider& slider = r.preset.slider;
  EXPECT_EQ(slider.target, "person");
  EXPECT_EQ(slider.positive, "old person");
  EXPECT_EQ(slider.negative, "young person");
  EXPECT_EQ(slider.anchor, "house");
  EXPECT_EQ(slider.guidance, 4);
  EXPECT_EQ(slider.anchor_weight, 1.5);
  EXPECT_EQ(in_process(r, "slider.anchor_strength").fate, ImportFate::changed);
  const ImportResult other = import_preset_text(
      "job: extension\nconfig:\n  process:\n    - type: sd_trainer\n      model: {arch: sdxl}\n"
      "      network: {type: lora, linear: 8}\n      slider: {target_class: person}\n",
      "x.yaml");
  EXPECT_EQ(other.preset.slider.target, "");
  EXPECT_EQ(in_process(other, "slider.target_class").note.text(), "Not used there.");
}

TEST(ImportAiToolkit, ASliderOfPairs) {
  const auto imported = [](const std::string& slider) {
    return import_preset_text(
        "job: extension\nconfig:\n  process:\n    - type: image_reference_slider_trainer\n"
        "      model: {arch: sdxl}\n      network: {type: lora, linear: 8}\n"
        "      train: {steps: 500, max_denoising_steps: 1000}\n      slider: " +
            slider,
        "x.yaml");
  };
  const ImportResult r = imported(
      "{weight_jitter: 0.5, additional_losses: [a], datasets: [{pair_folder: p, size: 768,\n"
      "       network_weight: 1.0, target_class: person}, {pos_folder: q, neg_folder: n,\n"
      "       size: 768, pos_weight: 2}]}\n");
  EXPECT_EQ(r.preset.training.purpose, TrainingPurpose::pair_slider);
  EXPECT_EQ(r.preset.data.resolution, 768);
  EXPECT_EQ(r.preset.slider, Preset::Slider());
  const auto note = [&](const char* key) { return in_process(r, key).note.text(); };
  EXPECT_THAT(note("slider.datasets[0].pair_folder"),
              testing::HasSubstr("Cut them in the middle: the right halves are the run's images"));
  EXPECT_EQ(note("slider.datasets[1].pos_folder"),
            "Chosen for each run: pos_folder has its images, neg_folder its references.");
  EXPECT_EQ(note("slider.datasets[0].target_class"),
            "Not offered here: a caption for images without one.");
  EXPECT_EQ(note("slider.datasets[0].network_weight"), "The same here.");
  EXPECT_EQ(note("train.max_denoising_steps"), "The same here.");
  for (const char* key : {"slider.datasets[1].pos_weight", "slider.weight_jitter"}) {
    EXPECT_EQ(note(key), "Not offered here: other weights at a slider's ends.") << key;
  }
  EXPECT_EQ(imported("{datasets: [{pair_folder: p}]}\n").preset.data.resolution, 512);
}

TEST(ImportAiToolkit, LengthsOfSchedulesAreTheRuns) {
  const ImportResult r = import_preset_text(
      "job: extension\nconfig:\n  process:\n    - model: {arch: sdxl}\n"
      "      network: {type: lora, linear: 8}\n"
      "      train: {steps: 2000, lr: 1e-4, lr_scheduler: cosine_with_restarts,\n"
      "              lr_scheduler_params: {T_0: 500, total_iters: 400}}\n",
      "x.yaml");
  EXPECT_EQ(r.preset.schedule.cycles, 1);
  for (const char* key : {"T_0", "total_iters"}) {
    const ImportRow& given =
        row(r, std::string("config.process[0].train.lr_scheduler_params.") + key);
    EXPECT_EQ(given.fate, ImportFate::ignored) << key;
    EXPECT_EQ(given.note.text(), "Always the length of the run there, whatever is given.");
  }
}

TEST(ImportAiToolkit, WithoutANetworkTheModelIsTrained) {
  const ImportResult r = import_preset_text(
      "job: extension\nconfig:\n  process:\n    - train: {steps: 10}\n", "x.yaml");
  EXPECT_EQ(r.preset.training.method, TrainingMethod::full);
  EXPECT_EQ(row(r, "network").fate, ImportFate::assumed);
}

}  // namespace
}  // namespace mantissa
