// Whole runs, whose first steps this version takes again.
#include "engine/train/verify_run.h"

#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <map>
#include <sstream>

#include "engine/io/file.h"
#include "engine/run/job_file.h"
#include "engine/run/run_folder.h"
#include "tests/engine/train/family_run.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// Every file below a folder with its content and its time.
std::map<std::string, std::pair<std::string, fs::file_time_type>> content_of(const fs::path& root) {
  std::map<std::string, std::pair<std::string, fs::file_time_type>> all;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.is_regular_file()) {
      std::ifstream in(entry.path(), std::ios::binary);
      all[entry.path().string()] = {{std::istreambuf_iterator<char>(in), {}},
                                    entry.last_write_time()};
    }
  }
  return all;
}

VerifyReport verified(const fs::path& run) {
  RunControl control;
  RunObserver observer;
  return verify_run(run, "", control, observer);
}

std::string problem_of(const fs::path& run) {
  return test::message_of([&] { verified(run); });
}

FirstSteps trace_of(const fs::path& run) {
  return parse_first_steps(read_text(trace_file(run)), "trace");
}

/// Runs `job`, then verifies it: the same to the bit, without a change of the run.
void expect_same_to_the_bit(const JobSpec& job) {
  RunControl control;
  RunObserver observer;
  run_training(job, control, observer);
  const auto before = content_of(job.out);
  ASSERT_TRUE(before.contains(trace_file(job.out).string()));
  const VerifyReport report = verified(job.out);
  EXPECT_EQ(report.comparison.verdict.text(), "the same to the bit");
  EXPECT_EQ(report.comparison.sameness, Sameness::bits);
  ASSERT_EQ(report.now.steps.size(), 3U);
  EXPECT_EQ(report.then.peak_bytes, report.now.peak_bytes);
  EXPECT_GT(report.then.peak_bytes, 0U);
  EXPECT_FALSE(report.then.tensors.empty());
  EXPECT_NE(report.then.steps[0].hashes, report.then.steps[2].hashes) << "the steps train";
  for (const FirstSteps* side : {&report.then, &report.now}) {
    EXPECT_THAT(side->version, HasSubstr("."));
    EXPECT_THAT(side->device, testing::Not(HasSubstr("thread")));
    EXPECT_GT(side->steps[1].seconds, 0);
  }
  EXPECT_EQ(content_of(job.out), before);
}

class VerifyRun : public testing_support::RunFixture {
 protected:
  fs::path trained() {
    RunObserver observer;
    run(job_, observer);
    return job_.out;
  }
  static void write_trace(const fs::path& run, const FirstSteps& trace) {
    std::ofstream(trace_file(run), std::ios::binary) << to_text(trace);
  }
};

TEST_F(VerifyRun, EveryPrecisionIsTheSameToTheBit) {
  JobSpec job = job_into("bf16");
  job.preset.precision.compute = ComputeType::bf16;
  job.preset.precision.weights.denoiser = StorageType::bf16;
  job.preset.precision.adapter = MasterType::bf16;
  expect_same_to_the_bit(job);
  EXPECT_EQ(trace_of(job.out).compute, "bf16");
  job = job_into("fp16");
  job.preset.precision.compute = ComputeType::fp16;
  job.preset.precision.weights.denoiser = StorageType::fp16;
  job.preset.precision.loss_scaling.mode = LossScaling::Mode::dynamic;
  expect_same_to_the_bit(job);
  EXPECT_GT(trace_of(job.out).steps[0].loss_scale, 1);
  job = job_into("int8");
  job.preset.precision.compute = ComputeType::bf16;
  job.preset.precision.weights.denoiser = StorageType::int8;
  expect_same_to_the_bit(job);
}

TEST_F(VerifyRun, EveryWayOfTrainingIsTheSameToTheBit) {
  JobSpec job = job_into("accumulated");
  job.preset.training.gradient_accumulation = 2;
  job.preset.training.parts = {kDenoiser, kTe1};
  expect_same_to_the_bit(job);
  job = job_into("dora");
  job.preset.adapter.type = AdapterType::dora;
  expect_same_to_the_bit(job);
  job = job_into("fused");
  job.preset.optimizer.fused_back_pass = true;
  job.preset.training.max_grad_norm = 0;
  expect_same_to_the_bit(job);
  job = job_into("watched");
  job.preset.output.save_every = 1;
  job.preset.samples.every = 2;
  job.preset.samples.prompts = {{"a zorb", "", 1, 64, 64, 2, 4.0}};
  job.preset.training.validate_every = 2;
  job.validation = {home_ / "validation"};
  fs::create_directories(home_ / "validation");
  for (const char* name : {"zorb_01.png", "zorb_01.txt"}) {
    fs::copy(fs::path(MANTISSA_SOURCE_DIR "/resources/demo/images") / name, home_ / "validation");
  }
  expect_same_to_the_bit(job);
}

