// What a configuration leaves out, or gives in another way than here, keeps its meaning or is told.
#include "tests/engine/preset/import_samples.h"

namespace mantissa {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing_support::expect_reported;
using testing_support::row;

ImportResult kohya(const std::string& keys, const std::string& module = "networks.lora") {
  return import_preset_text(
      "sdxl = true\nlearning_rate = 1e-4\nnetwork_module = \"" + module + "\"\n" + keys, "x.toml");
}
ImportResult lycoris(const std::string& args) {
  return kohya("network_dim = 16\nnetwork_alpha = 8\nnetwork_args = [" + args + "]\n",
               "lycoris.kohya");
}
ImportResult ai_toolkit_train(const std::string& train) {
  return import_preset_text(
      "job: extension\nconfig:\n  process:\n    - model: {arch: sdxl}\n      network: {type: lora, "
      "linear: 8}\n      train: {" +
          train + "}\n",
      "x.yaml");
}
const ImportRow& trained(const ImportResult& r, const std::string& key) {
  return row(r, "config.process[0].train." + key);
}
ImportResult onetrainer(const std::string& keys) {
  return import_preset_text(
      R"({"training_method": "LORA", "model_type": "STABLE_DIFFUSION_XL_10_BASE", )" + keys + "}",
      "x.json");
}

TEST(ImportMeaning, AlphaKeepsItsQuotientToTheRank) {
  const ImportResult large = kohya("network_dim = 2048\nnetwork_alpha = 2048\n");
  EXPECT_EQ(large.preset.adapter.rank, 1024);
  EXPECT_EQ(large.preset.adapter.alpha, 1024);
  EXPECT_EQ(row(large, "network_alpha").fate, ImportFate::changed);
  const ImportResult zero = kohya("network_dim = 8\nnetwork_alpha = 0\n");
  EXPECT_EQ(zero.preset.adapter.alpha, 8) << "as sd-scripts reads it";
  EXPECT_THAT(row(zero, "network_alpha").note.text(), HasSubstr("stands for the rank"));
  EXPECT_EQ(onetrainer(R"("lora_rank": 2048, "lora_alpha": 512)").preset.adapter.alpha, 256);
  EXPECT_EQ(import_preset_text(R"({"algo": "lora", "linear_dim": 8, "linear_alpha": 0})", "x.json")
                .preset.adapter.alpha,
            8);
  const ImportResult conv = kohya(
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

TEST(ImportMeaning, AdafactorsOwnRateIsTold) {
  const ImportResult r = kohya(
      "network_dim = 8\noptimizer_type = \"Adafactor\"\n"
      "lr_scheduler = \"cosine\"\nlr_warmup_steps = 20\n");
  EXPECT_THAT(row(r, "optimizer_type").note.text(), HasSubstr("relative_step"));
  EXPECT_THAT(row(r, "optimizer_type").note.text(), HasSubstr("scale_parameter"));
  EXPECT_EQ(row(r, "learning_rate").fate, ImportFate::changed);
  EXPECT_EQ(row(r, "lr_scheduler").fate, ImportFate::changed);
  EXPECT_EQ(r.preset.schedule.type, ScheduleType::constant);
  EXPECT_EQ(r.preset.schedule.warmup_steps, 0);
  EXPECT_EQ(r.preset.optimizer.weight_decay, 0);
  const ImportResult plain = kohya(
      "network_dim = 8\noptimizer_type = \"Adafactor\"\noptimizer_args = "
      "[\"relative_step=False\", \"scale_parameter=False\"]\nlr_scheduler = \"cosine\"\n");
  EXPECT_EQ(row(plain, "optimizer_type").fate, ImportFate::mapped);
  EXPECT_EQ(row(plain, "learning_rate").fate, ImportFate::mapped);
  EXPECT_EQ(plain.preset.schedule.type, ScheduleType::cosine);
}

TEST(ImportMeaning, OptimizersHaveTheirProgramsDefaults) {
  const auto kohyas = [](const std::string& type) {
    return kohya("network_dim = 8\noptimizer_type = \"" + type + "\"\n").preset.optimizer;
  };
  EXPECT_EQ(kohyas("AdamW8bit").weight_decay, 0.01);
  EXPECT_EQ(kohyas("Adam").weight_decay, 0);
  EXPECT_EQ(kohyas("PagedLion8bit").betas[1], 0.99);
  EXPECT_EQ(kohyas("SGD").betas[0], 0) << "PyTorch's has no momentum";
  EXPECT_EQ(kohyas("SGDNesterov").betas[0], 0.9);
  EXPECT_EQ(kohyas("came_pytorch.CAME").weight_decay, 0);
  EXPECT_EQ(kohya("network_dim = 8\nuse_lion_optimizer = true\n").preset.optimizer.betas[1], 0.99);
  const ImportResult lion = onetrainer(R"("optimizer": {"optimizer": "LION", "beta1": 0.8})");
  EXPECT_EQ(lion.preset.optimizer.betas, (std::array{0.8, 0.99}));
  EXPECT_EQ(lion.preset.optimizer.weight_decay, 0);
  EXPECT_EQ(row(lion, "optimizer.beta2").fate, ImportFate::assumed);
  const ImportResult optimi = import_preset_text(
      R"({"model_family": "sdxl", "model_type": "lora", "optimizer": "optimi-adamw"})", "x.json");
  EXPECT_EQ(optimi.preset.optimizer.betas[1], 0.99);
  EXPECT_EQ(optimi.preset.optimizer.eps, 1e-6);
  EXPECT_EQ(optimi.preset.optimizer.weight_decay, 0);
  const ImportResult found = ai_toolkit_train("lr: 1e-4, optimizer: prodigy");
  EXPECT_EQ(found.preset.optimizer.learning_rate, 1);
  EXPECT_EQ(trained(found, "lr").fate, ImportFate::changed);
}

TEST(ImportMeaning, OptimizersWhoseNamesHoldAnothersName) {
  struct Named {
    const char* name;
    OptimizerType type;
    ImportFate fate;
  };
  using enum ImportFate;
  for (const Named& each :
       {Named{"DAdaptLion", OptimizerType::prodigy, changed},
        {"DAdaptAdan", OptimizerType::prodigy, changed},
        {"DAdaptSGD", OptimizerType::prodigy, changed},
        {"Lion", OptimizerType::lion, mapped},
        {"Lion8bit", OptimizerType::lion, mapped},
        {"PagedLion8bit", OptimizerType::lion, changed},
        {"LionFactored", OptimizerType::lion, changed},
        {"AdamW8bit", OptimizerType::adamw8bit, mapped},
        {"AdamW8bitKahan", OptimizerType::adamw8bit, changed},
        {"StableAdamW", OptimizerType::adamw, changed},
        {"Adan", OptimizerType::adamw, changed},
        {"CAME", OptimizerType::came, mapped},
        {"CAMEFactored", OptimizerType::came, changed},
        {"ProdigyPlusScheduleFree", OptimizerType::prodigy_schedule_free, changed}}) {
    const ImportResult r =
        kohya("network_dim = 8\noptimizer_type = \"" + std::string(each.name) + "\"\n");
    EXPECT_EQ(r.preset.optimizer.type, each.type) << each.name;
    EXPECT_EQ(row(r, "optimizer_type").fate, each.fate) << each.name;
  }
  const ImportResult toolkit = ai_toolkit_train("lr: 1, optimizer: dadaptationlion");
  EXPECT_EQ(toolkit.preset.optimizer.type, OptimizerType::prodigy);
  EXPECT_EQ(trained(toolkit, "optimizer").fate, ImportFate::changed);
  const ImportResult advanced = onetrainer(R"("optimizer": {"optimizer": "LION_ADV"})");
  EXPECT_EQ(row(advanced, "optimizer.optimizer").fate, ImportFate::changed);
}

TEST(ImportMeaning, AutomagicComesWithWhatAffectsIt) {
  const ImportResult plain = ai_toolkit_train("optimizer: Automagic");
  EXPECT_EQ(plain.preset.optimizer.type, OptimizerType::automagic);
  EXPECT_EQ(plain.preset.optimizer.learning_rate, 1e-6) << "the default of AI Toolkit";
  EXPECT_EQ(plain.preset.optimizer.weight_decay, 0);
  EXPECT_EQ(trained(plain, "optimizer").fate, ImportFate::changed)
      << "its rates are in 8 bits there";
  const ImportResult given = ai_toolkit_train(
      "lr: 1e-5, optimizer: automagic, lr_scheduler: cosine, optimizer_params: {beta2: 0.99, "
      "eps: [1e-30, 1e-3], min_lr: 1e-7, max_lr: 1e-4, lr_bump: 1e-6, clip_threshold: 1.0}");
  EXPECT_EQ(given.preset.optimizer.learning_rate, 1e-5);
  EXPECT_EQ(given.preset.optimizer.betas, (std::array{0.9, 0.99}));
  EXPECT_EQ(given.preset.schedule.type, ScheduleType::constant);
  EXPECT_EQ(trained(given, "lr_scheduler").note.text(), "Automagic has no schedule there.");
  EXPECT_EQ(trained(given, "optimizer_params.eps").note.text(), "The same here.");
  EXPECT_EQ(trained(given, "optimizer_params.max_lr").note.text(),
            "Not offered here: another highest rate of Automagic.");
  for (const char* same : {"min_lr", "lr_bump", "clip_threshold"}) {
    EXPECT_EQ(trained(given, std::string("optimizer_params.") + same).note.text(),
              "Not used there.")
        << same;
  }
  const ImportResult high = ai_toolkit_train("lr: 0.01, optimizer: automagic");
  EXPECT_EQ(high.preset.optimizer.learning_rate, 1e-6);
  EXPECT_EQ(trained(high, "lr").fate, ImportFate::changed);
  EXPECT_EQ(ai_toolkit_train("lr: 0.001, optimizer: automagic").preset.optimizer.learning_rate,
            0.001);
}

TEST(ImportMeaning, LaterFormsOfAutomagicAreRefusedByName) {
  for (const std::string name : {"automagic2", "automagic3", "automagicexperiment"}) {
    const ImportResult r = ai_toolkit_train("lr: 1e-6, optimizer: " + name);
    EXPECT_EQ(r.preset.optimizer.type, OptimizerType::adamw) << name;
    EXPECT_EQ(trained(r, "optimizer").fate, ImportFate::changed) << name;
    EXPECT_TRUE(trained(r, "optimizer").note.text().starts_with(name + " is another method"))
        << trained(r, "optimizer").note.text();
  }
  EXPECT_EQ(trained(ai_toolkit_train("lr: 1e-4, optimizer_params: {beta2: 0.9}"),
                    "optimizer_params.beta2")
                .note.text(),
            "Not used there.");
}

TEST(ImportMeaning, AdamsDecayIsOfTheGradientsThere) {
  const auto kohyas = [](const std::string& name, const std::string& decay) {
    return kohya("network_dim = 8\noptimizer_type = \"" + name +
                 "\"\noptimizer_args = [\"weight_decay=" + decay + "\"]\n");
  };
  for (const char* name : {"Adam", "torch.optim.Adam"}) {
    const ImportResult adam = kohyas(name, "0.1");
    EXPECT_EQ(adam.preset.optimizer.weight_decay, 0.1) << name;
    EXPECT_EQ(row(adam, "optimizer_args.weight_decay").fate, ImportFate::changed) << name;
    EXPECT_EQ(row(kohyas(name, "0"), "optimizer_args.weight_decay").fate, ImportFate::mapped);
  }
  for (const char* name : {"AdamW", "torch.optim.AdamW", "AdamW8bit", "Adam8bit"}) {
    EXPECT_EQ(row(kohyas(name, "0.1"), "optimizer_args.weight_decay").fate, ImportFate::mapped)
        << name;
  }
  const auto trainers = [](const std::string& name) {
    return row(onetrainer("\"optimizer\": {\"optimizer\": \"" + name +
                          "\", \"weight_decay\": 0.1}"),
               "optimizer.weight_decay")
        .fate;
  };
  EXPECT_EQ(trainers("ADAM"), ImportFate::changed);
  EXPECT_EQ(trainers("ADAM_8BIT"), ImportFate::mapped);
  EXPECT_EQ(trainers("ADAMW"), ImportFate::mapped);
  const ImportResult toolkit =
      ai_toolkit_train("lr: 1e-4, optimizer: adam8, optimizer_params: {weight_decay: 0.1}");
  EXPECT_EQ(trained(toolkit, "optimizer_params.weight_decay").fate, ImportFate::changed);
}

TEST(ImportMeaning, ScheduleFreeOptimizersAndMuonComeAsTheyAre) {
  const auto kohyas = [](const std::string& rest) {
    return kohya("network_dim = 8\nlr_scheduler = \"cosine\"\nlr_warmup_steps = 20\n" + rest);
  };
  const ImportResult adamw = kohyas(
      "optimizer_type = \"AdamWScheduleFree\"\noptimizer_args = [\"warmup_steps=40\", "
      "\"weight_decay=0.05\"]\n");
  EXPECT_EQ(adamw.preset.optimizer.type, OptimizerType::adamw_schedule_free);
  EXPECT_EQ(adamw.preset.optimizer.weight_decay, 0.05);
  EXPECT_EQ(adamw.preset.schedule.type, ScheduleType::constant);
  EXPECT_EQ(adamw.preset.schedule.warmup_steps, 40);
  EXPECT_EQ(row(adamw, "optimizer_type").fate, ImportFate::mapped);
  EXPECT_THAT(row(adamw, "lr_scheduler").note.text(), HasSubstr("no schedule there"));
  const ImportResult prodigy = kohyas("optimizer_type = \"prodigyplus.ProdigyPlusScheduleFree\"\n");
  EXPECT_EQ(prodigy.preset.optimizer.type, OptimizerType::prodigy_schedule_free);
  EXPECT_EQ(prodigy.preset.optimizer.betas, (std::array{0.9, 0.99}));
  EXPECT_EQ(prodigy.preset.optimizer.weight_decay, 0);
  EXPECT_EQ(prodigy.preset.schedule.warmup_steps, 0);
  const ImportResult muon = kohyas("optimizer_type = \"torch.optim.Muon\"\n");
  EXPECT_EQ(muon.preset.optimizer.type, OptimizerType::muon);
  EXPECT_EQ(muon.preset.optimizer.muon_scaling, MuonScaling::original);
  EXPECT_EQ(muon.preset.optimizer.betas[0], 0.95);
  EXPECT_EQ(muon.preset.schedule.type, ScheduleType::cosine);
  const auto onetrainers = [](const std::string& name) {
    return onetrainer("\"optimizer\": {\"optimizer\": \"" + name + "\"}").preset.optimizer.type;
  };
  EXPECT_EQ(onetrainers("SCHEDULE_FREE_ADAMW"), OptimizerType::adamw_schedule_free);
  EXPECT_EQ(onetrainers("SCHEDULE_FREE_SGD"), OptimizerType::adamw_schedule_free);
  EXPECT_EQ(onetrainers("PRODIGY_PLUS_SCHEDULE_FREE"), OptimizerType::prodigy_schedule_free);
  EXPECT_EQ(onetrainers("MUON"), OptimizerType::muon);
  EXPECT_EQ(onetrainers("PRODIGY"), OptimizerType::prodigy);
  const ImportResult simpletuner = import_preset_text(
      R"({"model_family": "sdxl", "model_type": "lora", "optimizer": "adamw_schedulefree"})",
      "x.json");
  EXPECT_EQ(simpletuner.preset.optimizer.type, OptimizerType::adamw_schedule_free);
  EXPECT_EQ(simpletuner.preset.optimizer.weight_decay, 1e-2);
}

TEST(ImportMeaning, LycorisWithoutAPresetAdaptsAll) {
  const ImportResult r = lycoris("\"algo=loha\"");
  EXPECT_THAT(r.preset.adapter.targets, ElementsAre("linear+conv"));
  EXPECT_EQ(r.preset.adapter.conv_rank, 0) << "that of the other layers";
  EXPECT_EQ(row(r, "network_args.preset").fate, ImportFate::assumed);
  EXPECT_THAT(lycoris("\"preset=unet-only\"").preset.training.parts, ElementsAre(kDenoiser));
  const ImportResult blocks = lycoris("\"preset=unet-convblock-only\"");
  EXPECT_THAT(
      blocks.preset.adapter.targets,
      ElementsAre("denoiser.*.resnets.*", "denoiser.*.downsamplers.*", "denoiser.*.upsamplers.*"));
  EXPECT_THAT(blocks.preset.training.parts, ElementsAre(kDenoiser));
  EXPECT_THAT(lycoris("\"preset=unet-transformer-only\"").preset.adapter.targets,
              ElementsAre("attention+mlp"));
  for (const char* args : {"\"preset=full-lin\"", "\"conv_dim=0\""}) {
    const ImportResult linear = lycoris(args);
    EXPECT_THAT(linear.preset.adapter.targets, ElementsAre("linear+conv")) << args;
    ASSERT_EQ(linear.preset.adapter.ranks.size(), 4u) << args;
    EXPECT_EQ(linear.preset.adapter.ranks[0].rank, 0) << args;
  }
  EXPECT_THAT(lycoris("\"preset=attn-mlp\", \"conv_dim=4\"").preset.adapter.targets,
              ElementsAre("attention+mlp"));
}

TEST(ImportMeaning, ArgumentsOfLycorisAreItsAlone) {
  const ImportResult r = kohya(
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
      lycoris("\"algo=lokr\", \"full_matrix=True\", \"rs_lora=True\", \"dropout=0.3\"");
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
  EXPECT_EQ(lycoris("\"algo=loha\", \"full_matrix=True\"").preset.adapter.rank, 16);
  EXPECT_EQ(import_preset_text(
                R"({"algo": "lokr", "linear_dim": 8, "linear_alpha": 1, "full_matrix": true})", "x")
                .preset.adapter.rank,
            1024);
}

TEST(ImportMeaning, OnlyTheNamedKindOfNoiseCounts) {
  const ImportResult other =
      kohya("network_dim = 8\nnoise_offset_type = \"Multires\"\nnoise_offset = 0.1\n");
  EXPECT_EQ(other.preset.training.noise_offset, 0);
  EXPECT_THAT(row(other, "noise_offset").note.text(), HasSubstr("another kind of noise"));
  const ImportResult own = kohya(
      "network_dim = 8\nnoise_offset_type = \"Original\"\n"
      "noise_offset = 0.1\nmultires_noise_iterations = 6\n");
  EXPECT_EQ(own.preset.training.noise_offset, 0.1);
  EXPECT_THAT(row(own, "multires_noise_iterations").note.text(), HasSubstr("another kind"));
}

TEST(ImportMeaning, StepsThatCountBatches) {
  const ImportResult r = ai_toolkit_train("steps: 1000, gradient_accumulation_steps: 4");
  EXPECT_EQ(r.preset.training.gradient_accumulation, 4);
  EXPECT_EQ(r.preset.training.steps, 250);
  EXPECT_EQ(r.preset.output.save_every, 250) << "a default of 1000 batches";
  EXPECT_EQ(trained(r, "steps").fate, ImportFate::changed);
  EXPECT_EQ(ai_toolkit_train("steps: 1000, gradient_accumulation: 4").preset.training.steps, 1000);
}

TEST(ImportMeaning, WeightsBySignalToNoise) {
  const ImportResult r = ai_toolkit_train("snr_gamma: 2, min_snr_gamma: 5");
  EXPECT_EQ(r.preset.training.min_snr_gamma, 0);
  EXPECT_EQ(trained(r, "snr_gamma").fate, ImportFate::changed);
  EXPECT_EQ(trained(r, "min_snr_gamma").note.text(), "snr_gamma counts instead.");
  EXPECT_EQ(ai_toolkit_train("min_snr_gamma: 5").preset.training.min_snr_gamma, 5);
}

constexpr const char* kConcept = R"({"path": "C:/data/mira", "loss_weight": 0.3, "balancing": 5,
    "image": {"enable_resolution_override": true, "resolution_override": "512"},
    "text": {"enable_tag_shuffling": true, "keep_tags_count": 2, "tag_dropout_enable": true,
             "tag_dropout_probability": 0.5}})";

TEST(ImportMeaning, ConceptsHaveCaptionsRepeatsAndWeights) {
  const std::string alone = std::string("[") + kConcept + "]";
  const ImportResult r = onetrainer(R"("resolution": "1024", "concepts": )" + alone);
  EXPECT_TRUE(r.preset.data.shuffle_captions);
  EXPECT_EQ(r.preset.data.keep_tokens, 2);
  EXPECT_EQ(r.preset.data.resolution, 512);
  ASSERT_EQ(r.preset.data.folders.size(), 1u);
  EXPECT_EQ(r.preset.data.folders[0].folder, "mira");
  EXPECT_EQ(r.preset.data.folders[0].repeats, 5);
  EXPECT_EQ(r.preset.data.folders[0].weight, 0.3);
  EXPECT_FALSE(r.preset.data.flip) << "OneTrainer's default";
  EXPECT_THAT(row(r, "concepts").note.text(), HasSubstr("dropout of single tags"));
  EXPECT_THAT(row(r, "resolution").note.text(), HasSubstr("concepts' own"));
  const ImportResult file = import_preset_text(alone, "concepts.json");
  EXPECT_EQ(file.format, ImportFormat::onetrainer);
  EXPECT_EQ(file.preset.data.keep_tokens, 2);
  const ImportResult prior = onetrainer(R"("concepts": [{"path": "/x", "type": "PRIOR_PREDICTION",
      "balancing": 5, "image": {}, "text": {}}])");
  EXPECT_TRUE(prior.preset.data.folders.empty());
  EXPECT_THAT(row(prior, "concepts").note.text(), HasSubstr("own predictions"));
  EXPECT_EQ(row(onetrainer(R"("concept_file_name": "a/b.json")"), "concept_file_name").fate,
            ImportFate::changed);
}

