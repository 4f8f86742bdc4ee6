#pragma once
// What whole runs of every newer family show, on a tiny model of tests/golden/models and the demo's
// images.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/io/base_files.h"
#include "engine/io/file.h"
#include "engine/io/safetensors.h"
#include "engine/plan/backend.h"
#include "engine/plan/planned_run.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa::testing_support {

class FamilyRecorder : public RunObserver {
 public:
  void on_step(const StepRecord& r) override {
    losses.push_back(r.loss);
    text_norms.push_back(r.parts.of(kTe1).norm);
  }
  void on_sample(const SampleRecord& r) override { samples.push_back(r); }
  std::vector<double> losses, text_norms;
  std::vector<SampleRecord> samples;
};

class FamilyRun : public RunFixture {
 protected:
  explicit FamilyRun(const char* model)
      : model_(std::filesystem::path(MANTISSA_TEST_DATA) / "golden/models" / model) {}
  void SetUp() override {
    RunFixture::SetUp();
    job_.out.clear();
    job_.base = model_;
    job_.preset.data.batch_size = 2;
    job_.preset.optimizer.learning_rate = 1e-2;
    job_.preset.output.format = OutputFormat::comfyui;
  }

  /// The loss falls within ten steps, and samples change; returns the adapter.
  SafetensorsFile trained_adapter() {
    JobSpec job = job_into("run");
    job.preset.training.steps = 10;
    job.preset.samples.every = 10;
    job.preset.samples.prompts = {{"a red cat", "", 1, 64, 48, 3, 4.0}};
    FamilyRecorder r;
    const RunResult result = run(job, r);
    EXPECT_EQ(r.losses.size(), 10U);
    EXPECT_TRUE(std::all_of(r.losses.begin(), r.losses.end(),
                            [](double loss) { return std::isfinite(loss); }));
    EXPECT_LT(std::accumulate(r.losses.end() - 3, r.losses.end(), 0.0),
              std::accumulate(r.losses.begin(), r.losses.begin() + 3, 0.0));
    EXPECT_EQ(r.samples.size(), 2U);  // steps 0 and 10
    EXPECT_NE(read_text(r.samples.front().path), read_text(r.samples.back().path));
    return SafetensorsFile::open(result.adapter);
  }

  /// A DoRA of the denoiser and these text encoders; returns its file.
  std::filesystem::path expect_text_and_dora_train(const std::vector<Part>& encoders = {kTe1}) {
    job_.preset.training.parts = {kDenoiser};
    job_.preset.training.parts.insert(job_.preset.training.parts.end(), encoders.begin(),
                                      encoders.end());
    job_.preset.adapter.targets = {"attention+mlp"};
    job_.preset.adapter.type = AdapterType::dora;
    job_.preset.output.format = OutputFormat::diffusers;
    FamilyRecorder r;
    const RunResult result = run(job_into("run"), r);
    EXPECT_EQ(r.text_norms.size(), 4U);
    EXPECT_GT(r.text_norms.at(3), 0);
    return result.adapter;
  }

  /// Steps have as many text tokens as the longest caption or prompt needs.
  void expect_texts_as_long_as_needed() {
    const ImageLibrary images;
    const auto tokens = [this] {
      PlannedRun run = open_run(job_into("run"));
      PlanObserver silent;
      scan_images(run, silent);
      const auto kernels = make_backend("cpu");
      plan_memory(run, *kernels, {}, EncodedDataset::Look::headers);
      return run.shapes.shapes.at(0).tokens;
    };
    EXPECT_EQ(tokens(), 64);
    FamilyRecorder of_short, of_long;
    run(job_into("short"), of_short);
    std::string prompt;
    for (int i = 0; i < 60; ++i) {
      prompt += "cat, ";
    }
    job_.preset.samples.prompts = {{prompt, "", 1, 64, 48, 3, 4.0}};
    EXPECT_GT(tokens(), 64);
    EXPECT_LT(tokens(), 512);
    run(job_into("long"), of_long);  // the captions are cached by now, for shorter texts
    for (std::size_t i = 0; i < of_short.losses.size(); ++i) {
      EXPECT_NEAR(of_long.losses.at(i), of_short.losses[i], 1e-4 * of_short.losses[i]) << i;
    }
    job_.preset.samples.prompts.clear();
    job_.preset.data.shuffle_captions = true;
    EXPECT_EQ(tokens() % 32, 0);
    EXPECT_LT(tokens(), 512);
  }

  void expect_every_compute_type_follows_fp32() {
    FamilyRecorder full;
    run(job_into("fp32"), full);
    for (const ComputeType compute : {ComputeType::bf16, ComputeType::fp8, ComputeType::int8}) {
      JobSpec job = job_into(std::string(enum_name(compute)).c_str());
      job.preset.precision.compute = compute;
      FamilyRecorder r;
      run(job, r);
      ASSERT_EQ(r.losses.size(), full.losses.size());
      for (std::size_t i = 0; i < full.losses.size(); ++i) {
        EXPECT_NEAR(r.losses[i], full.losses[i], 0.1 * full.losses[i]) << "step " << i;
      }
    }
  }

  /// Expects equal losses where the model's parts are in files of their own.
  void expect_same_from_separate_files() {
    BaseFiles files;
    const auto file_in = [&](const char* folder) {
      for (const auto& entry : std::filesystem::directory_iterator(model_ / folder)) {
        if (entry.path().extension() == ".safetensors") {
          return entry.path();
        }
      }
      return std::filesystem::path();
    };
    const WeightSource source = WeightSource::open(model_);
    for (const PartFiles& part : source.family().parts) {
      files.parts[part.part] = file_in(std::string(part.folder).c_str());
      if (const auto tokenizer = source.tokenizer_folder(part.part)) {
        files.tokenizers[part.part] = *tokenizer;
      }
    }
    JobSpec job = job_into("separate");
    job.base = home_ / "base.json";
    write_base_files(job.base, files);
    FamilyRecorder whole, separate;
    run(job_into("run"), whole);
    run(job, separate);
    EXPECT_EQ(whole.losses, separate.losses);
  }

  /// A run fed from the trace of another has its losses, with texts encoded before and while it
  /// runs.
  void expect_trace_is_replayed() {
    for (const bool trains_text : {false, true}) {
      if (trains_text) {
        job_.preset.training.parts = {kDenoiser, kTe1};
      }
      FamilyRecorder traced, replayed;
      JobSpec job = job_into(trains_text ? "text" : "run");
      job.trace = home_ / "trace.st";
      job.trace_steps = job.preset.training.steps;
      run(job, traced);
      JobSpec again = job_into(trains_text ? "text-again" : "again");
      again.replay = job.trace;
      again.images.clear();
      run(again, replayed);
      EXPECT_EQ(traced.losses, replayed.losses);
      std::filesystem::remove(*job.trace);
    }
  }

  /// The text of the first finding with this id; empty without one.
  static std::string finding(const PlanReport& plan, const char* id) {
    const auto found = std::find_if(plan.findings.begin(), plan.findings.end(),
                                    [&](const Finding& f) { return f.id == id; });
    return found == plan.findings.end() ? std::string() : found->message.text();
  }

  std::filesystem::path model_;
};

}  // namespace mantissa::testing_support