TEST_F(VerifyRun, TheRunAndTheDatabaseStayAsTheyAreByIdToo) {
  job_.out.clear();
  RunObserver observer;
  const RunResult result = run(job_, observer);
  const auto before = content_of(result.folder);
  const std::string database = read_text(runs_database());
  EXPECT_EQ(verified(result.run_id).comparison.sameness, Sameness::bits);
  EXPECT_EQ(verified(result.run_id.substr(0, result.run_id.size() - 2)).folder, result.folder);
  EXPECT_EQ(content_of(result.folder), before);
  EXPECT_EQ(read_text(runs_database()), database);
}

TEST_F(VerifyRun, AFlippedHashIsFoundAtItsStepAndTensor) {
  const fs::path run = trained();
  FirstSteps trace = trace_of(run);
  char& digit = trace.steps[1].hashes[5][3];
  digit = digit == '0' ? '1' : '0';
  write_trace(run, trace);
  const FirstStepsComparison c = verified(run).comparison;
  EXPECT_EQ(c.sameness, Sameness::different);
  EXPECT_EQ(c.first->step, 2);
  EXPECT_EQ(c.first->tensor, trace.tensors[5]);
}

// Another learning rate acts in the first update: the loss and gradients before it are the same,
// and so are the down matrices, whose gradient is zero at the start.
TEST_F(VerifyRun, AnotherLearningRateIsFoundInTheFirstUpdate) {
  job_.preset.optimizer.weight_decay = 0;
  const fs::path run = trained();
  fs::remove_all(run / "checkpoints");  // whose copies of the job would replace a changed one
  JobFile file = parse_job_file(read_text(run / "job.json"), "job.json");
  file.job.preset.optimizer.learning_rate *= 2;
  std::ofstream(run / "job.json", std::ios::binary) << to_text(file);
  const VerifyReport report = verified(run);
  const FirstStepsComparison& c = report.comparison;
  EXPECT_EQ(c.sameness, Sameness::different);
  EXPECT_EQ(c.steps[0].loss, 0);
  EXPECT_EQ(c.steps[0].grad_norm, 0);
  EXPECT_NEAR(c.steps[0].norm, 0.5, 1e-3) << "twice the rate: twice the first update";
  EXPECT_EQ(c.first->step, 1);
  EXPECT_EQ(c.first->tensor,
            *std::ranges::find_if(report.then.tensors, [](const std::string& name) {
              return name.ends_with(".lora_B.weight");
            }));
  EXPECT_GT(c.steps[1].loss, 0);
}

// A version that computes otherwise on the same processor is different beyond rounding only.
TEST_F(VerifyRun, AnotherVersionMayRoundOtherwise) {
  const fs::path run = trained();
  FirstSteps trace = trace_of(run);
  trace.version = "0.0.9";
  trace.steps[2].loss *= 1 + 2e-6;
  write_trace(run, trace);
  FirstStepsComparison c = verified(run).comparison;
  EXPECT_EQ(c.sameness, Sameness::rounding);
  EXPECT_THAT(c.verdict.text(), HasSubstr("another version: 0.0.9 then"));
  trace.steps[2].loss *= 1 + 2e-5;
  write_trace(run, trace);
  c = verified(run).comparison;
  EXPECT_EQ(c.sameness, Sameness::different);
  EXPECT_EQ(c.first->step, 3);
}

TEST_F(VerifyRun, ChangedInputsAreRefusedByName) {
  job_.images = {home_ / "images"};
  fs::copy(MANTISSA_SOURCE_DIR "/resources/demo/images", home_ / "images");
  job_.base = edited_base({});
  const fs::path run = trained();
  const std::string caption = read_text(home_ / "images/zorb_02.txt");
  std::ofstream(home_ / "images/zorb_02.txt") << "another caption";
  EXPECT_THAT(problem_of(run), HasSubstr("images: zorb_02.png caption (SHA-256"));
  std::ofstream(home_ / "images/zorb_02.txt", std::ios::binary) << caption;
  EXPECT_EQ(verified(run).comparison.sameness, Sameness::bits);
  fs::rename(home_ / "images/zorb_03.png", home_ / "zorb_03.png");
  EXPECT_THAT(problem_of(run), HasSubstr("images: zorb_03.png (SHA-256"));
  fs::rename(home_ / "zorb_03.png", home_ / "images/zorb_03.png");
  std::string bytes = read_text(job_.base);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  std::ofstream(job_.base, std::ios::binary) << bytes;
  EXPECT_THAT(problem_of(run), HasSubstr("base: " + job_.base.string() + " (SHA-256"));
  fs::remove(job_.base);
  EXPECT_THAT(problem_of(run), HasSubstr(job_.base.string()));
}

