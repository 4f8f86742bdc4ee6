// Whole runs of the mini model on the demo's images: files, exact resume, samples without side
// effects, traces, and handling of bad input and non-finite values.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/io/run_lock.h"
#include "engine/io/safetensors.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "engine/preset/preset_library.h"
#include "engine/run/run.h"
#include "engine/run/run_control.h"
#include "engine/run/run_folder.h"
#include "engine/store/reader.h"
#include "engine/train/run_training.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

/// Collects a run's events; may stop it at a step.
class Recorder : public RunObserver {
 public:
  explicit Recorder(RunControl* control = nullptr, std::int64_t stop_at = -1)
      : control_(control), stop_at_(stop_at) {}
  void on_step(const StepRecord& r) override {
    steps.push_back(r);
    if (r.step == stop_at_) {
      control_->request_stop(RunControl::Stop::save);
    }
  }
  void on_sample(const SampleRecord& r) override { samples.push_back(r); }
  void on_plan(const PlanReport& r) override { plan = r; }
  void on_log(LogLevel, const Message& line) override { log += line.text() + "\n"; }
  void on_state(RunState s) override { states.push_back(s); }
  std::vector<double> losses() const {
    std::vector<double> all;
    for (const StepRecord& r : steps) {
      all.push_back(r.loss);
    }
    return all;
  }
  std::vector<StepRecord> steps;
  std::vector<SampleRecord> samples;
  std::vector<RunState> states;
  PlanReport plan;
  std::string log;

 private:
  RunControl* control_;
  std::int64_t stop_at_;
};

class TrainingTest : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.out.clear();
    job_.preset.data.batch_size = 2;
    job_.preset.training.steps = 6;
  }
  static std::string state_hash(const fs::path& run, std::int64_t step) {
    char name[32];
    std::snprintf(name, sizeof name, "step-%08d", static_cast<int>(step));
    return sha256_file(run / "checkpoints" / name / "state.safetensors");
  }
  /// Stopped after each of these steps, a run of the job ends as one that was not.
  void expect_exact_resume(const std::vector<std::int64_t>& stops, const std::string& name = "");
  Error failure(const JobSpec& job) {
    Recorder r;
    RunControl control;
    try {
      run_training(job, control, r);
    } catch (const Error& e) {
      return e;
    }
    ADD_FAILURE() << "no error";
    return Error(Message());
  }
};

TEST_F(TrainingTest, LeavesAdapterLogAndDatabase) {
  job_.preset.output.save_every = 2;
  Recorder r;
  const RunResult result = run(job_into("run"), r);
  EXPECT_EQ(result.steps, 6);
  ASSERT_EQ(r.steps.size(), 6U);
  for (const StepRecord& s : r.steps) {
    EXPECT_TRUE(std::isfinite(s.loss) && s.grad_norm > 0 && s.parts.of(Part("unet")).lr == 1e-3);
    EXPECT_LT(s.lost_update, 0.01);
  }
  const auto adapter = SafetensorsFile::open(result.adapter);
  EXPECT_EQ(adapter.metadata().at("ss_network_dim"), "4");
  const Preset embedded = preset_from_metadata(adapter.metadata(), "adapter");
  EXPECT_EQ(embedded, job_.preset);
  RunReader reader(runs_database());
  const auto row = reader.run(result.run_id);
  ASSERT_TRUE(row.has_value());
  EXPECT_EQ(row->state, "finished");
  EXPECT_EQ(row->steps, 6);
  EXPECT_EQ(reader.metrics(result.run_id).size(), 6U);
  EXPECT_EQ(reader.metrics(result.run_id)[3].loss, r.steps[3].loss);
  for (const char* name : {"job.json", "log.txt", "dataset.txt", "dataset.json"}) {
    EXPECT_TRUE(fs::exists(result.folder / name)) << name;
  }
  EXPECT_EQ(r.states.front(), RunState::preparing);
  EXPECT_EQ(r.states.back(), RunState::finished);
}

