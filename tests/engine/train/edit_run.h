#pragma once
// Runs of a tiny model that edits, on images with references.

#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/io/file.h"
#include "engine/io/image.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "engine/render/run_sample.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/train/family_run.h"

namespace mantissa::testing_support {

class EditRun : public FamilyRun {
 protected:
  explicit EditRun(const char* model) : FamilyRun(model) {}
  void SetUp() override {
    FamilyRun::SetUp();
    for (const char* name : {"a", "b", "c"}) {
      draw(std::string("images/") + name + ".png", static_cast<unsigned>(name[0]));
      std::ofstream(home_ / "images" / (std::string(name) + ".txt")) << "make it " << name;
      draw(std::string("before/") + name + ".png", static_cast<unsigned>(name[0]) + 100);
    }
    job_.images = {home_ / "images"};
    job_.references = {home_ / "before"};
    job_.preset.output.save_every = 1;
  }
  /// A noise image from `seed`.
  void draw(const std::string& name, unsigned seed, int width = 64, int height = 64) const {
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(3 * width * height));
    for (std::uint8_t& value : pixels) {
      seed = seed * 1664525U + 1013904223U;
      value = static_cast<std::uint8_t>(seed >> 24);
    }
    std::filesystem::create_directories((home_ / name).parent_path());
    write_png(home_ / name, pixels, width, height);
  }
  std::vector<double> losses(const JobSpec& job) {
    FamilyRecorder r;
    run(job, r);
    return r.losses;
  }
  static std::string state_hash(const JobSpec& job) {
    return sha256_file(job.out / "checkpoints/step-00000004/state.safetensors");
  }
  /// A run stopped after two of its four steps and resumed ends with the bits of one that was not.
  void expect_goes_on_after_a_resume() {
    const JobSpec straight = job_into("straight");
    losses(straight);
    JobSpec stopped = job_into("stopped");
    stopped.preset.training.steps = 2;
    losses(stopped);
    JobSpec resumed = stopped;
    resumed.resume = stopped.out;
    resumed.preset.training.steps = 4;
    EXPECT_EQ(losses(resumed).size(), 2U);
    EXPECT_EQ(state_hash(resumed), state_hash(straight));
  }
  /// The job's samples after its last step, of a prompt without, with one and with two references,
  /// are three images.
  void expect_samples_show_their_references(JobSpec job) {
    job.preset.samples.every = 4;
    job.preset.samples.prompts = prompts_with_references();
    FamilyRecorder r;
    run(job, r);
    ASSERT_EQ(r.samples.size(), 6U);
    std::set<std::string> images;
    for (std::size_t i = 3; i < 6; ++i) {
      images.insert(read_text(r.samples[i].path));
    }
    EXPECT_EQ(images.size(), 3U);
  }
  static std::vector<SamplePrompt> prompts_with_references() {
    return {{"a red cat", "", 1, 64, 48, 3, 4.0},
            {"a red cat", "", 1, 64, 48, 3, 4.0, "view"},
            {"a red cat", "", 1, 64, 48, 3, 4.0, "view, a"}};
  }
  /// Replayed without its folders, a run's trace gives its losses.
  void expect_replays_its_trace() {
    JobSpec job = job_into("run");
    job.trace = home_ / "trace.st";
    job.trace_steps = job.preset.training.steps;
    const std::vector<double> traced = losses(job);
    JobSpec again = job_into("again");
    again.replay = job.trace;
    again.images.clear();
    again.references.clear();
    EXPECT_EQ(losses(again), traced);
  }
  void expect_the_same_over_devices() {
    constexpr std::uint64_t kBudget = 1 << 30;
    const std::vector<double> whole = losses(job_into("whole"));
    JobSpec split = job_into("split");
    split.split = {{"cpu", kBudget}, {"cpu", kBudget}};
    EXPECT_EQ(losses(split), whole);
  }
  /// The run's adapter draws three images without, with one and with two references
  /// (before/view.png).
  void expect_an_adapter_samples_with_references() {
    FamilyRecorder r;
    SampleRequest request;
    request.base = model_;
    request.loras = {{run(job_into("run"), r).adapter, 1}};
    request.prompt = "a red cat";
    request.steps = 2;
    request.width = request.height = 64;
    std::set<std::string> images;
    for (const char* name : {"plain", "one", "two"}) {
      request.out = home_ / (std::string(name) + ".png");
      run_sample(request, r);
      images.insert(read_text(request.out));
      request.references.push_back(home_ / "before/view.png");
    }
    EXPECT_EQ(images.size(), 3U);
  }
  void expect_references_take_memory() {
    JobSpec plain = job_into("run");
    plain.references.clear();
    EXPECT_GT(plan_training(job_into("run")).arena_bytes, plan_training(plain).arena_bytes);
  }
  std::string refusal(const JobSpec& job) {
    try {
      losses(job);
    } catch (const Error& e) {
      return e.what();
    }
    return {};
  }
  /// The job's images, encoded.
  struct Encoded {
    std::unique_ptr<Kernels> kernels = make_cpu_kernels();
    PlannedRun run;
    std::unique_ptr<DiffusionModel> model;
  };
  Encoded encoded() {
    Encoded made;
    PlanObserver silent;
    made.run = open_run(job_into("run"));
    scan_images(made.run, silent);
    made.model = DiffusionModel::open(*made.kernels, made.run.source);
    made.model->set_text_options(made.run.text);
    made.run.data->encode(*made.kernels, *made.model, {});
    return made;
  }
  /// The first caption's encoding beside its image.
  std::vector<float> encoded_caption(bool flipped = false) {
    const Encoded made = encoded();
    const BucketedImages& images = made.run.data->images();
    const ImageItem& item = images.item(0);
    const ImageVersion version = images.version(item, images.sizes(item).front(), 0);
    return made.run.data->text(item.caption, item, version, flipped).at("context").data;
  }
  /// A copy of the model whose text encoder lacks the tensors with `part` in their names.
  std::filesystem::path model_without(const std::string& part) const {
    const std::filesystem::path folder = home_ / "without";
    std::filesystem::copy(model_, folder, std::filesystem::copy_options::recursive);
    const std::filesystem::path file = folder / "text_encoder/model.safetensors";
    const SafetensorsFile whole = SafetensorsFile::open(model_ / "text_encoder/model.safetensors");
    std::vector<TensorToWrite> kept;
    for (const TensorInfo& t : whole.tensors()) {
      if (t.name.find(part) == std::string::npos) {
        kept.push_back({t.name, *t.type, t.shape(), t.data, {}});
      }
    }
    std::filesystem::remove(file);
    write_safetensors(file, kept, {});
    return folder;
  }

  const ImageLibrary library_;
};

}  // namespace mantissa::testing_support
