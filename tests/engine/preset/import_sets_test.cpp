// Whose file it is, and which of its data sets count.
#include "tests/engine/preset/import_samples.h"

namespace mantissa {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_support::expect_reported;
using testing_support::row;

std::string set_refusal(const std::string& text) {
  try {
    import_preset_text(text, "x");
  } catch (const Error& error) {
    return error.what();
  }
  return "imported";
}

TEST(ImportSets, ARunsRecordGivesItsPreset) {
  Preset preset;
  preset.adapter.rank = 24;
  const std::string own = to_json(preset, WriteMode::full);
  for (const char* kind : {"\"mantissa_job\": 2", "\"state\": \"finished\""}) {
    const ImportResult r = import_preset_text(
        std::string("{\"base\": \"b\", ") + kind + ", \"preset\": " + own + "}", "job.json");
    EXPECT_EQ(r.format, ImportFormat::mantissa);
    EXPECT_TRUE(r.preset == preset) << kind;
  }
}

TEST(ImportSets, OtherProgramsAreNamed) {
  EXPECT_THAT(set_refusal(R"({"pretrained_model_name_or_path": "b", "instance_data_dir": "x",
                          "rank": 32, "max_train_steps": 500, "text_encoder_lr": 5e-6})"),
              HasSubstr("diffusers"));
  EXPECT_THAT(set_refusal("type: SDXL_LORA\nlora_rank_dim: 16\nmax_train_steps: 200\n"
                          "min_snr_gamma: 5.0\ntrain_batch_size: 4\n"),
              HasSubstr("invoke-training"));
  EXPECT_THAT(set_refusal("max_train_steps = 9\nmin_snr_gamma = 5\ntext_encoder_lr = 1e-5\n"),
              HasSubstr("shared by several trainers"));
}

TEST(ImportSets, RegularisationImagesGiveNoSettings) {
  const ImportResult kohya = import_preset_text(
      "[[datasets]]\nresolution = 512\n[[datasets.subsets]]\nimage_dir = \"/reg\"\nis_reg = true\n"
      "flip_aug = true\n[[datasets.subsets]]\nimage_dir = \"/a\"\nnum_repeats = 20\n"
      "shuffle_caption = true\n",
      "x.toml");
  EXPECT_EQ(kohya.preset.data.repeats, 20);
  EXPECT_TRUE(kohya.preset.data.shuffle_captions);
  EXPECT_FALSE(kohya.preset.data.flip);
  EXPECT_THAT(row(kohya, "datasets[0].subsets[0].flip_aug").note.text(),
              HasSubstr("Regularisation images. datasets[0].subsets[1] counts"));
  expect_reported(kohya);
  const ImportResult toolkit = import_preset_text(
      "job: extension\nconfig:\n  process:\n    - model: {arch: sdxl}\n      network: {type: lora, "
      "linear: 8}\n      datasets:\n"
      "        - {folder_path: /r, is_reg: true, resolution: 256, flip_x: true}\n"
      "        - {folder_path: /v, num_frames: 41, resolution: 320}\n"
      "        - {folder_path: /a, num_repeats: 9, resolution: 1024}\n",
      "x.yaml");
  EXPECT_EQ(toolkit.preset.data.resolution, 1024);
  EXPECT_FALSE(toolkit.preset.data.flip);
  EXPECT_EQ(toolkit.preset.data.repeats, 9);
  EXPECT_THAT(row(toolkit, "config.process[0].datasets[1].resolution").note.text(),
              HasSubstr("Videos."));
}

TEST(ImportSets, VideosAndDisabledSetsGiveNoSettings) {
  const ImportResult musubi = import_preset_text(
      "[general]\nresolution = [1024, 1024]\n[[datasets]]\nvideo_directory = \"/v\"\n"
      "num_repeats = 7\n[[datasets]]\nimage_directory = \"/a\"\nnum_repeats = 2\n",
      "x.toml");
  EXPECT_EQ(musubi.preset.data.repeats, 2);
  EXPECT_THAT(row(musubi, "datasets[0].num_repeats").note.text(), HasSubstr("Videos."));
  const ImportResult tuner = import_preset_text(
      R"([{"id": "a", "type": "local", "instance_data_dir": "/a", "resolution": 1024,
           "disabled": true}, {"id": "r", "type": "local", "resolution": 256,
           "is_regularisation_data": "true"},
          {"id": "b", "type": "local", "resolution": 512, "repeats": 4}])",
      "x.json");
  EXPECT_EQ(tuner.preset.data.resolution, 512);
  EXPECT_EQ(tuner.preset.data.repeats, 5);
  EXPECT_THAT(row(tuner, "[0].resolution").note.text(), HasSubstr("Switched off there. [2]"));
  EXPECT_THAT(row(tuner, "[1].resolution").note.text(), HasSubstr("Regularisation images."));
}