TEST(ImportMeaning, OtherLossesSayWhatTheyBecome) {
  const ImportResult toolkit = ai_toolkit_train("loss_type: mae");
  EXPECT_EQ(trained(toolkit, "loss_type").note.text(),
            "Not offered here: mae as the loss; the squared error instead.");
  EXPECT_EQ(trained(ai_toolkit_train("loss_type: mse"), "loss_type").fate, ImportFate::mapped);
  const ImportResult trainer =
      onetrainer(R"("mse_strength": 0.0, "mae_strength": 1.0, "huber_strength": 0.0)");
  EXPECT_EQ(row(trainer, "mae_strength").fate, ImportFate::changed);
  EXPECT_EQ(row(trainer, "mae_strength").note.text(),
            "Not offered here: the absolute error as the loss; the squared error instead.");
  EXPECT_EQ(row(trainer, "huber_strength").note.text(), "Not used there.");
  const ImportResult tuner = import_preset_text(
      R"({"--model_family": "sdxl", "--lora_rank": 8, "--loss_type": "mae"})", "x.json");
  EXPECT_THAT(row(tuner, "--loss_type").note.text(), HasSubstr("the squared error instead"));
}

TEST(ImportMeaning, ValuesThatCannotBeTakenBecomeTheDefaultThere) {
  const ImportResult trainer = onetrainer(
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
  const ImportResult scripts = kohya("network_dim = \"large\"\nmixed_precision = \"odd\"\n");
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

TEST(ImportMeaning, ConceptsOfOneFolderNameHaveNoRule) {
  const ImportResult r = onetrainer(R"("concepts": [
      {"path": "/a/x", "balancing": 5, "image": {}, "text": {}},
      {"path": "/b/x/", "image": {}, "text": {}},
      {"path": "/b/y", "balancing": 2, "image": {}, "text": {}},
      {"path": "/c/y", "balancing": 2, "image": {}, "text": {}}])");
  ASSERT_EQ(r.preset.data.folders.size(), 1u);
  EXPECT_EQ(r.preset.data.folders[0].folder, "y") << "alike, so one rule is both's";
  EXPECT_EQ(r.preset.data.folders[0].repeats, 2);
  EXPECT_THAT(row(r, "concepts").note.text(), HasSubstr("Several folders are called x"));
  EXPECT_THAT(row(r, "concepts").note.text(), Not(HasSubstr("called y")));
}

TEST(ImportMeaning, RepeatsOfConceptsThatAreNotOfferedAreTold) {
  const ImportResult r = onetrainer(R"("concepts": [
      {"path": "/half", "balancing": 0.5, "image": {}, "text": {}},
      {"path": "/none", "balancing": 0, "image": {}, "text": {}},
      {"path": "/more", "balancing": 20000, "image": {}, "text": {}},
      {"path": "/odd", "balancing": "often", "loss_weight": 2, "image": {}, "text": {}}])");
  const std::string note = row(r, "concepts").note.text();
  EXPECT_THAT(note, HasSubstr("half: 0.5 repeats are not offered here; the nearest is 1."));
  EXPECT_THAT(note, HasSubstr("none is left out there, with 0 repeats"));
  EXPECT_THAT(note, HasSubstr("more: 20000 repeats are not offered here; the nearest is 10000."));
  EXPECT_THAT(note, HasSubstr("Not taken: balancing of odd is not a number."));
  ASSERT_EQ(r.preset.data.folders.size(), 2u);
  EXPECT_EQ(r.preset.data.folders[0].folder, "more");
  EXPECT_EQ(r.preset.data.folders[0].repeats, 10000);
  EXPECT_EQ(r.preset.data.folders[1].folder, "odd");
  EXPECT_EQ(r.preset.data.folders[1].weight, 2);
}