void TrainingTest::expect_exact_resume(const std::vector<std::int64_t>& stops,
                                       const std::string& name) {
  Recorder whole;
  const RunResult straight = run(job_into((name + "straight").c_str()), whole);
  for (std::int64_t stop : stops) {
    const JobSpec job = job_into((name + "stopped" + std::to_string(stop)).c_str());
    RunControl control;
    Recorder first(&control, stop);
    try {
      run_training(job, control, first);
      FAIL() << "not stopped";
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::interrupted) << e.what();
    }
    JobSpec again = job;
    again.resume = job.out;
    Recorder second;
    const RunResult resumed = run(again, second);
    std::vector<double> losses = first.losses();
    const std::vector<double> rest = second.losses();
    losses.insert(losses.end(), rest.begin(), rest.end());
    EXPECT_EQ(losses, whole.losses());
    EXPECT_EQ(state_hash(resumed.folder, 6), state_hash(straight.folder, 6));
    RunReader reader(runs_database());
    EXPECT_EQ(reader.metrics(resumed.run_id).size(), 6U);
  }
}

TEST_F(TrainingTest, ResumeFromAnyStepIsBitExact) {
  job_.preset.training.gradient_accumulation = 2;
  job_.preset.training.ema = 0.9;
  job_.preset.adapter.dropout = 0.1;
  job_.preset.data.caption_dropout = 0.3;
  job_.preset.data.flip = true;
  job_.preset.schedule = {ScheduleType::cosine, 2, 0.1};
  expect_exact_resume({1, 3, 5});
}

TEST_F(TrainingTest, EveryOptimizerResumesToTheBit) {
  job_.preset.schedule.warmup_steps = 4;
  job_.preset.precision.adapter = MasterType::bf16;
  job_.preset.adapter.type = AdapterType::dora;
  for (const OptimizerRow& row : kOptimizers) {
    job_.preset.optimizer.type = row.type;
    job_.preset.optimizer.learning_rate = row.finds_rate() ? 1 : 1e-3;
    expect_exact_resume({3}, std::string(row.name));
  }
}

TEST_F(TrainingTest, AScheduleFreeRunSavesItsAverage) {
  for (const OptimizerRow& row : kOptimizers) {
    if (!row.schedule_free) {
      continue;
    }
    job_.preset.optimizer.type = row.type;
    job_.preset.optimizer.learning_rate = row.finds_rate() ? 1 : 0.01;
    job_.preset.output.dtype = MasterType::fp32;
    Recorder seen;
    const RunResult result = run(job_into(std::string(row.name).c_str()), seen);
    const auto state =
        SafetensorsFile::open(result.folder / "checkpoints/step-00000006/state.safetensors");
    const auto values = [&](const char* name) {
      const TensorInfo& info = *state.find(name);
      const auto* begin = reinterpret_cast<const float*>(info.data);
      return std::vector<float>(begin, begin + info.shape().count());
    };
    std::vector<float> average = values("denoiser.parameters");
    const std::vector<float> trained = average, offset = values("denoiser.offset");
    for (std::size_t i = 0; i < average.size(); ++i) {
      average[i] += offset[i];
    }
    EXPECT_NE(average, trained);
    std::vector<float> saved;
    const auto adapter = SafetensorsFile::open(result.adapter);
    for (const TensorInfo& info : adapter.tensors()) {
      if (info.name.find("lora_") != std::string::npos && info.name.ends_with(".weight")) {
        const auto* begin = reinterpret_cast<const float*>(info.data);
        saved.insert(saved.end(), begin, begin + info.shape().count());
      }
    }
    std::ranges::sort(average);
    std::ranges::sort(saved);
    EXPECT_EQ(saved, average) << row.name;
  }
}