TEST(ImportSets, FoldersKeepRepeatsPrefixesAndWeights) {
  const ImportResult kohya = import_preset_text(
      "[general]\nnum_repeats = 3\n[[datasets]]\nresolution = 512\n[[datasets.subsets]]\n"
      "image_dir = \"C:\\\\data\\\\mira\"\ncaption_prefix = \"mira,\"\n[[datasets]]\n"
      "[[datasets.subsets]]\nimage_dir = \"/b/\"\nnum_repeats = 8\n",
      "x.toml");
  ASSERT_EQ(kohya.preset.data.folders.size(), 2u);
  EXPECT_EQ(kohya.preset.data.folders[0].folder, "mira");
  EXPECT_EQ(kohya.preset.data.folders[0].prefix, "mira,");
  EXPECT_EQ(kohya.preset.data.folders[0].repeats, 3) << "of the general section";
  EXPECT_EQ(kohya.preset.data.folders[1].folder, "b");
  EXPECT_EQ(kohya.preset.data.folders[1].repeats, 8);
  EXPECT_EQ(kohya.preset.data.repeats, 1) << "else they would count twice";
  EXPECT_EQ(row(kohya, "datasets[1].subsets[0].num_repeats").fate, ImportFate::mapped);
  expect_reported(kohya);
  const ImportResult toolkit = import_preset_text(
      "job: extension\nconfig:\n  process:\n    - model: {arch: sdxl}\n      datasets:\n"
      "        - {folder_path: /a, loss_multiplier: 0.5}\n        - {folder_path: /b}\n",
      "x.yaml");
  ASSERT_EQ(toolkit.preset.data.folders.size(), 1u);
  EXPECT_EQ(toolkit.preset.data.folders[0].weight, 0.5);
  const ImportResult same = import_preset_text(
      "[[datasets]]\n[[datasets.subsets]]\nimage_dir = \"/a/x\"\nnum_repeats = 2\n"
      "[[datasets.subsets]]\nimage_dir = \"/b/x\"\nnum_repeats = 5\n",
      "x.toml");
  EXPECT_TRUE(same.preset.data.folders.empty()) << "one name for two folders";
  EXPECT_EQ(same.preset.data.repeats, 2);
  EXPECT_EQ(row(same, "datasets[0].subsets[0].num_repeats").fate, ImportFate::changed);
}

TEST(ImportSets, OneNameOfSeveralFoldersHasNoRuleOfOneOfThem) {
  // The second needs no rule of its own, but the first one's would count for it.
  const ImportResult r = import_preset_text(
      "[[datasets]]\n[[datasets.subsets]]\nimage_dir = \"/a/x\"\nnum_repeats = 5\n"
      "[[datasets.subsets]]\nimage_dir = \"/b/x\"\nnum_repeats = 1\n",
      "x.toml");
  EXPECT_TRUE(r.preset.data.folders.empty());
  EXPECT_EQ(row(r, "datasets[0].subsets[0].num_repeats").fate, ImportFate::changed);
  EXPECT_NE(row(r, "datasets[0].subsets[1].num_repeats").fate, ImportFate::mapped);
}

TEST(ImportSets, RepeatsThatAreNotOfferedAreTold) {
  const ImportResult r = import_preset_text(
      "[[datasets]]\n[[datasets.subsets]]\nimage_dir = \"/a\"\nnum_repeats = 20000\n"
      "[[datasets.subsets]]\nimage_dir = \"/b\"\nnum_repeats = 0\n"
      "[[datasets.subsets]]\nimage_dir = \"/c\"\nnum_repeats = 3\n",
      "x.toml");
  ASSERT_EQ(r.preset.data.folders.size(), 2u);
  EXPECT_EQ(r.preset.data.folders[0].folder, "a");
  EXPECT_EQ(r.preset.data.folders[0].repeats, 10000);
  EXPECT_EQ(r.preset.data.folders[1].folder, "c");
  const ImportRow& most = row(r, "datasets[0].subsets[0].num_repeats");
  EXPECT_EQ(most.fate, ImportFate::changed);
  EXPECT_EQ(most.note.text(), "a: 20000 repeats are not offered here; the nearest is 10000.");
  const ImportRow& none = row(r, "datasets[0].subsets[1].num_repeats");
  EXPECT_EQ(none.fate, ImportFate::changed);
  EXPECT_EQ(none.note.text(), "b is left out there, with 0 repeats: don't choose it for a run.");
  EXPECT_EQ(row(r, "datasets[0].subsets[2].num_repeats").fate, ImportFate::mapped);
  const ImportResult text = import_preset_text(
      R"([{"id": "a", "type": "local", "instance_data_dir": "/a", "repeats": "often"},
          {"id": "b", "type": "local", "instance_data_dir": "/b", "repeats": 4}])",
      "x.json");
  EXPECT_EQ(row(text, "[0].repeats").fate, ImportFate::changed);
  EXPECT_THAT(row(text, "[0].repeats").note.text(), HasSubstr("not a number"));
}

