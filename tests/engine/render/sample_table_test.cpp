// Free prompts of a run: its checkpoints and strengths side by side in one image.
#include "engine/render/sample_table.h"

#include <algorithm>

#include "engine/render/run_sample.h"
#include "engine/run/run_adapters.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

/// Whether `part` occurs in `whole` with its left upper corner at (left, top).
bool stands_at(const Image& whole, const Image& part, int left, int top) {
  for (int y = 0; y < part.height; ++y) {
    const auto* row =
        whole.pixels.data() + (static_cast<std::size_t>(top + y) * whole.width + left) * 3;
    if (!std::equal(row, row + part.width * 3, part.pixels.data() + y * part.width * 3)) {
      return false;
    }
  }
  return true;
}

class SampleTableTest : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.health_every = 0;
    job_.preset.optimizer.learning_rate = 0.02;
    job_.preset.output.save_every = 2;
    job_.preset.output.save_minutes = 0;
    job_.preset.samples.prompts = {{.prompt = "a", .steps = 2, .guidance = 1}};
    testing_support::HealthRecorder observer;
    run_ = run(job_, observer).folder;
  }
  /// Counts how often a model was loaded.
  class Loads : public RunObserver {
   public:
    void on_progress(RunPhase phase, std::int64_t done, std::int64_t total) override {
      count += phase == RunPhase::loading && done == total ? 1 : 0;
    }
    int count = 0;
  };
  Image rendered(const SampleRequest& request) {
    Loads loads;
    run_sample(request, loads);
    loads_ = loads.count;
    return load_image(request.out);
  }
  SampleRequest small_request() const {
    SampleRequest request;
    request.base = "demo";
    request.prompt = "a zorb";
    request.steps = 2;
    request.guidance = 1;
    request.width = request.height = 64;
    request.out = home_ / "table.png";
    return request;
  }
  /// Each column of the one row of `sheet` is the image made for it alone.
  void expect_columns(const Image& sheet, const SampleRequest& request) {
    const auto count = static_cast<int>(request.columns.size());
    const int left = sheet.width - count * (64 + 8), top = sheet.height - (64 + 8);
    for (int i = 0; i < count; ++i) {
      SampleRequest one = request;
      one.columns.clear();
      one.loras = request.columns[static_cast<std::size_t>(i)].loras;
      one.out = home_ / "one.png";
      EXPECT_TRUE(stands_at(sheet, rendered(one), left + i * 72, top))
          << request.columns[static_cast<std::size_t>(i)].label;
    }
  }
  int loads_ = 0;  ///< of the last one
  const ImageLibrary library_;
  fs::path run_;
};

TEST_F(SampleTableTest, EveryCellIsTheImageOfItsOwn) {
  const std::vector<RunAdapter> adapters = run_adapters(run_, job_.preset);
  ASSERT_EQ(adapters.size(), 3u);
  EXPECT_EQ(adapters[0].step, 2);
  EXPECT_EQ(adapters[1].step, 4);
  EXPECT_EQ(adapters[2].step, -1);
  EXPECT_EQ(checkpoint_label(adapters[0].file), "step 2");
  EXPECT_EQ(adapter_at(adapters[0].file.parent_path()), adapters[0].file);
  EXPECT_EQ(adapter_at("x.safetensors"), "x.safetensors");
  EXPECT_EQ(adapter_at(run_), adapters[2].file);
  fs::rename(adapters[2].file, adapters[2].file.string() + ".away");
  EXPECT_EQ(adapter_at(run_), adapters[1].file) << "a run that has no result yet";
  fs::rename(adapters[2].file.string() + ".away", adapters[2].file);

  FreeSample wish;
  wish.prompts = {"a zorb", "a red <b>disc</b> & more"};
  wish.seed = 5;
  wish.adapters = {adapters[0], adapters[2]};
  const SampleRequest table = free_sample_of_run(run_, job_.preset, wish, "cpu");
  EXPECT_EQ(table.out, run_ / "samples" / "free-001.png");
  ASSERT_EQ(table.columns.size(), 2u);
  const Image sheet = rendered(table);
  EXPECT_EQ(loads_, 1) << "checkpoints of a run have the same ranks";
  EXPECT_NE(free_sample_of_run(run_, job_.preset, wish, "cpu").out, table.out) << "kept";

  const int left = sheet.width - 2 * (64 + 8), top = sheet.height - 2 * (64 + 8);
  ASSERT_GT(left, 0);
  ASSERT_GT(top, 0);
  int unlike = 0;
  for (int column = 0; column < 2; ++column) {
    for (int row = 0; row < 2; ++row) {
      FreeSample one = wish;
      one.prompts = {wish.prompts[static_cast<std::size_t>(row)]};
      one.adapters = {wish.adapters[static_cast<std::size_t>(column)]};
      const SampleRequest request = free_sample_of_run(run_, job_.preset, one, "cpu");
      EXPECT_TRUE(request.columns.empty());
      const Image alone = rendered(request);
      ASSERT_EQ(alone.width, 64);
      EXPECT_TRUE(stands_at(sheet, alone, left + column * 72, top + row * 72))
          << column << ", " << row;
      unlike += stands_at(sheet, alone, left + (1 - column) * 72, top + row * 72) ? 0 : 1;
    }
  }
  EXPECT_EQ(unlike, 4) << "the checkpoints differ";
  // Labels above the columns and before both rows.
  const auto inked = [&](int x, int y, int width, int height) {
    for (int at = 0; at < width * height; ++at) {
      const std::size_t pixel =
          static_cast<std::size_t>(y + at / width) * sheet.width + x + at % width;
      if (sheet.pixels[3 * pixel] < 128) {
        return true;
      }
    }
    return false;
  };
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(inked(left + i * 72, 0, 64, top));
    EXPECT_TRUE(inked(0, top + i * 72, left, 64));
  }
}