/// Samples, and validation, of a schedule-free run show the average, and leave no trace.
TEST_F(TrainingTest, SamplesOfAScheduleFreeRunChangeNoBit) {
  job_.preset.optimizer.type = OptimizerType::adamw_schedule_free;
  job_.preset.data.validation_share = 0.2;
  job_.preset.training.validate_every = 2;
  Recorder plain;
  const RunResult first = run(job_into("plain"), plain);
  JobSpec sampled = job_into("sampled");
  sampled.preset.samples.every = 2;
  sampled.preset.samples.prompts = {{"a red circle", "", 1, 64, 64, 3, 4.0}};
  Recorder with_samples;
  const RunResult result = run(sampled, with_samples);
  EXPECT_EQ(with_samples.losses(), plain.losses());
  EXPECT_EQ(state_hash(result.folder, 6), state_hash(first.folder, 6));
}

TEST_F(TrainingTest, SamplesChangeNoBit) {
  job_.preset.adapter.dropout = 0.1;  // which samples must not have, and steps must have again
  Recorder plain;
  run(job_into("plain"), plain);
  JobSpec sampled = job_into("sampled");
  sampled.preset.samples.every = 2;
  sampled.preset.samples.prompts = {{"a red circle", "", 1, 64, 64, 3, 4.0}};
  Recorder with_samples;
  const RunResult result = run(sampled, with_samples);
  EXPECT_EQ(with_samples.losses(), plain.losses());
  ASSERT_EQ(with_samples.samples.size(), 4U);  // steps 0, 2, 4, 6
  EXPECT_EQ(with_samples.samples[0].step, 0);
  EXPECT_NE(read_text(with_samples.samples[0].path), read_text(with_samples.samples[3].path));
}

// Of linear and convolution layers, DoRA and dropout too: each reads what a scope recomputes.
TEST_F(TrainingTest, EveryCheckpointingScopeGivesTheSameBitsInLessMemory) {
  job_.preset.adapter.dropout = 0.1;
  job_.preset.adapter.targets = {"linear+conv"};
  job_.preset.adapter.type = AdapterType::dora;
  job_.preset.precision.compute = ComputeType::bf16;
  expect_every_checkpointing_scope_is_the_same();
}

// Delayed scales depend on the steps alone.
TEST_F(TrainingTest, SamplesLeaveNoTraceInFp8Scales) {
  job_.preset.precision.compute = ComputeType::fp8;
  job_.preset.precision.fp8_scaling = Fp8Scaling::delayed;
  Recorder plain;
  run(job_into("plain"), plain);
  JobSpec sampled = job_into("sampled");
  sampled.preset.samples.every = 1;
  sampled.preset.samples.prompts = {{"a red circle", "", 1, 64, 64, 3, 4.0}};
  Recorder with_samples;
  run(sampled, with_samples);
  EXPECT_EQ(with_samples.samples.size(), 7U);
  EXPECT_EQ(with_samples.losses(), plain.losses());
}

TEST_F(TrainingTest, ASampleThatIsAskedForIsRenderedEvenTwiceAtOneStep) {
  class Asking : public Recorder {
   public:
    explicit Asking(RunControl& control) : control_(control) {}
    void on_step(const StepRecord& r) override {
      if (r.step == 2) {
        control_.request_sample();
      }
    }

   private:
    RunControl& control_;
  };
  JobSpec job = job_into("run");
  job.preset.samples.every = 2;
  job.preset.samples.prompts = {{"a red circle", "", 1, 64, 64, 2, 1.0}};
  job.preset.training.steps = 3;
  RunControl control;
  Asking asking(control);
  run_training(job, control, asking);
  std::vector<std::int64_t> steps;
  for (const SampleRecord& s : asking.samples) {
    steps.push_back(s.step);
  }
  EXPECT_EQ(steps, (std::vector<std::int64_t>{0, 2, 2, 3}));
}