TEST(ImportSets, NoiseOfStableDiffusionIsNotThatOfFlow) {
  const ImportResult tuner = import_preset_text(
      R"({"training_method": "LORA", "model_type": "Z_IMAGE", "force_v_prediction": true,
          "rescale_noise_scheduler_to_zero_terminal_snr": true})",
      "x.json");
  EXPECT_EQ(tuner.preset.training.prediction, Preset{}.training.prediction);
  EXPECT_FALSE(tuner.preset.training.zero_terminal_snr);
  EXPECT_THAT(row(tuner, "force_v_prediction").note.text(), HasSubstr("Stable Diffusion only"));
  const ImportResult kohya = import_preset_text(
      "dit = \"z\"\nv_parameterization = true\nzero_terminal_snr = true\nmin_snr_gamma = 5\n"
      "noise_offset = 0.1\nnetwork_module = \"networks.lora_zimage\"\n",
      "x.toml");
  for (const char* key :
       {"v_parameterization", "zero_terminal_snr", "min_snr_gamma", "noise_offset"}) {
    EXPECT_THAT(row(kohya, key).note.text(), HasSubstr("Stable Diffusion only")) << key;
  }
  EXPECT_EQ(kohya.preset.training.noise_offset, 0);
  const ImportResult sdxl = import_preset_text(
      R"({"training_method": "LORA", "model_type": "STABLE_DIFFUSION_XL_10_BASE",
          "rescale_noise_scheduler_to_zero_terminal_snr": true, "force_v_prediction": false})",
      "x.json");
  EXPECT_TRUE(sdxl.preset.training.zero_terminal_snr);
  EXPECT_EQ(sdxl.preset.training.prediction, Prediction::v) << "which it forces";
}

TEST(ImportSets, SimpleTunersArgumentsOfTheOptimizer) {
  const auto tuner = [](const std::string& arguments) {
    return import_preset_text(
        R"({"model_family": "sdxl", "model_type": "lora", "optimizer": "adamw_bf16",
            "optimizer_config": )" +
            arguments + "}",
        "x.json");
  };
  const ImportResult r = tuner(R"("beta1=0.8,beta2=0.95,weight_decay=0.5,eps=1e-7,fused=true")");
  EXPECT_EQ(r.preset.optimizer.betas, (std::array{0.8, 0.95}));
  EXPECT_EQ(r.preset.optimizer.weight_decay, 0.5);
  EXPECT_EQ(r.preset.optimizer.eps, 1e-7);
  EXPECT_EQ(row(r, "optimizer_config.eps").fate, ImportFate::mapped);
  EXPECT_THAT(row(r, "optimizer_config.fused").note.text(), HasSubstr("Not offered here"));
  EXPECT_EQ(tuner(R"("betas=0.8,0.9,eps=1e-7")").preset.optimizer.betas, (std::array{0.8, 0.9}));
  EXPECT_EQ(tuner(R"({"weight_decay": 0.3})").preset.optimizer.weight_decay, 0.3);
  const ImportResult one = tuner(R"("beta1=0.8")");
  EXPECT_EQ(one.preset.optimizer.betas, (std::array{0.8, 0.999}));
  EXPECT_EQ(one.preset.optimizer.eps, 1e-6) << "the default there";
  expect_reported(r);
}

