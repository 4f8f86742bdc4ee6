// A run's events, written as lines and read again: every call arrives with all it had.
#include "engine/run/run_relay.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <sstream>
#include <vector>

#include "engine/core/error.h"
#include "engine/plan/device_error.h"
#include "engine/ranks/ranks.h"
#include "engine/run/run_identity.h"
#include "tests/engine/record_values.h"

namespace mantissa {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Kept : RunObserver {
  void on_state(RunState state) override { states.push_back(state); }
  void on_progress(RunPhase phase, std::int64_t done, std::int64_t total) override {
    progress.push_back({phase, {done, total}});
  }
  void on_log(LogLevel level, const Message& line) override { lines.emplace_back(level, line); }
  void on_plan(const PlanReport& report) override { plan = report; }
  void on_settings(const Preset& now) override { settings = now; }
  void on_step(const StepRecord& step) override { steps.push_back(step); }
  void on_health(const HealthRecord& record) override { health = record; }
  void on_validation(const ValidationRecord& record) override { validation = record; }
  void on_rates(const RunRates& told) override { rates = told; }
  void on_pause(const PauseRecord& told) override { pause = told; }
  void on_non_finite(const NonFiniteReport& found) override { report = found; }
  void on_sample(const SampleRecord& made) override { sample = made; }
  void on_saved(const std::filesystem::path& path, std::int64_t step) override {
    saved = {path, step};
  }
  void on_disk_full(const FullDisk& told) override { full = told; }

  std::vector<RunState> states;
  std::vector<std::pair<RunPhase, std::pair<std::int64_t, std::int64_t>>> progress;
  std::vector<std::pair<LogLevel, Message>> lines;
  PlanReport plan;
  Preset settings;
  std::vector<StepRecord> steps;
  HealthRecord health;
  ValidationRecord validation;
  RunRates rates;
  PauseRecord pause;
  NonFiniteReport report;
  SampleRecord sample;
  std::pair<std::filesystem::path, std::int64_t> saved;
  FullDisk full;
};

class RunRelayTest : public ::testing::Test {
 protected:
  /// All that was written so far, read.
  void pass_on() {
    for (std::string line; std::getline(stream_, line);) {
      read_.take(line);
    }
    stream_.clear();
  }
  template <typename Thrown>
  Thrown thrown_by(const std::exception_ptr& why) {
    std::stringstream stream;
    RunRelay(stream).failed(why);
    RelayedRun read(kept_);
    read.take(stream.str());
    EXPECT_TRUE(read.has_ended());
    try {
      read.result();
    } catch (const Thrown& e) {
      return e;
    }
    throw std::logic_error("it threw nothing");
  }