TEST(ImportMeaning, RepeatsOfFoldersAreTheirNames) {
  const ImportResult r = kohya("network_dim = 8\ntrain_data_dir = \"/x\"\ndataset_repeats = 10\n");
  EXPECT_EQ(r.preset.data.repeats, 1);
  EXPECT_TRUE(r.preset.data.folder_repeats);
  EXPECT_EQ(kohya("network_dim = 8\ntrain_data_dir = \"/x\"\nin_json = \"/m\"\n"
                  "dataset_repeats = 10\n")
                .preset.data.repeats,
            10);
}

constexpr const char* kDataSet =
    "[[datasets]]\nresolution = 768\nbatch_size = 2\n[[datasets.subsets]]\nimage_dir = \"/x\"\n"
    "num_repeats = 3\n";

TEST(ImportMeaning, DataSetsAloneHaveTheirDefaults) {
  const ImportResult r = import_preset_text(kDataSet, "ds.toml");
  EXPECT_FALSE(r.preset.data.buckets);
  EXPECT_EQ(row(r, "enable_bucket").fate, ImportFate::assumed);
  EXPECT_EQ(r.preset.data.repeats, 3);
}

/// Multi-resolution training of sd-scripts: the same folder in a data set for each size.
TEST(ImportMeaning, OneFolderInSeveralDataSetsHasTheirResolutions) {
  const auto set = [](int side, const std::string& folder) {
    return "[[datasets]]\nresolution = " + std::to_string(side) +
           "\nbatch_size = 2\n[[datasets.subsets]]\nimage_dir = \"/x/" + folder +
           "\"\nnum_repeats = 1\n";
  };
  const ImportResult same =
      import_preset_text(set(512, "a") + set(1024, "a") + set(768, "a"), "ds.toml");
  EXPECT_EQ(same.preset.data.resolution, 1024);
  EXPECT_EQ(same.preset.data.further_resolutions, (std::vector<int>{768, 512}));
  EXPECT_TRUE(same.preset.data.folders.empty());
  EXPECT_EQ(row(same, "datasets[1].resolution").targets,
            std::vector<std::string>{"data.further_resolutions"});
  expect_reported(same);
  const ImportResult mixed =
      import_preset_text(set(512, "a") + set(1024, "a") + set(640, "b"), "ds.toml");
  EXPECT_EQ(mixed.preset.data.further_resolutions, std::vector<int>{512});
  ASSERT_EQ(mixed.preset.data.folders.size(), 1U);
  EXPECT_EQ(mixed.preset.data.folders[0].folder, "b");
  EXPECT_EQ(mixed.preset.data.folders[0].resolution, 640);
  const ImportResult other =
      import_preset_text(set(512, "a") + set(1024, "a") + set(640, "b") + set(768, "b"), "ds.toml");
  EXPECT_TRUE(other.preset.data.further_resolutions.empty());
  EXPECT_EQ(other.preset.data.resolution, 512);
  EXPECT_THAT(row(other, "datasets[3].resolution").note.text(),
              HasSubstr("A folder has one resolution here"));
  // Two folders with one name have one rule here, which can't be both.
  const ImportResult names =
      import_preset_text(set(512, "a/img") + set(1024, "b/img") + set(512, "c"), "ds.toml");
  EXPECT_TRUE(names.preset.data.folders.empty());
  EXPECT_TRUE(names.preset.data.further_resolutions.empty());
  EXPECT_EQ(row(names, "datasets[1].resolution").fate, ImportFate::changed);
  // Width and height count by their area, which is told.
  const ImportResult wide = import_preset_text(
      set(512, "a") +
          "[[datasets]]\nresolution = [1024, 576]\n[[datasets.subsets]]\nimage_dir = "
          "\"/x/b\"\n",
      "ds.toml");
  ASSERT_EQ(wide.preset.data.folders.size(), 1U);
  EXPECT_EQ(wide.preset.data.folders[0].resolution, 768);
  EXPECT_THAT(row(wide, "datasets[1].resolution").note.text(), HasSubstr("1024 x 576"));
}