TEST(ImportSets, FlagsAndSeedsOfAiToolkitsPrompts) {
  const ImportResult r = import_preset_text(
      "job: extension\nconfig:\n  process:\n    - model: {arch: sdxl}\n      sample: {prompts: "
      "[\"a cat --w 512 --h 768 --n ugly --d 7\", b], walk_seed: true, seed: 5, width: 1024, "
      "ctrl_img: x}\n",
      "x.yaml");
  const auto& prompts = r.preset.samples.prompts;
  ASSERT_EQ(prompts.size(), 2u);
  EXPECT_EQ(prompts[0].prompt, "a cat");
  EXPECT_EQ(prompts[0].width, 512) << "a flag comes first";
  EXPECT_EQ(prompts[0].negative, "ugly");
  EXPECT_EQ(prompts[0].seed, 7);
  EXPECT_EQ(prompts[1].width, 1024);
  EXPECT_EQ(prompts[1].seed, 6) << "one more than the first";
  EXPECT_EQ(row(r, "config.process[0].sample.walk_seed").fate, ImportFate::mapped);
  EXPECT_THAT(row(r, "config.process[0].sample.ctrl_img").note.text(),
              HasSubstr("conditioning images"));
}

TEST(ImportSets, FoldersOfReferencesAreChosenForEachRun) {
  const ImportResult ostris = import_preset_text(
      "job: extension\nconfig:\n  process:\n    - model: {arch: flux_kontext}\n      network: "
      "{type: "
      "lora, linear: 8}\n      datasets:\n        - {folder_path: /after, control_path: /before}\n",
      "x.yaml");
  const ImportResult musubi = import_preset_text(
      "[general]\nresolution = [960, 544]\n[[datasets]]\nimage_directory = \"/after\"\n"
      "control_directory = \"/before\"\nno_resize_control = true\n",
      "x.toml");
  EXPECT_THAT(row(ostris, "config.process[0].datasets[0].control_path").note.text(),
              HasSubstr("chosen for each run"));
  EXPECT_THAT(row(musubi, "datasets[0].control_directory").note.text(),
              HasSubstr("chosen for each run"));
  EXPECT_THAT(row(musubi, "datasets[0].no_resize_control").note.text(),
              HasSubstr("another size of reference images"));
}

TEST(ImportSets, EditsOfKrea2AreRunsWithReferences) {
  const auto imported = [](const std::string& model) {
    return import_preset_text(
        "job: extension\nconfig:\n  process:\n    - model: {" + model +
            "}\n      network: {type: lora, linear: 8}\n      datasets:\n"
            "        - {folder_path: /after, control_path_1: /before, control_path_2: /beside}\n",
        "x.yaml");
  };
  const std::string key = "config.process[0].model.model_kwargs.";
  const ImportResult edit = imported(
      "arch: krea2, model_kwargs: {edit: true, kv_cache: true, match_target_res: true, "
      "control_image_max_pixels: 1048576, vlm_max_pixels: 65536}");
  EXPECT_EQ(edit.preset.model.family, ModelFamily("krea2"));
  EXPECT_THAT(row(edit, key + "edit").note.text(), HasSubstr("--references"));
  EXPECT_THAT(row(edit, "config.process[0].datasets[0].control_path_2").note.text(),
              HasSubstr("chosen for each run"));
  EXPECT_THAT(row(edit, key + "kv_cache").note.text(), HasSubstr("nothing but each other"));
  EXPECT_THAT(row(edit, key + "match_target_res").note.text(), HasSubstr("another size of ref"));
  EXPECT_THAT(row(edit, key + "control_image_max_pixels").note.text(),
              Not(HasSubstr("another size")));
  EXPECT_THAT(row(edit, key + "vlm_max_pixels").note.text(), HasSubstr("text encoder sees"));
  const ImportResult plain = imported("arch: krea2, model_kwargs: {edit: false}");
  EXPECT_THAT(row(plain, key + "edit").note.text(), Not(HasSubstr("--references")));
  EXPECT_THAT(row(plain, "config.process[0].datasets[0].control_path_1").note.text(),
              HasSubstr("chosen for each run"));
  EXPECT_THAT(row(imported("arch: zimage, model_kwargs: {edit: true}"), key + "edit").note.text(),
              Not(HasSubstr("--references")));
}

