// Every schedule of every program: with all that it is given, or marked as changed.
#include <vector>

#include "engine/preset/names.h"
#include "tests/engine/preset/import_samples.h"

namespace mantissa {
namespace {

using testing_support::row;

/// What must come out; members that aren't named have the value of no import.
struct ExpectedSchedule {
  ScheduleType type = ScheduleType::constant;
  std::int64_t warmup = 0;
  double min_factor = 0, cycles = 4, power = 1, rex_beta = 0.5;
  std::int64_t decay_steps = 0, timescale = 10'000;
  bool changed = false;
};

void expect_schedule(const std::string& text, const std::string& key,
                     const ExpectedSchedule& expected) {
  SCOPED_TRACE(text);
  const ImportResult read = import_preset_text(text, "x");
  const Preset::Schedule& s = read.preset.schedule;
  EXPECT_EQ(enum_name(s.type), enum_name(expected.type));
  EXPECT_EQ(s.warmup_steps, expected.warmup);
  EXPECT_NEAR(s.min_factor, expected.min_factor, 1e-12);
  EXPECT_NEAR(s.cycles, expected.cycles, 1e-12);
  EXPECT_EQ(s.power, expected.power);
  EXPECT_EQ(s.rex_beta, expected.rex_beta);
  EXPECT_EQ(s.decay_steps, expected.decay_steps);
  EXPECT_EQ(s.timescale, expected.timescale);
  EXPECT_EQ(row(read, key).fate, expected.changed ? ImportFate::changed : ImportFate::mapped);
  testing_support::expect_safe(read);
}

struct ScheduleCase {
  const char* given;
  ExpectedSchedule expected;
};

TEST(ImportSchedule, OfSdScriptsAndMusubi) {
  const ScheduleCase cases[] = {
      {"lr_scheduler = \"constant\"", {}},
      {"lr_scheduler = \"constant_with_warmup\"\nlr_warmup_steps = 20", {.warmup = 20}},
      {"lr_scheduler = \"linear\"\nlr_warmup_steps = 0.1",
       {.type = ScheduleType::linear, .warmup = 40}},
      {"lr_scheduler = \"cosine\"\nlr_scheduler_num_cycles = 3\nlr_scheduler_min_lr_ratio = 0.3",
       {.type = ScheduleType::cosine}},
      {"lr_scheduler = \"cosine_with_restarts\"",
       {.type = ScheduleType::cosine_restarts, .cycles = 1}},
      {"lr_scheduler = \"cosine_with_restarts\"\nlr_scheduler_num_cycles = 4",
       {.type = ScheduleType::cosine_restarts}},
      {"lr_scheduler = \"cosine_with_restarts\"\nlr_scheduler_num_cycles = 7",
       {.type = ScheduleType::cosine_restarts, .cycles = 7}},
      {"lr_scheduler = \"polynomial\"", {.type = ScheduleType::polynomial, .min_factor = 1e-3}},
      {"lr_scheduler = \"polynomial\"\nlr_scheduler_power = 2.5\n"
       "lr_scheduler_args = [\"lr_end=1e-5\"]",
       {.type = ScheduleType::polynomial, .min_factor = 0.1, .power = 2.5}},
      {"lr_scheduler = \"cosine_with_min_lr\"\nlr_scheduler_min_lr_ratio = 0.25",
       {.type = ScheduleType::cosine, .min_factor = 0.25}},
      {"lr_scheduler = \"cosine_with_min_lr\"\nlr_scheduler_num_cycles = 3\n"
       "lr_scheduler_min_lr_ratio = 0.25",
       {.type = ScheduleType::cosine_waves, .min_factor = 0.25, .cycles = 1.5}},
      {"lr_scheduler = \"warmup_stable_decay\"\nlr_decay_steps = 50\nlr_warmup_steps = 10",
       {.type = ScheduleType::cosine, .warmup = 10, .decay_steps = 50}},
      {"lr_scheduler = \"warmup_stable_decay\"\nlr_decay_steps = 0.2\n"
       "lr_scheduler_args = [\"decay_type=linear\"]",
       {.type = ScheduleType::linear, .decay_steps = 80}},
      {"lr_scheduler = \"inverse_sqrt\"", {.type = ScheduleType::inverse_sqrt}},
      {"lr_scheduler = \"inverse_sqrt\"\nlr_warmup_steps = 30",
       {.type = ScheduleType::inverse_sqrt, .warmup = 30, .timescale = 30}},
      {"lr_scheduler = \"inverse_sqrt\"\nlr_scheduler_timescale = 55",
       {.type = ScheduleType::inverse_sqrt, .timescale = 55}},
      {"lr_scheduler = \"rex\"", {.type = ScheduleType::rex, .min_factor = 0.01, .rex_beta = 0.9}},
      {"lr_scheduler = \"rex\"\nlr_scheduler_min_lr_ratio = 0\n"
       "lr_scheduler_args = [\"rex_alpha=0.3\", \"rex_beta=0.7\"]",
       {.type = ScheduleType::rex, .rex_beta = 0.7}},
      {"lr_scheduler = \"piecewise_constant\"\nlr_scheduler_args = [\"step_rules='1:10,0.1'\"]",
       {.changed = true}},
      {"lr_scheduler = \"adafactor:1e-4\"", {.changed = true}},
      {"lr_scheduler = \"of_tomorrow\"", {.changed = true}}};
  for (const auto& [given, expected] : cases) {
    const std::string rest = "\nlearning_rate = 1e-4\nmax_train_steps = 400\nnetwork_dim = 4\n";
    expect_schedule(given + rest, "lr_scheduler", expected);
    expect_schedule("[one.args]\n" + (given + rest), "one.args.lr_scheduler", expected);
    expect_schedule(given + rest + "dit = \"d\"\n", "lr_scheduler", expected);
  }
}

TEST(ImportSchedule, OfKohyaSs) {
  const std::string gui = R"({"LoRA_type": "Standard", "learning_rate": 1e-4, "epoch": 6,
      "max_train_steps": 400, "lr_scheduler": "cosine_with_restarts", "lr_warmup": 10,
      "lr_scheduler_num_cycles": )";
  expect_schedule(gui + "\"2\"}", "lr_scheduler",
                  {.type = ScheduleType::cosine_restarts, .warmup = 40, .cycles = 2});
  expect_schedule(gui + "\"\"}", "lr_scheduler",
                  {.type = ScheduleType::cosine_restarts, .warmup = 40, .cycles = 6});
}

TEST(ImportSchedule, OfAClassOfTorch) {
  const std::string given =
      "learning_rate = 1e-4\nmax_train_steps = 400\nnetwork_dim = 4\nlr_scheduler = \"linear\"\n"
      "lr_scheduler_type = \"torch.optim.lr_scheduler.CosineAnnealingLR\"\n";
  expect_schedule(given + "lr_scheduler_args = [\"T_max=400\", \"eta_min=1e-5\"]",
                  "lr_scheduler_type", {.type = ScheduleType::cosine, .min_factor = 0.1});
  expect_schedule(given + "lr_scheduler_args = [\"T_max=100\"]", "lr_scheduler",
                  {.type = ScheduleType::linear, .changed = true});
}

TEST(ImportSchedule, OfOneTrainer) {
  const ScheduleCase cases[] = {
      {R"("CONSTANT")", {}},
      {R"("LINEAR", "learning_rate_min_factor": 0.2)",
       {.type = ScheduleType::linear, .min_factor = 0.2}},
      {R"("COSINE")", {.type = ScheduleType::cosine}},
      {R"("COSINE_WITH_RESTARTS")", {.type = ScheduleType::cosine_waves, .cycles = 1}},
      {R"("COSINE_WITH_RESTARTS", "learning_rate_cycles": 2.5)",
       {.type = ScheduleType::cosine_waves, .cycles = 2.5}},
      {R"("COSINE_WITH_HARD_RESTARTS")", {.type = ScheduleType::cosine_restarts, .cycles = 1}},
      {R"("COSINE_WITH_HARD_RESTARTS", "learning_rate_cycles": 3)",
       {.type = ScheduleType::cosine_restarts, .cycles = 3}},
      {R"("REX", "learning_rate_cycles": 3)", {.type = ScheduleType::rex, .rex_beta = 0.9}},
      {R"("ADAFACTOR")", {.changed = true}},
      {R"("CUSTOM", "custom_learning_rate_scheduler": "os.system")", {.changed = true}}};
  for (const auto& [given, expected] : cases) {
    expect_schedule(R"({"training_method": "LORA", "learning_rate_warmup_steps": 0,
                        "learning_rate_scheduler": )" +
                        std::string(given) + "}",
                    "learning_rate_scheduler", expected);
  }
}