TEST(ImportMeaning, AResolutionDrawnAtRandomIsTrainedAtEach) {
  const ImportResult r = onetrainer(R"("resolution": "512, 1024,768")");
  EXPECT_EQ(r.preset.data.resolution, 1024);
  EXPECT_EQ(r.preset.data.further_resolutions, (std::vector<int>{768, 512}));
  EXPECT_EQ(row(r, "resolution").fate, ImportFate::changed);
  EXPECT_THAT(row(r, "resolution").note.text(), HasSubstr("3 times as long"));
  expect_reported(r);
  const ImportResult wrong = onetrainer(R"("resolution": "512,large")");
  EXPECT_EQ(wrong.preset.data.resolution, 512);
  EXPECT_TRUE(wrong.preset.data.further_resolutions.empty());
  EXPECT_THAT(row(wrong, "resolution").note.text(), HasSubstr("Not taken"));
}

TEST(ImportMeaning, ConceptsHaveTheirOwnResolutions) {
  const auto concept_at = [](const std::string& folder, const std::string& side) {
    return R"({"path": "/x/)" + folder +
           R"(", "text": {}, "image": {"enable_resolution_override": )" +
           (side.empty() ? "false" : R"(true, "resolution_override": ")" + side + "\"") + "}}";
  };
  const auto read = [&](const std::string& first, const std::string& second) {
    return onetrainer(R"("resolution": "1024", "concepts": [)" + concept_at("a", first) + "," +
                      concept_at("b", second) + "]");
  };
  const ImportResult one = read("", "512");
  EXPECT_EQ(one.preset.data.resolution, 1024);
  ASSERT_EQ(one.preset.data.folders.size(), 1U);
  EXPECT_EQ(one.preset.data.folders[0].folder, "b");
  EXPECT_EQ(one.preset.data.folders[0].resolution, 512);
  const ImportResult both = read("768", "512");
  EXPECT_EQ(both.preset.data.resolution, 1024);
  ASSERT_EQ(both.preset.data.folders.size(), 2U);
  EXPECT_EQ(both.preset.data.folders[0].resolution, 768);
  const ImportResult same = read("512", "512");
  EXPECT_EQ(same.preset.data.resolution, 512);
  EXPECT_TRUE(same.preset.data.folders.empty());
  const ImportResult list = read("", "512,768");
  EXPECT_TRUE(list.preset.data.folders.empty());
  EXPECT_THAT(row(list, "concepts").note.text(), HasSubstr("(b: 512,768)"));
  EXPECT_THAT(row(read("", "9000"), "concepts").note.text(), HasSubstr("resolution of 9000 for b"));
}