TEST(ImportSets, FlagsOfKohyasPrompts) {
  const auto prompt = [](const std::string& first, const std::string& flags) {
    return import_preset_text(
        first + "network_dim = 8\nsample_prompts = \"\"\"a cat " + flags + "\n\"\"\"\n", "x.toml");
  };
  const ImportResult sdxl =
      prompt("network_module = \"networks.lora\"\n", "--W 512 --l 5 --g 3 --ss euler_a --cn x.png");
  EXPECT_EQ(sdxl.preset.samples.prompts.at(0).width, 512) << "in any case there";
  EXPECT_EQ(sdxl.preset.samples.prompts.at(0).guidance, 5);
  EXPECT_EQ(row(sdxl, "sample_prompts").fate, ImportFate::changed);
  EXPECT_THAT(row(sdxl, "sample_prompts").note.text(), HasSubstr("without their --cn, --ss,"));
  const std::string flux = "network_module = \"networks.lora_flux\"\n";
  const ImportResult given = prompt(flux, "--g 2.5 --l 4");
  EXPECT_EQ(given.preset.samples.prompts.at(0).guidance, 2.5) << "the model's own";
  EXPECT_THAT(row(given, "sample_prompts").note.text(), HasSubstr("without their --l,"));
  EXPECT_EQ(row(prompt(flux, "--g 2.5"), "sample_prompts").fate, ImportFate::mapped);
  const std::string musubi = "network_module = \"networks.lora_zimage\"\n";
  EXPECT_EQ(prompt(musubi, "--l 4 --g 2").preset.samples.prompts.at(0).guidance, 4);
  EXPECT_EQ(prompt(musubi, "--g 2").preset.samples.prompts.at(0).guidance, 2);
}

TEST(ImportSets, ReasonsAreTrue) {
  const ImportResult kohya = import_preset_text(
      "network_module = \"networks.lora_anima\"\nnetwork_dim = 8\ntrain_text_encoder = false\n"
      "lr_scheduler = \"cosine\"\nlr_warmup_steps = -10\ntimestep_sampling = \"sigmoid\"\n"
      "sigmoid_scale = 1.5\nconditioning_data_dir = \"/c\"\n",
      "x.toml");
  EXPECT_EQ(kohya.preset.schedule.warmup_steps, 0);
  EXPECT_THAT(row(kohya, "lr_warmup_steps").note.text(), HasSubstr("the nearest is 0"));
  EXPECT_THAT(row(kohya, "sigmoid_scale").note.text(), HasSubstr("another choice of timesteps"));
  EXPECT_EQ(row(kohya, "train_text_encoder").fate, ImportFate::ignored);
  EXPECT_TRUE(row(kohya, "train_text_encoder").targets.empty());
  EXPECT_THAT(row(kohya, "conditioning_data_dir").note.text(), HasSubstr("conditioning images"));
  EXPECT_EQ(import_preset_text(
                "network_dim = 8\nlr_scheduler = \"cosine\"\nlr_warmup_steps = 0.1\n", "x.toml")
                .preset.schedule.warmup_steps,
            160)
      << "of the usual length";
  const auto noising = [](const std::string& distribution) {
    const ImportResult r = import_preset_text(
        R"({"training_method": "LORA", "model_type": "Z_IMAGE", "noising_bias": -0.5,
            "timestep_distribution": ")" +
            distribution + "\"}",
        "x.json");
    return row(r, "noising_bias").note.text();
  };
  EXPECT_THAT(noising("LOGIT_NORMAL"), HasSubstr("together with other keys"));
  EXPECT_THAT(noising("UNIFORM"), HasSubstr("other timestep distributions"));
}

// Here one value holds for all images, whichever folder has it there.