TEST(ImportSchedule, OfAiToolkit) {
  const ScheduleCase cases[] = {
      {R"("lr_scheduler": "constant")", {}},
      {R"("lr_scheduler": "constant", "lr_scheduler_params": {"factor": 0.5})", {.changed = true}},
      {R"("lr_scheduler": "constant_with_warmup")", {.warmup = 1000}},
      {R"("lr_scheduler": "constant_with_warmup", "lr_scheduler_params": {"num_warmup_steps": 9})",
       {.warmup = 9}},
      {R"("lr_scheduler": "cosine")", {.type = ScheduleType::cosine}},
      {R"("lr_scheduler": "cosine", "lr_scheduler_params": {"eta_min": 5e-5})",
       {.type = ScheduleType::cosine, .min_factor = 0.5}},
      {R"("lr_scheduler": "cosine", "lr_scheduler_params": {"T_max": 100})",
       {.type = ScheduleType::cosine}},
      {R"("lr_scheduler": "cosine_with_restarts")",
       {.type = ScheduleType::cosine_restarts, .cycles = 1}},
      {R"("lr_scheduler": "cosine_with_restarts", "lr_scheduler_params": {"T_0": 50})",
       {.type = ScheduleType::cosine_restarts, .cycles = 1}},
      {R"("lr_scheduler": "cosine_with_restarts", "lr_scheduler_params": {"total_iters": 50})",
       {.type = ScheduleType::cosine_restarts, .cycles = 1}},
      {R"("lr_scheduler": "cosine_with_restarts",
          "lr_scheduler_params": {"T_0": 50, "T_mult": 2})",
       {.type = ScheduleType::cosine_restarts, .cycles = 1}},
      {R"("lr_scheduler": "linear")", {.changed = true}},
      {R"("lr_scheduler": "linear", "lr_scheduler_params": {"start_factor": 1, "end_factor": 0.1})",
       {.type = ScheduleType::linear, .min_factor = 0.1}},
      {R"("lr_scheduler": "step", "lr_scheduler_params": {"step_size": 10})", {.changed = true}},
      {R"("lr_scheduler": "polynomial", "lr_scheduler_params": {"power": 2, "lr_end": 1e-5})",
       {.type = ScheduleType::polynomial, .min_factor = 0.1, .power = 2}}};
  for (const auto& [given, expected] : cases) {
    expect_schedule(R"({"job": "extension", "config": {"process": [{"type": "sd_trainer",
                        "model": {"arch": "sdxl"}, "network": {"type": "lora"},
                        "train": {"lr": 1e-4, "steps": 400, )" +
                        std::string(given) + "}}]}}",
                    "config.process[0].train.lr_scheduler", expected);
  }
}

