// The prompts of a run, rendered again.
#include "engine/render/run_sample.h"

#include <chrono>

#include "engine/run/run_folder.h"
#include "tests/engine/train/run_fixture.h"

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

}  // namespace
}  // namespace mantissa