// Each micro-step has its own number, and with it its own images and noise.
TEST_F(TrainingTest, MicroStepsFollowOneAnother) {
  JobSpec job = job_into("run");
  job.preset.training.gradient_accumulation = 3;
  job.preset.training.steps = 2;
  job.trace = home_ / "trace.safetensors";
  job.trace_steps = 2;
  Recorder r;
  run(job, r);
  const auto file = SafetensorsFile::open(*job.trace);
  std::set<std::string> noise;
  double sum = 0;
  for (int micro_step = 1; micro_step <= 6; ++micro_step) {
    const std::string name = "step.000" + std::to_string(micro_step);
    const TensorInfo* drawn = file.find(name + ".noise");
    const TensorInfo* loss = file.find(name + ".loss");
    ASSERT_NE(drawn, nullptr) << name;
    ASSERT_NE(loss, nullptr) << name;
    EXPECT_TRUE(
        noise.insert(std::string(reinterpret_cast<const char*>(drawn->data), drawn->bytes)).second);
    float value = 0;
    std::memcpy(&value, loss->data, sizeof value);
    sum += value;
    if (micro_step % 3 == 0) {
      EXPECT_NEAR(r.steps[static_cast<std::size_t>(micro_step / 3 - 1)].loss, sum / 3, 1e-6)
          << "a step's loss is the mean of its micro-steps'";
      sum = 0;
    }
  }
  EXPECT_EQ(file.find("step.0007.noise"), nullptr);
}

TEST_F(TrainingTest, CheckPredictsTheVeryArena) {
  Recorder r;
  run(job_into("run"), r);
  const PlanReport check = plan_training(job_);
  EXPECT_EQ(check.arena_bytes, r.plan.arena_bytes);
  EXPECT_EQ(check.weight_bytes, r.plan.weight_bytes);
  EXPECT_EQ(check.adapter_bytes, r.plan.adapter_bytes);
}

TEST_F(TrainingTest, WhatIsCachedNeedsNoMemory) {
  job_.preset.training.steps = 1;
  job_.preset.samples.prompts = {{"a red circle", "", 1, 64, 64, 2, 4.0}};
  const PlanReport before = plan_training(job_);
  Recorder r;
  run(job_into("run"), r);
  EXPECT_EQ(r.plan.peak_bytes, before.peak_bytes);
  const PlanReport after = plan_training(job_);
  EXPECT_EQ(after.arena_bytes, before.arena_bytes);
  EXPECT_EQ(after.peak_bytes, after.arena_bytes + after.weight_bytes + after.adapter_bytes);
  Recorder again;
  run(job_into("again"), again);
  EXPECT_EQ(again.plan.peak_bytes, after.peak_bytes);
  EXPECT_EQ(again.losses(), r.losses());
  // A new prompt is encoded first.
  job_.preset.samples.prompts[0].prompt = "a green star";
  Recorder other;
  run(job_into("other"), other);
  EXPECT_EQ(other.losses(), r.losses());
}

TEST_F(TrainingTest, ADamagedEntryIsPlannedAsWhatItIsMadeAnewWith) {
  job_.preset.training.steps = 1;
  // So that encoding images needs more than the steps.
  job_.preset.training.gradient_checkpointing = true;
  job_.preset.precision.compute = ComputeType::bf16;
  job_.preset.precision.weights.denoiser = StorageType::fp8_e4m3;
  job_.preset.data.resolution = 256;
  Recorder first;
  run(job_into("first"), first);
  const std::uint64_t encoded = first.plan.peak_bytes, cached = plan_training(job_).peak_bytes;
  ASSERT_LT(cached, encoded);
  const auto damage_latents = [](const auto& damage) {
    for (const auto& entry : fs::recursive_directory_iterator(cache_dir() / "tensors")) {
      if (entry.is_regular_file() && SafetensorsFile::open(entry.path()).find("mean") != nullptr) {
        damage(entry.path());
      }
    }
  };
  // One byte of the last value: only reading the whole entry detects it.
  damage_latents([](const fs::path& path) {
    std::fstream f(path, std::ios::in | std::ios::out | std::ios::binary);
    f.seekg(-1, std::ios::end);
    const char byte = static_cast<char>(f.get() ^ 1);
    f.seekp(-1, std::ios::end);
    f.put(byte);
  });
  EXPECT_EQ(plan_training(job_).peak_bytes, cached);
  Recorder changed;
  run(job_into("changed"), changed);
  EXPECT_EQ(changed.plan.peak_bytes, encoded);
  EXPECT_EQ(changed.losses(), first.losses());
  EXPECT_EQ(plan_training(job_).peak_bytes, cached) << "rebuilt";
  damage_latents([](const fs::path& path) { fs::resize_file(path, fs::file_size(path) - 1); });
  EXPECT_EQ(plan_training(job_).peak_bytes, encoded) << "cut short, as headers tell";
  Recorder cut;
  run(job_into("cut"), cut);
  EXPECT_EQ(cut.plan.peak_bytes, encoded);
  EXPECT_EQ(cut.losses(), first.losses());
}