TEST(ImportMeaning, DataSetsThatLieBesideAreRead) {
  const std::string text =
      "network_module = \"networks.lora\"\nnetwork_dim = 8\ntrain_batch_size = 7\n"
      "dataset_config = \"/some/where/ds.toml\"\n";
  const ImportResult read =
      import_preset_text(text, "x.toml", [](const std::string& name) -> std::optional<std::string> {
        return name == "ds.toml" ? std::optional<std::string>(kDataSet) : std::nullopt;
      });
  EXPECT_EQ(read.preset.data.resolution, 768);
  EXPECT_EQ(read.preset.data.batch_size, 2) << "of the data set";
  EXPECT_EQ(read.preset.data.repeats, 3);
  EXPECT_EQ(row(read, "ds.toml: datasets[0].resolution").fate, ImportFate::mapped);
  expect_reported(read);
  const ImportResult alone = import_preset_text(text, "x.toml");
  EXPECT_EQ(alone.preset.data.batch_size, 7);
  EXPECT_THAT(row(alone, "dataset_config").note.text(), HasSubstr("import it too"));
  EXPECT_EQ(row(alone, "dataset_config").fate, ImportFate::changed);
}

TEST(ImportMeaning, AdaptersNameTheirDataSets) {
  std::string tags;
  for (int i = 0; i < 20000; ++i) {
    tags += (i == 0 ? "\"t" : ", \"t") + std::to_string(i) + "\": 1";
  }
  const ImportResult r = import_preset_metadata(
      {{"ss_network_module", "networks.lora"},
       {"ss_network_dim", "4"},
       {"ss_datasets",
        R"([{"batch_size_per_device": 4, "resolution": [768, 768], "enable_bucket": true,
            "max_bucket_reso": 2048, "tag_frequency": {"x": {)" +
            tags + R"(}}, "subsets":
            [{"num_repeats": 5, "flip_aug": true, "shuffle_caption": true, "keep_tokens": 2}]}])"}},
      "a");
  EXPECT_EQ(r.preset.data.batch_size, 4);
  EXPECT_EQ(r.preset.data.resolution, 768);
  EXPECT_EQ(r.preset.data.bucket_max, 2048);
  EXPECT_EQ(r.preset.data.repeats, 5);
  EXPECT_TRUE(r.preset.data.flip);
  EXPECT_EQ(r.preset.data.keep_tokens, 2);
  EXPECT_EQ(r.count(ImportFate::unknown), 0u);
}