TEST(ImportSets, OptionsThatFoldersDoNotShareAreTold) {
  const ImportResult r = import_preset_text(
      "caption_dropout_rate = 0.1\n[general]\nshuffle_caption = true\n"
      "[[datasets]]\nresolution = 512\nbatch_size = 2\ncolor_aug = false\n"
      "[[datasets.subsets]]\nimage_dir = \"/a/one\"\nkeep_tokens = 1\n"
      "caption_dropout_rate = 0.3\n"
      "[[datasets.subsets]]\nimage_dir = \"/a/two\"\nflip_aug = true\ncolor_aug = true\n"
      "secondary_separator = \";\"\nclass_tokens = \"zorb\"\n"
      "[[datasets.subsets]]\nimage_dir = \"/a/reg\"\nis_reg = true\nrandom_crop = true\n"
      "[[datasets]]\nbatch_size = 8\n[[datasets.subsets]]\nimage_dir = \"/b/three\"\n"
      "[[datasets.subsets]]\nimage_dir = \"/b/none\"\nnum_repeats = 0\nalpha_mask = true\n",
      "x.toml");
  const auto note = [&](const std::string& key) {
    const ImportRow& told = row(r, key);
    return (told.fate == ImportFate::changed ? "changed: " : "") + told.note.text();
  };
  const std::string first = "changed: Holds for some of the folders there, for all images here.";
  const std::string none =
      "changed: Holds for some of the folders there. Here one value holds for all images, and the "
      "first folder has none.";
  EXPECT_EQ(r.preset.data.caption_dropout, 0.3);
  EXPECT_EQ(note("datasets[0].subsets[0].caption_dropout_rate"), first);
  EXPECT_THAT(note("caption_dropout_rate"),
              HasSubstr("that of datasets[0].subsets[0].caption_dropout_rate."))
      << "it holds for the other folders there";
  EXPECT_EQ(note("datasets[0].subsets[0].keep_tokens"), first);
  EXPECT_EQ(note("datasets[0].batch_size"), first);
  EXPECT_THAT(note("datasets[1].batch_size"), HasSubstr("that of datasets[0].batch_size."));
  EXPECT_FALSE(r.preset.data.flip);
  EXPECT_EQ(note("datasets[0].subsets[1].flip_aug"), none);
  EXPECT_THAT(note("datasets[0].subsets[1].color_aug"), HasSubstr("changed: Holds for some"));
  EXPECT_EQ(row(r, "general.shuffle_caption").fate, ImportFate::mapped) << "all folders agree";
  EXPECT_EQ(note("datasets[0].subsets[1].secondary_separator"),
            "Not offered here: caption separators.");
  EXPECT_THAT(note("datasets[0].subsets[1].class_tokens"), HasSubstr("captions by class"));
  EXPECT_THAT(note("datasets[0].subsets[1].image_dir"), HasSubstr("A path"));
  EXPECT_THAT(note("datasets[0].subsets[2].random_crop"), HasSubstr("Regularisation images."));
  EXPECT_THAT(note("datasets[1].subsets[1].alpha_mask"), Not(HasSubstr("changed")))
      << "of a folder without repeats";
  expect_reported(r);
}

TEST(ImportSets, OptionsThatFoldersShareAreTakenAlone) {
  const ImportResult r = import_preset_text(
      "[[datasets]]\nenable_bucket = true\n[[datasets.subsets]]\nimage_dir = \"/a\"\n"
      "flip_aug = true\ncaption_dropout_rate = 0.5\nkeep_tokens = 2\n"
      "[[datasets]]\nenable_bucket = true\n[[datasets.subsets]]\nimage_dir = \"/b\"\n"
      "flip_aug = true\ncaption_dropout_rate = \"0.5\"\n",
      "x.toml");
  EXPECT_TRUE(r.preset.data.flip);
  EXPECT_EQ(r.count(ImportFate::changed), 0U);
  EXPECT_EQ(row(r, "datasets[0].subsets[0].keep_tokens").note.text(),
            "Counts only with shuffle_caption there.");
}

TEST(ImportSets, ScriptsAreNamedAndWhatToImportInstead) {
  const std::string launch =
      "accelerate launch --num_cpu_threads_per_process 1 sdxl_train_network.py "
      "--network_module=networks.lora \\\n --network_dim=16\n";
  for (const std::string& script :
       {launch, "#!/bin/bash\n" + launch, "@echo off\r\n" + launch,
        std::string("cd sd-scripts\n  python \"train_network.py\" --network_dim=16\n"),
        std::string("& accelerate launch train.py `\n --lora_rank 32\n"),
        std::string("#!/usr/bin/env bash\nNAME=x\n")}) {
    EXPECT_THAT(set_refusal(script), HasSubstr("is a script of commands, which are not read; "
                                               "import the file that it names after --config_file"))
        << script;
  }
  EXPECT_THAT(set_refusal("# accelerate launch x.py\nnetwork_dim = \n"), HasSubstr("valid TOML"));
  EXPECT_EQ(set_refusal("network_dim = 8\nsample_prompts = \"\"\"a\npython launch\n\"\"\"\n"),
            "imported");
}

TEST(ImportSets, FilesThatAreNoConfigurationsAreNamed) {
  using namespace std::string_literals;
  EXPECT_THAT(set_refusal("\xFF\xFE{\0}\0"s), HasSubstr("UTF-16"));
  EXPECT_THAT(set_refusal("\x89PNG\r\n"), HasSubstr("is an image"));
  EXPECT_THAT(set_refusal("RIFF\x10\0\0\0WEBPVP8"s), HasSubstr("is an image"));
  EXPECT_THAT(set_refusal("PK\x03\x04\0\0"s), HasSubstr("not a text file"));
  EXPECT_THAT(set_refusal("// mine\n{\"network_dim\": 8}"), HasSubstr("remove its comments"));
}

}  // namespace
}  // namespace mantissa