TEST(ImportSchedule, OfSimpleTuner) {
  const ScheduleCase cases[] = {
      {R"("constant")", {}},
      {R"("constant", "lr_warmup_steps": 7)", {.warmup = 7}},
      {R"("constant_with_warmup", "lr_warmup_steps": 5)", {.warmup = 5}},
      {R"("linear")", {.type = ScheduleType::linear}},
      {R"("polynomial", "lr_power": 3)",
       {.type = ScheduleType::polynomial, .min_factor = 4e-3, .power = 3}},
      {R"("polynomial", "lr_end": "1e-5")",
       {.type = ScheduleType::polynomial, .min_factor = 0.1, .power = 0.8}},
      {R"("sine", "lr_warmup_steps": 50)",
       {.type = ScheduleType::cosine, .min_factor = 4e-3, .changed = true}},
      {R"("cosine", "lr_warmup_steps": 50, "lr_end": 0)",
       {.type = ScheduleType::cosine, .changed = true}},
      {R"("cosine_with_restarts")",
       {.type = ScheduleType::cosine, .min_factor = 4e-3, .changed = true}}};
  for (const auto& [given, expected] : cases) {
    expect_schedule(R"({"model_type": "lora", "model_family": "sdxl", "learning_rate": 1e-4,
                        "max_train_steps": 400, "lr_scheduler": )" +
                        std::string(given) + "}",
                    "lr_scheduler", expected);
  }
  const ImportResult unsaid =
      import_preset_text(R"({"model_family": "sdxl", "lr_warmup_steps": 100})", "x");
  EXPECT_EQ(unsaid.preset.schedule.type, ScheduleType::constant);
  EXPECT_EQ(unsaid.preset.schedule.warmup_steps, 100)
      << "constant_with_warmup is the default there";
  EXPECT_THAT(row(unsaid, "max_grad_norm").note.text(), testing::HasSubstr("each of them there"));
  EXPECT_EQ(
      row(import_preset_text(R"({"model_family": "sdxl", "lr_scheduler": "polynomial"})", "x"),
          "lr_power")
          .fate,
      ImportFate::assumed);
}

}  // namespace
}  // namespace mantissa