TEST(ImportMeaning, ACacheOnDiskIsACache) {
  EXPECT_EQ(kohya("cache_latents_to_disk = true\n").preset.data.cache, CacheMode::latents);
  EXPECT_EQ(
      kohya("cache_latents_to_disk = true\ncache_text_encoder_outputs = true\n").preset.data.cache,
      CacheMode::all);
  EXPECT_EQ(kohya("cache_latents = true\n").preset.data.cache, CacheMode::latents);
  EXPECT_EQ(kohya("cache_text_encoder_outputs = true\n").preset.data.cache, CacheMode::none);
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
  EXPECT_TRUE(kohya("log_with = \"tensorboard\"\n").preset.output.tensorboard);
  EXPECT_TRUE(kohya("log_with = \"all\"\n").preset.output.tensorboard);
  const ImportResult online = kohya("log_with = \"wandb\"\n");
  EXPECT_FALSE(online.preset.output.tensorboard);
  EXPECT_EQ(row(online, "log_with").fate, ImportFate::ignored);
  EXPECT_TRUE(onetrainer(R"("tensorboard": true)").preset.output.tensorboard);
  EXPECT_FALSE(onetrainer(R"("tensorboard": false)").preset.output.tensorboard);
  const auto simpletuner = [](const std::string& report) {
    return import_preset_text(
        R"({"model_family": "sdxl", "model_type": "lora", "report_to": ")" + report + "\"}",
        "config.json");
  };
  EXPECT_TRUE(simpletuner("tensorboard").preset.output.tensorboard);
  EXPECT_FALSE(simpletuner("none").preset.output.tensorboard);
}

TEST(ImportMeaning, ARateOfZeroIsTold) {
  const ImportResult r = kohya("network_dim = 8\nunet_lr = 0.0\nnetwork_train_unet_only = true\n");
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