TEST_F(TrainingTest, TrainsTextEncodersWithGroupsOfTheirOwn) {
  job_.preset.training.parts = {kDenoiser, kTe1, kTe2};
  job_.preset.optimizer.groups = {{kTe1, std::nullopt, 5e-4, std::nullopt}};
  job_.preset.training.steps = 4;
  job_.preset.samples.every = 4;
  job_.preset.samples.prompts = {{"a red circle", "", 1, 64, 64, 2, 4.0}};
  Recorder r;
  const RunResult result = run(job_into("run"), r);
  EXPECT_EQ(r.steps[0].parts.of(kTe1).lr, 5e-4);
  EXPECT_EQ(r.steps[0].parts.of(kTe2).lr, 1e-3);
  EXPECT_GT(r.steps[0].parts.of(kTe1).norm, 0);
  EXPECT_GT(r.steps[0].parts.of(kTe2).norm, 0);
  int moved = 0;
  const auto adapter = SafetensorsFile::open(result.adapter);
  for (const TensorInfo& t : adapter.tensors()) {
    if (t.name.starts_with("lora_te") && t.name.find("lora_up") != std::string::npos) {
      const auto* v = reinterpret_cast<const float*>(t.data);
      moved += v[0] != 0.0F ? 1 : 0;
    }
  }
  EXPECT_GT(moved, 3);
  EXPECT_EQ(r.samples.size(), 2U);
}

TEST_F(TrainingTest, ReplayedTraceGivesTheSameBits) {
  JobSpec traced = job_into("traced");
  traced.trace = home_ / "trace.safetensors";
  traced.trace_steps = 6;
  Recorder first;
  run(traced, first);
  const auto file = SafetensorsFile::open(*traced.trace);
  for (const char* name : {"step.0001.latents", "step.0006.loss", "step.0003.prediction",
                           "step.0001.time_ids", "step.0002.context", "step.0002.pooled"}) {
    EXPECT_NE(file.find(name), nullptr) << name;
  }
  JobSpec replayed = job_into("replayed");
  replayed.images.clear();
  replayed.replay = traced.trace;
  Recorder second;
  run(replayed, second);
  EXPECT_EQ(first.losses(), second.losses());
}

TEST_F(TrainingTest, ARectifiedFlowTrainsSamplesAndReplays) {
  job_.preset.training.prediction = Prediction::flow;
  job_.preset.samples.every = 3;
  job_.preset.samples.prompts = {{.prompt = "a zorb", .steps = 2}};
  JobSpec traced = job_into("traced");
  traced.trace = home_ / "trace.safetensors";
  traced.trace_steps = 6;
  Recorder first;
  run(traced, first);
  const auto file = SafetensorsFile::open(*traced.trace);
  const auto values = [&](const std::string& name) {
    const TensorInfo* tensor = file.find("step.0002." + name);
    EXPECT_TRUE(tensor != nullptr && tensor->type == DType::f32) << name;
    const auto* v = reinterpret_cast<const float*>(tensor->data);
    return std::vector<float>(v, v + tensor->count());
  };
  const std::vector<float> latents = values("latents"), noise = values("noise"),
                           target = values("target");
  for (std::size_t i = 0; i < target.size(); ++i) {
    ASSERT_EQ(target[i], noise[i] - latents[i]) << i;
  }
  for (const float t : values("timesteps")) {
    EXPECT_GE(t, 0);
    EXPECT_LT(t, 1000);
  }
  JobSpec replayed = job_into("replayed");
  replayed.preset.samples.every = 0;
  replayed.images.clear();
  replayed.replay = traced.trace;
  Recorder second;
  run(replayed, second);
  EXPECT_EQ(first.losses(), second.losses());
}