  std::stringstream stream_;
  RunRelay relay_{stream_};
  Kept kept_;
  RelayedRun read_{kept_};
};

TEST_F(RunRelayTest, PassesStatesPhasesAndLines) {
  for (int i = 0; i <= static_cast<int>(RunState::failed); ++i) {
    relay_.on_state(static_cast<RunState>(i));
  }
  for (int i = 0; i <= static_cast<int>(RunPhase::probing); ++i) {
    relay_.on_progress(static_cast<RunPhase>(i), i, 100);
  }
  const Message line = message<"could not read {file}: {reason}">(
      "a\n\x1b[31m\"b\".png", message<"it is {count} bytes">(7));
  relay_.on_log(LogLevel::warning, line);
  EXPECT_NE(stream_.str().find("\"level\":2"), std::string::npos) << stream_.str();
  pass_on();
  ASSERT_EQ(kept_.states.size(), 8U);
  EXPECT_EQ(kept_.states[4], RunState::paused);
  ASSERT_EQ(kept_.progress.size(), 11U);
  EXPECT_EQ(kept_.progress[4].first, RunPhase::caching_text);
  EXPECT_EQ(kept_.progress[9].second, (std::pair<std::int64_t, std::int64_t>{9, 100}));
  ASSERT_EQ(kept_.lines.size(), 1U);
  EXPECT_EQ(kept_.lines[0].first, LogLevel::warning);
  EXPECT_EQ(kept_.lines[0].second.source(), line.source()) << "it can be translated";
  EXPECT_EQ(kept_.lines[0].second.text(), line.text());
}

TEST_F(RunRelayTest, PassesEveryNumberOfAStep) {
  StepRecord step;
  step.step = 1'234'567'890'123;
  step.loss = kNaN;
  step.grad_norm = kInfinity;
  step.clip_norm = 0.1;
  step.loss_scale = 65536;
  step.lost_update = 1.0 / 3;
  step.update_ratio = -kInfinity;
  step.seconds = 5e-324;
  step.clipped = true;
  step.parts[Part("unet")] = {Part("unet"), 1e-4, 2.5};
  step.parts[Part("te1")] = {Part("te1"), 5e-5, kNaN};
  relay_.on_step(step);
  pass_on();
  const StepRecord& got = kept_.steps.at(0);
  EXPECT_EQ(got.step, step.step);
  EXPECT_TRUE(std::isnan(got.loss));
  EXPECT_EQ(got.grad_norm, kInfinity);
  EXPECT_EQ(got.clip_norm, 0.1);
  EXPECT_EQ(got.loss_scale, 65536);
  EXPECT_EQ(got.lost_update, 1.0 / 3);
  EXPECT_EQ(got.update_ratio, -kInfinity);
  EXPECT_EQ(got.seconds, 5e-324);
  EXPECT_TRUE(got.clipped);
  EXPECT_FALSE(got.skipped);
  ASSERT_EQ(got.parts.size(), 2U);
  EXPECT_EQ(got.parts.of(Part("unet")).lr, 1e-4);
  EXPECT_EQ(got.parts.of(Part("unet")).norm, 2.5);
  EXPECT_TRUE(std::isnan(got.parts.of(Part("te1")).norm));
}

TEST_F(RunRelayTest, PassesEveryFieldOfEveryRecord) {
  using testing_support::all_of, testing_support::filled;
  const auto plan = filled<PlanReport>();
  const auto step = filled<StepRecord>();
  const auto health = filled<HealthRecord>();
  const auto validation = filled<ValidationRecord>();
  const auto rates = filled<RunRates>();
  const auto pause = filled<PauseRecord>();
  const auto report = filled<NonFiniteReport>();
  const auto sample = filled<SampleRecord>();
  const auto full = filled<FullDisk>();
  const auto result = filled<RunResult>();
  relay_.on_plan(plan);
  relay_.on_step(step);
  relay_.on_health(health);
  relay_.on_validation(validation);
  relay_.on_rates(rates);
  relay_.on_pause(pause);
  relay_.on_non_finite(report);
  relay_.on_sample(sample);
  relay_.on_disk_full(full);
  relay_.ended(result);
  pass_on();
  EXPECT_EQ(all_of(kept_.plan), all_of(plan));
  EXPECT_EQ(all_of(kept_.steps.at(0)), all_of(step));
  EXPECT_EQ(all_of(kept_.health), all_of(health));
  EXPECT_EQ(all_of(kept_.validation), all_of(validation));
  EXPECT_EQ(all_of(kept_.rates), all_of(rates));
  EXPECT_EQ(all_of(kept_.pause), all_of(pause));
  EXPECT_EQ(all_of(kept_.report), all_of(report));
  EXPECT_EQ(all_of(kept_.sample), all_of(sample));
  EXPECT_EQ(all_of(kept_.full), all_of(full));
  EXPECT_EQ(all_of(read_.result()), all_of(result));
}

TEST_F(RunRelayTest, PassesLayerStatistics) {
  HealthRow row;
  row.layer = "denoiser.mid_block";
  row.kind = HealthKind::gradient_operand;
  row.format = DType::f8_e5m2;
  row.statistics = {10, 1, 2, 3, 4, 5, 0.5, 0.25, 1e300, kInfinity, {}};
  row.statistics.histogram[63] = 7;
  relay_.on_health({50, 0.125, {row, {}}});
  NonFiniteReport report{
      7,    "denoiser.conv", "matmul", message<"weight {name}">("w"), "backward", DType::f16, 3,
      4096, 5.1e4,           65504};
  relay_.on_non_finite(report);
  pass_on();
  EXPECT_EQ(kept_.health.step, 50);
  EXPECT_EQ(kept_.health.seconds, 0.125);
  ASSERT_EQ(kept_.health.rows.size(), 2U);
  const HealthRow& got = kept_.health.rows[0];
  EXPECT_EQ(got.layer, row.layer);
  EXPECT_EQ(got.kind, row.kind);
  EXPECT_EQ(got.format, row.format);
  const TensorStatistics &a = got.statistics, &b = row.statistics;
  EXPECT_EQ(std::tie(a.count, a.zeros, a.non_finite, a.underflow, a.subnormal, a.overflow, a.amax,
                     a.scaled_amax, a.signal, a.noise, a.histogram),
            std::tie(b.count, b.zeros, b.non_finite, b.underflow, b.subnormal, b.overflow, b.amax,
                     b.scaled_amax, b.signal, b.noise, b.histogram));
  EXPECT_TRUE(std::isnan(got.drift));
  EXPECT_EQ(kept_.report.text(), report.text());
}

TEST_F(RunRelayTest, PassesPlansImagesFilesAndFullDisks) {
  PlanReport plan;
  plan.peak_bytes = 9'800'000'000;
  plan.free_bytes = 12'000'000'000;
  plan.streamed_bytes = 5;
  plan.length = {300, 40, 2};
  relay_.on_plan(plan);
  relay_.on_validation({20, 0.25, 3, 1.5});
  relay_.on_sample({40, 2, "a \"zorb\"\n", "/s/ä.png"});
  relay_.on_saved("/run/step-40", 40);
  relay_.on_disk_full({"/run", 40, 100, 7, message<"the disk is full">(), true});
  pass_on();
  EXPECT_EQ(kept_.plan.peak_bytes, plan.peak_bytes);
  EXPECT_EQ(kept_.plan.free_bytes, plan.free_bytes);
  EXPECT_EQ(kept_.plan.streamed_bytes, 5U);
  EXPECT_EQ(kept_.plan.length.steps, 300);
  EXPECT_EQ(kept_.plan.length.batches_per_epoch, 40);
  EXPECT_EQ(kept_.plan.length.batches_per_step, 2);
  EXPECT_EQ(kept_.validation.loss, 0.25);
  EXPECT_EQ(kept_.validation.images, 3);
  EXPECT_EQ(kept_.sample.prompt, "a \"zorb\"\n");
  EXPECT_EQ(kept_.sample.prompt_index, 2);
  EXPECT_EQ(kept_.sample.path, "/s/ä.png");
  EXPECT_EQ(kept_.saved, (std::pair<std::filesystem::path, std::int64_t>{"/run/step-40", 40}));
  EXPECT_EQ(kept_.full.needed, 100U);
  EXPECT_EQ(kept_.full.message.text(), "the disk is full");
  EXPECT_TRUE(kept_.full.movable);
}

TEST_F(RunRelayTest, PassesSettings) {
  Preset preset;
  preset.optimizer.learning_rate = 1.0 / 3;
  preset.samples.prompts = {{.prompt = "a \"zorb\"\n"}};
  relay_.on_settings(preset);
  pass_on();
  EXPECT_EQ(kept_.settings, preset);
}

TEST_F(RunRelayTest, PassesTheResult) {
  EXPECT_FALSE(read_.has_ended());
  relay_.ended({"run-1", "/runs/run-1", "/runs/run-1/lora.safetensors", 300, 0.125});
  pass_on();
  ASSERT_TRUE(read_.has_ended());
  const RunResult got = read_.result();
  EXPECT_EQ(got.run_id, "run-1");
  EXPECT_EQ(got.adapter, "/runs/run-1/lora.safetensors");
  EXPECT_EQ(got.steps, 300);
  EXPECT_EQ(got.final_loss, 0.125);
}

TEST_F(RunRelayTest, ThrowsWhatTheRunThrew) {
  const auto error = thrown_by<Error>(std::make_exception_ptr(
      Error(ErrorKind::out_of_disk, message<"{folder} is full">("/run"), "S4")));
  EXPECT_EQ(error.kind(), ErrorKind::out_of_disk);
  EXPECT_EQ(error.id(), "S4");
  EXPECT_EQ(error.message().source(), "{folder} is full");
  const auto refused = thrown_by<ResumeRefused>(
      std::make_exception_ptr(ResumeRefused(message<"the base differs">(), {"base", "images"})));
  EXPECT_EQ(refused.changed(), (std::vector<std::string>{"base", "images"}));
  EXPECT_STREQ(thrown_by<RankLost>(std::make_exception_ptr(RankLost(message<"gone">()))).what(),
               "gone");
  EXPECT_STREQ(
      thrown_by<RunDeviceLost>(std::make_exception_ptr(RunDeviceLost(message<"cuda:1 stopped">())))
          .what(),
      "cuda:1 stopped");
  EXPECT_EQ(thrown_by<Error>(std::make_exception_ptr(std::bad_alloc())).kind(),
            ErrorKind::out_of_memory);
  const auto bug = thrown_by<Error>(std::make_exception_ptr(std::logic_error("a bug")));
  EXPECT_EQ(bug.kind(), ErrorKind::internal);
  EXPECT_STREQ(bug.what(), "internal error: a bug");
}

// Several processes may fail before one of them speaks for all.
TEST_F(RunRelayTest, TheFirstEndCounts) {
  relay_.failed(std::make_exception_ptr(Error(message<"first">())));
  relay_.failed(std::make_exception_ptr(Error(message<"second">())));
  pass_on();
  try {
    read_.result();
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "first");
  }
}

TEST_F(RunRelayTest, OtherTextIsRefused) {
  EXPECT_THROW(read_.take("mpirun noticed that"), Error);
  EXPECT_THROW(read_.take("[1, 2]"), Error);
  EXPECT_THROW(read_.take(""), Error);
  EXPECT_THROW(read_.take(R"({"event": 5})"), Error);
  EXPECT_THROW(read_.take(R"({"event": "state"})"), Error);
  EXPECT_THROW(read_.take(R"({"event": "pause", "step": 3})"), Error);
  EXPECT_NO_THROW(read_.take(R"({"event": "unknown"})"));
  EXPECT_FALSE(read_.has_ended());
}

}  // namespace
}  // namespace mantissa
