// Whole runs of a tiny PixArt (tests/golden/make_pixart.py) on the demo's images.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <numeric>

#include "engine/core/error.h"
#include "engine/io/file.h"
#include "engine/io/safetensors.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "engine/preset/names.h"
#include "engine/render/sample.h"
#include "engine/run/run.h"
#include "engine/run/run_control.h"
#include "engine/run/run_folder.h"
#include "engine/train/run_training.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class Recorder : public RunObserver {
 public:
  explicit Recorder(RunControl* control = nullptr, std::int64_t stop_at = -1)
      : control_(control), stop_at_(stop_at) {}
  void on_step(const StepRecord& r) override {
    losses.push_back(r.loss);
    text_norms.push_back(r.parts.of(kTe1).norm);
    if (r.step == stop_at_) {
      control_->request_stop(RunControl::Stop::save);
    }
  }
  void on_sample(const SampleRecord& r) override { samples.push_back(r); }
  void on_plan(const PlanReport& r) override { plan = r; }
  void on_log(LogLevel, const Message& line) override { lines.push_back(line.text()); }
  std::vector<double> losses, text_norms;
  std::vector<std::string> lines;
  std::vector<SampleRecord> samples;
  PlanReport plan;

 private:
  RunControl* control_;
  std::int64_t stop_at_;
};

class PixartRun : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.out.clear();
    job_.base = fs::path(MANTISSA_TEST_DATA) / "golden/models/pixart";
    Preset& p = job_.preset;
    p.data.batch_size = 2;
    p.training.steps = 10;
    p.optimizer.learning_rate = 1e-2;
    p.output.format = OutputFormat::diffusers;
  }
  std::string failure(const JobSpec& job) {
    Recorder r;
    try {
      run(job, r);
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  }
  static std::string state_hash(const fs::path& run, int step) {
    char name[32];
    std::snprintf(name, sizeof name, "step-%08d", step);
    return sha256_file(run / "checkpoints" / name / "state.safetensors");
  }
};

TEST_F(PixartRun, LearnsAndLeavesALoraOfDiffusers) {
  JobSpec job = job_into("run");
  job.preset.samples.every = 5;
  job.preset.samples.prompts = {{"a red cat", "", 1, 64, 48, 3, 4.0}};
  Recorder r;
  const RunResult result = run(job, r);
  ASSERT_EQ(r.losses.size(), 10U);
  for (double loss : r.losses) {
    EXPECT_TRUE(std::isfinite(loss));
  }
  const auto mean = [](auto begin, auto end) {
    return std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin);
  };
  EXPECT_LT(mean(r.losses.end() - 3, r.losses.end()),
            0.8 * mean(r.losses.begin(), r.losses.begin() + 3));
  EXPECT_EQ(r.samples.size(), 3U);  // steps 0, 5, 10
  EXPECT_NE(read_text(r.samples[0].path), read_text(r.samples[2].path));

  const auto adapter = SafetensorsFile::open(result.adapter);
  EXPECT_EQ(adapter.tensors().size(), 2U * 8 * 2);
  for (const TensorInfo& t : adapter.tensors()) {
    EXPECT_TRUE(t.name.starts_with("transformer.transformer_blocks.")) << t.name;
  }
  EXPECT_NE(adapter.find("transformer.transformer_blocks.0.attn1.to_q.lora_A.weight"), nullptr);

  SampleRequest request;
  request.base = job.base;
  request.prompt = "a red cat";
  request.steps = 3;
  request.width = 64;
  request.height = 48;
  std::vector<std::string> samples;
  for (double weight : {0.0, 1.0}) {
    request.loras = {{result.adapter, weight}};
    request.out = home_ / "sample.png";
    Recorder sampled;
    run_sample(request, sampled);
    samples.push_back(read_text(request.out));
  }
  EXPECT_NE(samples[0], samples[1]) << "the LoRA changes nothing";
}

/// A prompt beyond what the text encoder reads is named as captions are.
TEST_F(PixartRun, ACutPromptIsNamed) {
  SampleRequest request;
  request.base = job_.base;
  request.steps = 1;
  request.width = 64;
  request.height = 48;
  request.out = home_ / "sample.png";
  const auto said = [&] {
    testing_support::HealthRecorder recorder;
    run_sample(request, recorder);
    return recorder.log;
  };
  request.prompt = "a red cat";
  EXPECT_EQ(said().find("longer than the text encoder reads"), std::string::npos);
  for (int i = 0; i < 400; ++i) {
    request.prompt += " cat";
  }
  std::string text = said();
  EXPECT_NE(text.find("longer than the text encoder reads, cut at its limit (1): prompt ("),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("of which te1 reads"), std::string::npos) << text;
  request.negative = request.prompt;
  text = said();
  EXPECT_NE(text.find("negative prompt ("), std::string::npos) << text;
  request.samples = {{.prompt = "a", .seed = 1, .out = home_ / "a.png"},
                     {.prompt = request.prompt, .seed = 2, .out = home_ / "b.png"}};
  text = said();
  EXPECT_NE(text.find("prompt 2 ("), std::string::npos) << text;
  EXPECT_EQ(text.find("prompt 1 ("), std::string::npos) << text;
}