TEST_F(TrainingTest, BrokenNumbersStopTheRunAndSpoilNothing) {
  job_.preset.optimizer.learning_rate = 1e30;
  job_.preset.training.max_grad_norm = 0;
  job_.preset.training.steps = 30;
  job_.preset.output.save_every = 1;
  const JobSpec job = job_into("run");
  const Error e = failure(job);
  EXPECT_EQ(e.kind(), ErrorKind::non_finite) << e.what();
  for (const auto& entry : fs::recursive_directory_iterator(job.out)) {
    if (entry.path().extension() == ".safetensors") {
      const auto file = SafetensorsFile::open(entry.path());
      for (const TensorInfo& t : file.tensors()) {
        const auto* v = reinterpret_cast<const float*>(t.data);
        for (std::int64_t i = 0; i < t.count(); ++i) {
          ASSERT_TRUE(std::isfinite(v[i])) << entry.path() << " " << t.name;
        }
      }
    }
  }
  RunReader reader(runs_database());
  EXPECT_EQ(reader.list_runs().at(0).state, "failed");
}

TEST_F(TrainingTest, TheFrozenJobIsTheJob) {
  JobSpec job = job_into("run");
  job.device = "cuda:3";
  job.deterministic = true;
  job.memory_budget = 12345678901;
  job.prior = {home_ / "prior"};
  job.validation = {home_ / "held", home_ / "held 2"};
  job.continue_from = home_ / "before.safetensors";
  job.training_adapters = {{home_ / "turbo.safetensors", 0.5}};
  job.replay = home_ / "trace.safetensors";
  const JobSpec frozen = RunFolder::create(job).frozen_job();
  EXPECT_EQ(frozen.device, job.device);
  EXPECT_EQ(frozen.deterministic, job.deterministic);
  EXPECT_EQ(frozen.memory_budget, job.memory_budget);
  EXPECT_EQ(frozen.base, job.base);
  EXPECT_EQ(frozen.images, job.images);
  EXPECT_EQ(frozen.prior, job.prior);
  EXPECT_EQ(frozen.validation, job.validation);
  EXPECT_EQ(frozen.continue_from, job.continue_from);
  EXPECT_EQ(frozen.training_adapters, job.training_adapters);
  EXPECT_EQ(frozen.replay, job.replay);
  EXPECT_TRUE(frozen.preset == job.preset);
  EXPECT_EQ(frozen.resume, fs::absolute(job.out));
}

TEST_F(TrainingTest, AResumedRunFindsItsFilesWhereTheyHaveMoved) {
  JobSpec frozen = job_into("run");
  frozen.references = {home_ / "before"};
  JobSpec wanted = frozen;
  EXPECT_EQ(resumed_job(frozen, wanted).references, frozen.references);
  for (const auto folders :
       {&JobSpec::images, &JobSpec::prior, &JobSpec::validation, &JobSpec::references}) {
    wanted.*folders = {home_ / "moved"};
    EXPECT_EQ(resumed_job(frozen, wanted).*folders, wanted.*folders);
  }
  wanted.deterministic = true;
  EXPECT_TRUE(resumed_job(frozen, wanted).deterministic);
}