TEST_F(SampleTableTest, StrengthsAreColumns) {
  FreeSample wish;
  wish.prompts = {"a zorb"};
  wish.adapters = {run_adapters(run_, job_.preset).back()};
  wish.strengths = {0, 1.5};
  const SampleRequest request = free_sample_of_run(run_, job_.preset, wish, "cpu");
  ASSERT_EQ(request.columns.size(), 2u);
  EXPECT_EQ(request.columns[0].label, "0%");
  EXPECT_EQ(request.columns[1].label, "150%");
  EXPECT_EQ(request.columns[1].loras.at(0).weight, 1.5);
  EXPECT_EQ(request.steps, 2);
  EXPECT_EQ(request.width, 64);
  wish.prompts.clear();
  EXPECT_THROW(free_sample_of_run(run_, job_.preset, wish, "cpu"), Error);
}

// A column without adapters, one at two strengths, another one's ranks, and the first again.
TEST_F(SampleTableTest, TheModelIsLoadedAgainOnlyForOtherForms) {
  const fs::path file = run_adapters(run_, job_.preset).back().file;
  for (const AdapterType type : {AdapterType::dora, AdapterType::lokr}) {
    JobSpec other = job_into(type == AdapterType::dora ? "dora" : "lokr");
    other.preset.adapter.type = type;
    testing_support::HealthRecorder observer;
    const fs::path second = run_adapters(run(other, observer).folder, other.preset).back().file;
    SampleRequest request = small_request();
    request.columns = {{"none", {}},
                       {"half", {{file, 0.5}}},
                       {"whole", {{file, 1}}},
                       {"other", {{second, 1}}},
                       {"other, half", {{second, 0.5}}},
                       {"again", {{file, 1}}}};
    const Image sheet = rendered(request);
    EXPECT_EQ(loads_, type == AdapterType::dora ? 4 : 5) << "a LoKr changes whole weights";
    expect_columns(sheet, request);
  }
}

TEST_F(SampleTableTest, OtherRanksAreAnotherForm) {
  JobSpec other = job_into("rank");
  other.preset.adapter.rank *= 2;
  testing_support::HealthRecorder observer;
  const fs::path second = run_adapters(run(other, observer).folder, other.preset).back().file;
  const fs::path file = run_adapters(run_, job_.preset).back().file;
  SampleRequest request = small_request();
  request.columns = {{"one", {{file, 1}}}, {"other", {{second, 1}}}};
  const Image sheet = rendered(request);
  EXPECT_EQ(loads_, 2);
  expect_columns(sheet, request);
}

TEST_F(SampleTableTest, AWholeModelHasNoAdapters) {
  job_.preset.training.method = TrainingMethod::full;
  EXPECT_TRUE(run_adapters(run_, job_.preset).empty());
  EXPECT_TRUE(run_adapters({}, job_.preset).empty());
}

}  // namespace
}  // namespace mantissa