TEST_F(VerifyRun, ARunWithoutATraceSaysSo) {
  const fs::path run = trained();
  fs::remove(trace_file(run));
  EXPECT_THAT(problem_of(run), HasSubstr("has no first-steps.json: the run was made by a version"));
  EXPECT_THAT(problem_of(home_ / "nothing"), HasSubstr("nothing"));
}

TEST_F(VerifyRun, ADamagedTraceIsRefused) {
  const fs::path run = trained();
  const std::string text = read_text(trace_file(run));
  std::ofstream(trace_file(run), std::ios::binary) << text.substr(0, text.size() - 40);
  EXPECT_THAT(problem_of(run), HasSubstr("first-steps.json"));
  std::string flipped = text;
  flipped[flipped.find("\"hashes\"") + 12] ^= 1;
  std::ofstream(trace_file(run), std::ios::binary) << flipped;
  EXPECT_THAT(problem_of(run), HasSubstr("first-steps.json is damaged"));
}

TEST_F(VerifyRun, AShortOrStoppedRunKeepsTheStepsItTook) {
  class Stopper : public RunObserver {
   public:
    explicit Stopper(RunControl& control) : control_(control) {}
    void on_step(const StepRecord& r) override {
      if (r.step == 2) {
        control_.request_stop(RunControl::Stop::save);
      }
    }

   private:
    RunControl& control_;
  };
  RunControl control;
  Stopper stopper(control);
  EXPECT_THROW(run_training(job_, control, stopper), Error);
  EXPECT_EQ(trace_of(job_.out).steps.size(), 2U);
  const std::string before = read_text(trace_file(job_.out));
  JobSpec more = job_;
  more.resume = job_.out;
  RunObserver observer;
  run(more, observer);
  EXPECT_EQ(read_text(trace_file(job_.out)), before) << "a resumed run has no first steps";
  EXPECT_EQ(verified(job_.out).comparison.sameness, Sameness::bits);
  JobSpec brief = job_into("brief");
  brief.preset.training.steps = 1;
  run(brief, observer);
  EXPECT_EQ(trace_of(brief.out).steps.size(), 1U);
  EXPECT_EQ(verified(brief.out).comparison.sameness, Sameness::bits);
}

// Settings that change while the run trains are no longer those of its job.
TEST_F(VerifyRun, StepsWithOtherSettingsAreNotTraced) {
  class Changer : public RunObserver {
   public:
    Changer(RunControl& control, Preset preset) : control_(control), preset_(std::move(preset)) {}
    void on_step(const StepRecord& r) override {
      if (r.step == 1) {
        preset_.optimizer.learning_rate *= 2;
        control_.request_settings(preset_);
      }
    }

   private:
    RunControl& control_;
    Preset preset_;
  };
  RunControl control;
  Changer changer(control, job_.preset);
  run_training(job_, control, changer);
  EXPECT_EQ(trace_of(job_.out).steps.size(), 1U);
  EXPECT_EQ(verified(job_.out).comparison.sameness, Sameness::bits);
}

TEST_F(VerifyRun, AStopChangesNothing) {
  const fs::path run = trained();
  const auto before = content_of(run);
  RunControl control;
  control.request_stop(RunControl::Stop::save);
  RunObserver observer;
  try {
    verify_run(run, "", control, observer);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::interrupted);
  }
  EXPECT_EQ(content_of(run), before);
}

class VerifyZImageRun : public testing_support::FamilyRun {
 protected:
  VerifyZImageRun() : FamilyRun("z_image") {}
};

TEST_F(VerifyZImageRun, IsTheSameToTheBit) {
  JobSpec job = job_into("run");
  job.preset.precision.compute = ComputeType::bf16;
  job.preset.precision.weights.denoiser = StorageType::fp8_e4m3;
  job.preset.training.parts = {kDenoiser, kTe1};
  expect_same_to_the_bit(job);
}

}  // namespace
}  // namespace mantissa