TEST_F(TrainingTest, BadInputIsNamedBeforeAnythingIsMade) {
  JobSpec job = job_into("run");
  job.base = home_ / "nothing.safetensors";
  EXPECT_NE(std::string(failure(job).what()).find("nothing.safetensors"), std::string::npos);
  job = job_into("run");
  job.images = {home_ / "no-such-folder"};
  EXPECT_NE(std::string(failure(job).what()).find("no-such-folder"), std::string::npos);
  job = job_into("run");
  job.device = "cuda:0";
  EXPECT_NE(std::string(failure(job).what()).find("cuda:0"), std::string::npos);
  job = job_into("run2");
  job.preset.precision.adapter = MasterType::fp16;
  const Error refused = failure(job);
  EXPECT_EQ(refused.kind(), ErrorKind::precision);
  EXPECT_EQ(refused.id(), "S4");
  job = job_into("run2");
  job.preset.training.prediction = Prediction::epsilon;
  job.preset.training.zero_terminal_snr = true;
  EXPECT_EQ(failure(job).id(), "N5");
  EXPECT_FALSE(fs::exists(home_ / "run2"));
  job.preset.training.prediction = Prediction::v;
  job.preset.training.min_snr_gamma = 5;
  Recorder r;
  EXPECT_EQ(run(job, r).steps, 6);
}

TEST_F(TrainingTest, AFolderWhereNothingWasTrainedMayBeUsedAgain) {
  fs::create_directories(home_ / "empty");
  JobSpec job = job_into("run");
  job.images = {home_ / "empty"};
  EXPECT_NE(std::string(failure(job).what()).find("no image"), std::string::npos);
  ASSERT_TRUE(fs::exists(job.out / "job.json"));
  Recorder r;
  EXPECT_EQ(run(job_into("run"), r).steps, 6);
}

TEST_F(TrainingTest, ARunThatHasJustBegunIsNotWrittenOver) {
  fs::create_directories(home_ / "empty");
  JobSpec job = job_into("run");
  job.images = {home_ / "empty"};
  failure(job);
  const std::string begun = read_text(job.out / "job.json");
  const RunLock lock(job.out / "run.lock");
  EXPECT_NE(std::string(failure(job_into("run")).what()).find("holds a run already"),
            std::string::npos);
  EXPECT_EQ(read_text(job.out / "job.json"), begun);
}

TEST_F(TrainingTest, EveryCheckpointHoldsTheJob) {
  JobSpec job = job_into("run");
  job.preset.output.save_every = 3;
  Recorder r;
  run(job, r);
  const std::string text = read_text(job.out / "job.json");
  int checkpoints = 0;
  for (const auto& entry : fs::directory_iterator(job.out / "checkpoints")) {
    EXPECT_EQ(read_text(entry.path() / "job.json"), text) << entry.path();
    ++checkpoints;
  }
  EXPECT_EQ(checkpoints, 2);
  // A run without its own is continued from a checkpoint's.
  fs::remove(job.out / "job.json");
  job.resume = job.out;
  job.preset.training.steps = 8;
  Recorder more;
  EXPECT_EQ(run(job, more).steps, 8);
  EXPECT_EQ(more.steps.size(), 2U);
}

TEST_F(TrainingTest, ASecondOwnerAndAChangedPresetAreRefused) {
  Recorder r;
  const JobSpec job = job_into("run");
  run(job, r);
  EXPECT_NE(std::string(failure(job).what()).find("holds a run already"), std::string::npos);
  JobSpec changed = job;
  changed.resume = job.out;
  changed.preset.adapter.rank = 8;
  EXPECT_NE(std::string(failure(changed).what()).find("adapter.rank"), std::string::npos);
  JobSpec longer = job;
  longer.resume = job.out;
  longer.preset.training.steps = 8;
  Recorder more;
  EXPECT_EQ(run(longer, more).steps, 8);
  EXPECT_EQ(more.steps.size(), 2U);
  const RunLock lock(job.out / "run.lock");
  EXPECT_NE(std::string(failure(longer).what()).find("run.lock"), std::string::npos);
}

}  // namespace
}  // namespace mantissa
