// Optimizers of other programs: their names, defaults, rates and decay.
#include "tests/engine/preset/import_short.h"

namespace mantissa {
namespace {

using testing::HasSubstr;
using testing_support::ai_toolkit_with;
using testing_support::kohya_with;
using testing_support::onetrainer_with;
using testing_support::row;
using testing_support::train_row;

TEST(ImportMeaning, AdafactorsOwnRateIsTold) {
  const ImportResult r = kohya_with(
      "network_dim = 8\noptimizer_type = \"Adafactor\"\n"
      "lr_scheduler = \"cosine\"\nlr_warmup_steps = 20\n");
  EXPECT_THAT(row(r, "optimizer_type").note.text(), HasSubstr("relative_step"));
  EXPECT_THAT(row(r, "optimizer_type").note.text(), HasSubstr("scale_parameter"));
  EXPECT_EQ(row(r, "learning_rate").fate, ImportFate::changed);
  EXPECT_EQ(row(r, "lr_scheduler").fate, ImportFate::changed);
  EXPECT_EQ(r.preset.schedule.type, ScheduleType::constant);
  EXPECT_EQ(r.preset.schedule.warmup_steps, 0);
  EXPECT_EQ(r.preset.optimizer.weight_decay, 0);
  const ImportResult plain = kohya_with(
      "network_dim = 8\noptimizer_type = \"Adafactor\"\noptimizer_args = "
      "[\"relative_step=False\", \"scale_parameter=False\"]\nlr_scheduler = \"cosine\"\n");
  EXPECT_EQ(row(plain, "optimizer_type").fate, ImportFate::mapped);
  EXPECT_EQ(row(plain, "learning_rate").fate, ImportFate::mapped);
  EXPECT_EQ(plain.preset.schedule.type, ScheduleType::cosine);
}

TEST(ImportMeaning, OptimizersHaveTheirProgramsDefaults) {
  const auto kohyas = [](const std::string& type) {
    return kohya_with("network_dim = 8\noptimizer_type = \"" + type + "\"\n").preset.optimizer;
  };
  EXPECT_EQ(kohyas("AdamW8bit").weight_decay, 0.01);
  EXPECT_EQ(kohyas("Adam").weight_decay, 0);
  EXPECT_EQ(kohyas("PagedLion8bit").betas[1], 0.99);
  EXPECT_EQ(kohyas("SGD").betas[0], 0) << "PyTorch's has no momentum";
  EXPECT_EQ(kohyas("SGDNesterov").betas[0], 0.9);
  EXPECT_EQ(kohyas("came_pytorch.CAME").weight_decay, 0);
  EXPECT_EQ(kohya_with("network_dim = 8\nuse_lion_optimizer = true\n").preset.optimizer.betas[1],
            0.99);
  const ImportResult lion = onetrainer_with(R"("optimizer": {"optimizer": "LION", "beta1": 0.8})");
  EXPECT_EQ(lion.preset.optimizer.betas, (std::array{0.8, 0.99}));
  EXPECT_EQ(lion.preset.optimizer.weight_decay, 0);
  EXPECT_EQ(row(lion, "optimizer.beta2").fate, ImportFate::assumed);
  const ImportResult optimi = import_preset_text(
      R"({"model_family": "sdxl", "model_type": "lora", "optimizer": "optimi-adamw"})", "x.json");
  EXPECT_EQ(optimi.preset.optimizer.betas[1], 0.99);
  EXPECT_EQ(optimi.preset.optimizer.eps, 1e-6);
  EXPECT_EQ(optimi.preset.optimizer.weight_decay, 0);
  const ImportResult found = ai_toolkit_with("lr: 1e-4, optimizer: prodigy");
  EXPECT_EQ(found.preset.optimizer.learning_rate, 1);
  EXPECT_EQ(train_row(found, "lr").fate, ImportFate::changed);
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
        kohya_with("network_dim = 8\noptimizer_type = \"" + std::string(each.name) + "\"\n");
    EXPECT_EQ(r.preset.optimizer.type, each.type) << each.name;
    EXPECT_EQ(row(r, "optimizer_type").fate, each.fate) << each.name;
  }
  const ImportResult toolkit = ai_toolkit_with("lr: 1, optimizer: dadaptationlion");
  EXPECT_EQ(toolkit.preset.optimizer.type, OptimizerType::prodigy);
  EXPECT_EQ(train_row(toolkit, "optimizer").fate, ImportFate::changed);
  const ImportResult advanced = onetrainer_with(R"("optimizer": {"optimizer": "LION_ADV"})");
  EXPECT_EQ(row(advanced, "optimizer.optimizer").fate, ImportFate::changed);
}

TEST(ImportMeaning, AutomagicComesWithWhatAffectsIt) {
  const ImportResult plain = ai_toolkit_with("optimizer: Automagic");
  EXPECT_EQ(plain.preset.optimizer.type, OptimizerType::automagic);
  EXPECT_EQ(plain.preset.optimizer.learning_rate, 1e-6) << "the default of AI Toolkit";
  EXPECT_EQ(plain.preset.optimizer.weight_decay, 0);
  EXPECT_EQ(train_row(plain, "optimizer").fate, ImportFate::changed)
      << "its rates are in 8 bits there";
  const ImportResult given = ai_toolkit_with(
      "lr: 1e-5, optimizer: automagic, lr_scheduler: cosine, optimizer_params: {beta2: 0.99, "
      "eps: [1e-30, 1e-3], min_lr: 1e-7, max_lr: 1e-4, lr_bump: 1e-6, clip_threshold: 1.0}");
  EXPECT_EQ(given.preset.optimizer.learning_rate, 1e-5);
  EXPECT_EQ(given.preset.optimizer.betas, (std::array{0.9, 0.99}));
  EXPECT_EQ(given.preset.schedule.type, ScheduleType::constant);
  EXPECT_EQ(train_row(given, "lr_scheduler").note.text(), "Automagic has no schedule there.");
  EXPECT_EQ(train_row(given, "optimizer_params.eps").note.text(), "The same here.");
  EXPECT_EQ(train_row(given, "optimizer_params.max_lr").note.text(),
            "Not offered here: another highest rate of Automagic.");
  for (const char* same : {"min_lr", "lr_bump", "clip_threshold"}) {
    EXPECT_EQ(train_row(given, std::string("optimizer_params.") + same).note.text(),
              "Not used there.")
        << same;
  }
  const ImportResult high = ai_toolkit_with("lr: 0.01, optimizer: automagic");
  EXPECT_EQ(high.preset.optimizer.learning_rate, 1e-6);
  EXPECT_EQ(train_row(high, "lr").fate, ImportFate::changed);
  EXPECT_EQ(ai_toolkit_with("lr: 0.001, optimizer: automagic").preset.optimizer.learning_rate,
            0.001);
}

TEST(ImportMeaning, LaterFormsOfAutomagicAreRefusedByName) {
  for (const std::string name : {"automagic2", "automagic3", "automagicexperiment"}) {
    const ImportResult r = ai_toolkit_with("lr: 1e-6, optimizer: " + name);
    EXPECT_EQ(r.preset.optimizer.type, OptimizerType::adamw) << name;
    EXPECT_EQ(train_row(r, "optimizer").fate, ImportFate::changed) << name;
    EXPECT_TRUE(train_row(r, "optimizer").note.text().starts_with(name + " is another method"))
        << train_row(r, "optimizer").note.text();
  }
  EXPECT_EQ(train_row(ai_toolkit_with("lr: 1e-4, optimizer_params: {beta2: 0.9}"),
                      "optimizer_params.beta2")
                .note.text(),
            "Not used there.");
}

TEST(ImportMeaning, AdamsDecayIsOfTheGradientsThere) {
  const auto kohyas = [](const std::string& name, const std::string& decay) {
    return kohya_with("network_dim = 8\noptimizer_type = \"" + name +
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
    return row(onetrainer_with("\"optimizer\": {\"optimizer\": \"" + name +
                               "\", \"weight_decay\": 0.1}"),
               "optimizer.weight_decay")
        .fate;
  };
  EXPECT_EQ(trainers("ADAM"), ImportFate::changed);
  EXPECT_EQ(trainers("ADAM_8BIT"), ImportFate::mapped);
  EXPECT_EQ(trainers("ADAMW"), ImportFate::mapped);
  const ImportResult toolkit =
      ai_toolkit_with("lr: 1e-4, optimizer: adam8, optimizer_params: {weight_decay: 0.1}");
  EXPECT_EQ(train_row(toolkit, "optimizer_params.weight_decay").fate, ImportFate::changed);
}

TEST(ImportMeaning, ScheduleFreeOptimizersAndMuonComeAsTheyAre) {
  const auto kohyas = [](const std::string& rest) {
    return kohya_with("network_dim = 8\nlr_scheduler = \"cosine\"\nlr_warmup_steps = 20\n" + rest);
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
    return onetrainer_with("\"optimizer\": {\"optimizer\": \"" + name + "\"}")
        .preset.optimizer.type;
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

}  // namespace
}  // namespace mantissa