TEST_F(PixartRun, ResumesAndChecksExactly) {
  job_.preset.adapter.dropout = 0.1;
  job_.preset.data.caption_dropout = 0.3;
  Recorder whole;
  const RunResult straight = run(job_into("straight"), whole);
  const JobSpec job = job_into("stopped");
  RunControl control;
  Recorder first(&control, 4);
  EXPECT_THROW(run_training(job, control, first), Error);
  JobSpec again = job;
  again.resume = job.out;
  Recorder second;
  const RunResult resumed = run(again, second);
  std::vector<double> losses = first.losses;
  losses.insert(losses.end(), second.losses.begin(), second.losses.end());
  EXPECT_EQ(losses, whole.losses);
  EXPECT_EQ(state_hash(resumed.folder, 10), state_hash(straight.folder, 10));
  EXPECT_EQ(plan_training(job_).arena_bytes, whole.plan.arena_bytes);
}

TEST_F(PixartRun, TrainsTheT5AndReplaysItsTrace) {
  job_.preset.training.parts = {kDenoiser, kTe1};
  job_.preset.adapter.targets = {"attention+mlp"};
  JobSpec traced = job_into("traced");
  traced.trace = home_ / "trace.safetensors";
  traced.trace_steps = 10;
  Recorder first;
  run(traced, first);
  EXPECT_GT(first.text_norms[3], 0);
  JobSpec replayed = job_into("replayed");
  replayed.images.clear();
  replayed.replay = traced.trace;
  Recorder second;
  run(replayed, second);
  EXPECT_EQ(first.losses, second.losses);
}

TEST_F(PixartRun, TrainsInHalfPrecision) {
  Recorder full;
  run(job_into("fp32"), full);
  for (const ComputeType compute : {ComputeType::bf16, ComputeType::fp16}) {
    JobSpec job = job_into(compute == ComputeType::bf16 ? "bf16" : "fp16");
    job.preset.precision.compute = compute;
    Recorder r;
    run(job, r);
    EXPECT_NEAR(r.losses[0], full.losses[0], 0.03 * full.losses[0]);
    EXPECT_NEAR(r.losses[9], full.losses[9], 0.1 * full.losses[9]);
  }
}

// The default format, otherwise kohya's, has no names for PixArt.
TEST_F(PixartRun, EveryFormatBecomesAFileThatItsProgramsRead) {
  std::map<OutputFormat, std::vector<std::string>> names;
  for (const OutputFormat format :
       {OutputFormat::diffusers, OutputFormat::kohya, OutputFormat::comfyui, OutputFormat::a1111,
        OutputFormat::onetrainer, OutputFormat::plain_lora}) {
    JobSpec job = job_into(std::string(enum_name(format)).c_str());
    job.preset.training.steps = 1;
    job.preset.output.format = format;
    Recorder r;
    run(job, r);
    const auto file = SafetensorsFile::open(job.out / (job.preset.output.name + ".safetensors"));
    for (const TensorInfo& tensor : file.tensors()) {
      names[format].push_back(tensor.name);
    }
    EXPECT_EQ(names[format], names[OutputFormat::diffusers]);
    const bool told = std::any_of(r.lines.begin(), r.lines.end(), [](const std::string& line) {
      return line.find("has no names for PixArt") != std::string::npos;
    });
    EXPECT_EQ(told, format != OutputFormat::diffusers) << enum_name(format);
    EXPECT_EQ(file.metadata().at("ss_base_model_version"), "pixart");
  }
  ASSERT_FALSE(names[OutputFormat::kohya].empty());
  EXPECT_TRUE(names[OutputFormat::kohya][0].starts_with("transformer."));
}

TEST_F(PixartRun, SaysWhatDoesNotFit) {
  JobSpec job = job_into("run");
  job.preset.model.family = ModelFamily("sdxl");
  EXPECT_NE(failure(job).find("family pixart, but model.family says sdxl"), std::string::npos)
      << failure(job);
  const fs::path base = home_ / "base";
  fs::copy(job_.base, base, fs::copy_options::recursive);
  fs::remove(base / "tokenizer" / "spiece.model");
  job = job_into("run");
  job.base = base;
  EXPECT_NE(failure(job).find("neither spiece.model nor tokenizer.json"), std::string::npos)
      << failure(job);
}

}  // namespace
}  // namespace mantissa
