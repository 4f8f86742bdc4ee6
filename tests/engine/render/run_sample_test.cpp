// The prompts of a run, rendered again.
#include "engine/render/run_sample.h"

#include <chrono>

#include "engine/run/run_folder.h"
#include "tests/engine/train/run_fixture.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

class RunSample : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.preset.samples.prompts = {{.prompt = "a"}, {.prompt = "b", .negative = "c", .width = 96}};
    run_ = RunFolder::create(job_).path();
  }
  static void make_file(const fs::path& file) { std::ofstream(file) << "x"; }
  fs::path run_;
};

TEST_F(RunSample, APromptOfARunAtAnotherStrength) {
  const SampleRequest first = sample_of_run(run_, job_.preset, 0, 0.75, "cpu");
  EXPECT_EQ(first.base, "demo");
  EXPECT_EQ(first.width, 64);
  EXPECT_EQ(first.loras.at(0).file, run_ / "test.safetensors");
  EXPECT_EQ(first.loras.at(0).weight, 0.75);
  EXPECT_EQ(first.out, run_ / "samples" / "strength-00-075.png");
  EXPECT_TRUE(fs::is_directory(run_ / "samples"));
  const SampleRequest second = sample_of_run(run_, job_.preset, 1, 1, "cuda:0");
  EXPECT_EQ(second.prompt, "b");
  EXPECT_EQ(second.negative, "c");
  EXPECT_EQ(second.width, 96);
  EXPECT_EQ(second.height, 64);
  EXPECT_EQ(second.device, "cuda:0");
  EXPECT_EQ(second.out, run_ / "samples" / "strength-01-100.png");
  for (const int none : {-1, 2}) {
    EXPECT_THROW(sample_of_run(run_, job_.preset, none, 1, "cpu"), Error);
  }
  EXPECT_THROW(sample_of_run(home_ / "gone", job_.preset, 0, 1, "cpu"), Error);
}

TEST_F(RunSample, AnImageOlderThanTheAdapterIsRenderedAgain) {
  const SampleRequest request = sample_of_run(run_, job_.preset, 0, 1, "cpu");
  EXPECT_FALSE(is_rendered(request));
  make_file(request.loras.at(0).file);
  EXPECT_FALSE(is_rendered(request));
  make_file(request.out);
  const auto made = fs::last_write_time(request.out);
  fs::last_write_time(request.loras.at(0).file, made);
  EXPECT_TRUE(is_rendered(request));
  fs::last_write_time(request.loras.at(0).file, made + std::chrono::seconds(1));
  EXPECT_FALSE(is_rendered(request));
}

// FLUX.1 on its tiny models.
class Flux1Sample : public RunSample {
 protected:
  /// Counts the steps, and keeps what is told.
  class Told : public testing_support::HealthRecorder {
   public:
    void on_progress(RunPhase phase, std::int64_t, std::int64_t total) override {
      steps_of_all = phase == RunPhase::sampling ? total : steps_of_all;
    }
    std::int64_t steps_of_all = 0;
  };
  static fs::path model(const char* name) {
    return fs::path(MANTISSA_TEST_DATA) / "golden/models" / name;
  }
  SampleRequest small_request(const fs::path& base) const {
    SampleRequest request;
    request.base = base;
    request.prompt = "a red cat";
    request.steps = 2;
    request.guidance = 3.5;
    request.width = request.height = 32;
    request.out = home_ / "image.png";
    return request;
  }
};

TEST_F(Flux1Sample, ABaseModelWithoutItsVaeIsRefusedBeforeTheSteps) {
  const fs::path base = home_ / "base";
  fs::copy(model("flux1"), base, fs::copy_options::recursive);
  Told whole;
  run_sample(small_request(base), whole);
  EXPECT_EQ(whole.steps_of_all, 2);
  EXPECT_EQ(whole.log, "");
  fs::remove_all(base / "vae");
  Told told;
  test::expect_error_with([&] { run_sample(small_request(base), told); }, {"base holds no vae"});
  EXPECT_EQ(told.steps_of_all, 0);
}

TEST_F(Flux1Sample, ANegativePromptWithoutEffectIsTold) {
  SampleRequest request = small_request(model("flux1"));
  request.negative = "blur";
  Told told;
  run_sample(request, told);
  EXPECT_NE(told.log.find("the negative prompt has no effect: FLUX.1 dev"), std::string::npos)
      << told.log;
}

TEST_F(Flux1Sample, EmphasisAndClipSkipWithoutEffectAreTold) {
  SampleRequest request = small_request(model("flux1"));
  request.weighted = true;
  request.clip_skip = 2;
  Told told;
  run_sample(request, told);
  EXPECT_NE(told.log.find("emphasis has no effect: FLUX.1 dev"), std::string::npos) << told.log;
  EXPECT_NE(told.log.find("clip skip has no effect: FLUX.1 dev"), std::string::npos) << told.log;
}

TEST_F(Flux1Sample, ThePromptsOfARunAreRenderedAsInTheRun) {
  job_.base = model("flux1_base.safetensors");
  job_.out = home_ / "schnell";
  job_.preset.samples.prompts = {{.prompt = "a"}, {.prompt = "b", .steps = 12, .guidance = 2}};
  const fs::path run = RunFolder::create(job_).path();
  const SampleRequest usual = sample_of_run(run, job_.preset, 0, 1, "cpu");
  EXPECT_EQ(usual.steps, 4);
  EXPECT_EQ(usual.guidance, 1);
  const SampleRequest chosen = sample_of_run(run, job_.preset, 1, 1, "cpu");
  EXPECT_EQ(chosen.steps, 12);
  EXPECT_EQ(chosen.guidance, 2);
}

}  // namespace
}  // namespace mantissa
