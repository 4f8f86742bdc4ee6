// Losses of single training images, and how near samples are to them.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <set>

#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/io/image.h"
#include "engine/store/image_influence.h"
#include "engine/store/memorising.h"
#include "engine/store/reader.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using testing_support::HealthRecorder;

class ImageLossesRun : public testing_support::RunFixture {
 protected:
  static fs::path demo(int number, const char* extension) {
    const std::string digits = (number < 10 ? "0" : "") + std::to_string(number);
    return fs::path(MANTISSA_SOURCE_DIR "/resources/demo/images") / ("zorb_" + digits + extension);
  }
  /// Images `first` to `last` of the demo with their captions.
  fs::path copy_demo(const char* folder, int first, int last) const {
    fs::create_directories(home_ / folder);
    for (int i = first; i <= last; ++i) {
      for (const char* extension : {".png", ".txt"}) {
        fs::copy_file(demo(i, extension), home_ / folder / demo(i, extension).filename());
      }
    }
    return home_ / folder;
  }
  /// The phases that were told of.
  class Phases : public RunObserver {
   public:
    std::set<RunPhase> seen;
    void on_progress(RunPhase phase, std::int64_t, std::int64_t) override { seen.insert(phase); }
  };
  static std::vector<ImageLossRecord> records(const RunResult& result) {
    return RunReader(runs_database()).image_losses(result.run_id);
  }
};

TEST_F(ImageLossesRun, AreMeasuredBeforeAndAfterAndChangeNoBit) {
  job_.images = {copy_demo("images", 1, 3)};
  job_.preset.training.image_loss_share = 1;
  job_.preset.training.steps = 40;
  job_.preset.adapter.dropout = 0.2;
  job_.preset.precision.compute = ComputeType::fp8;
  job_.preset.precision.fp8_scaling = Fp8Scaling::delayed;
  HealthRecorder measured, plain;
  const RunResult result = run(job_into("measured"), measured);
  job_.preset.training.image_loss_share = 0;
  EXPECT_TRUE(records(run(job_into("plain"), plain)).empty());
  ASSERT_EQ(measured.steps.size(), plain.steps.size());
  for (std::size_t i = 0; i < plain.steps.size(); ++i) {
    EXPECT_EQ(measured.steps[i].loss, plain.steps[i].loss) << "step " << i;
  }
  const auto found = records(result);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].step, 0);
  EXPECT_EQ(found[1].step, 40);
  for (const ImageLossRecord& record : found) {
    EXPECT_EQ(record.images, 3);
    ASSERT_EQ(record.each.size(), 12u) << "four levels of each";
    EXPECT_EQ(record.each[5].image, 1);
    EXPECT_EQ(record.each[5].level, 1);
    EXPECT_EQ(record.each[5].name, "zorb_02.png");
    for (const TrainedImageLoss& loss : record.each) {
      EXPECT_TRUE(std::isfinite(loss.loss) && loss.loss > 0);
      EXPECT_EQ(std::isfinite(loss.other), record.step == 40) << "other captions only at the end";
      EXPECT_EQ(loss.of.empty(), record.step == 0);
      EXPECT_NE(loss.of, loss.name);
    }
  }
}

TEST_F(ImageLossesRun, AreTheSameQuestionEveryTime) {
  job_.images = {copy_demo("images", 1, 2)};
  job_.preset.training.image_loss_share = 1;
  job_.preset.training.steps = 20;
  job_.preset.optimizer.learning_rate = 0;
  Phases phases;
  const auto found = records(run(job_into("still"), phases));
  EXPECT_TRUE(phases.seen.contains(RunPhase::measuring));
  EXPECT_FALSE(phases.seen.contains(RunPhase::validating)) << "there is no validation image";
  ASSERT_EQ(found.size(), 2u);
  for (std::size_t i = 0; i < found[0].each.size(); ++i) {
    EXPECT_EQ(found[0].each[i].loss, found[1].each[i].loss)
        << "nothing moved, so nothing may differ";
  }
}

TEST_F(ImageLossesRun, AShortRunMeasuresNone) {
  HealthRecorder observer;
  EXPECT_TRUE(records(run(job_, observer)).empty());
}

TEST_F(ImageLossesRun, SamplesAreComparedWithImagesThatAreHeldOut) {
  job_.images = {copy_demo("images", 1, 4)};
  job_.validation = {copy_demo("held", 5, 6)};
  job_.preset.samples.every = 2;
  job_.preset.samples.prompts = {{.prompt = "a coral zorb", .width = 64, .height = 64, .steps = 2},
                                 {.prompt = "a teal zorb", .width = 96, .height = 64, .steps = 2}};
  HealthRecorder observer;
  const RunResult result = run(job_into("held-out"), observer);
  const auto samples = RunReader(runs_database()).samples(result.run_id);
  ASSERT_EQ(samples.size(), 6u);
  for (const SampleRow& sample : samples) {
    EXPECT_GT(sample.trained_distance, 0);
    EXPECT_GT(sample.held_out_distance, 0);
    EXPECT_THAT(sample.nearest, testing::StartsWith("zorb_0"));
  }
  const auto stamp = nlohmann::json::parse(read_text(home_ / "held-out" / "result.json"));
  const auto wanted = memorising_at(samples, 4);
  ASSERT_TRUE(wanted.has_value());
  EXPECT_EQ(stamp.at("memorising").at("step"), 4);
  EXPECT_EQ(stamp.at("memorising").at("text"), wanted->text().text());
  EXPECT_THAT(observer.log, testing::HasSubstr(wanted->text().text()));
  job_.validation.clear();
  const RunResult without = run(job_into("without"), observer);
  for (const SampleRow& sample : RunReader(runs_database()).samples(without.run_id)) {
    EXPECT_TRUE(std::isnan(sample.trained_distance));
  }
  EXPECT_FALSE(
      nlohmann::json::parse(read_text(home_ / "without" / "result.json")).contains("memorising"));
}

/// Runs long enough to tell images apart: minutes.
class ImageLossesSlow : public ImageLossesRun {
 protected:
  void SetUp() override {
    ImageLossesRun::SetUp();
    job_.images = {copy_demo("images", 1, 22)};
    job_.preset.data.resolution = 128;
    job_.preset.data.batch_size = 4;
    job_.preset.data.caption_dropout = 0.05;
    job_.preset.adapter.rank = 32;
    job_.preset.adapter.alpha = 32;
    job_.preset.adapter.targets = {"linear+conv"};
    job_.preset.optimizer.learning_rate = 1.5e-3;
    job_.preset.optimizer.betas = {0.9, 0.99};
    job_.preset.schedule.type = ScheduleType::cosine;
    job_.preset.schedule.warmup_steps = 20;
    job_.preset.schedule.min_factor = 0.1;
    job_.preset.training.image_loss_share = 1;
    job_.preset.training.steps = 400;
  }
  std::vector<std::string> standing_out() const {
    HealthRecorder observer;
    std::vector<std::string> names;
    for (const ImageInfluence& image :
         outstanding(image_influences(records(run(job_, observer))))) {
      names.push_back(image.name);
      EXPECT_THAT(observer.log, testing::HasSubstr(image.text().text()));
    }
    return names;
  }
};

TEST_F(ImageLossesSlow, ExchangedCaptionsAreFoundAndNoOthers) {
  const fs::path folder = job_.images[0];
  fs::rename(folder / "zorb_08.txt", folder / "spare");
  fs::rename(folder / "zorb_13.txt", folder / "zorb_08.txt");
  fs::rename(folder / "spare", folder / "zorb_13.txt");
  EXPECT_EQ(standing_out(), (std::vector<std::string>{"zorb_08.png", "zorb_13.png"}));
}

TEST_F(ImageLossesSlow, AnImageOfSomethingElseIsFoundAndNoOther) {
  constexpr int kSide = 128;
  std::vector<std::uint8_t> pixels;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const int level = (x / 8 + y / 8) % 2 == 0 ? 230 : 25;
      pixels.insert(pixels.end(), 3, static_cast<std::uint8_t>(level));
    }
  }
  fs::copy_file(demo(8, ".txt"), job_.images[0] / "board.txt");
  write_png(job_.images[0] / "board.png", pixels, kSide, kSide);
  EXPECT_EQ(standing_out(), (std::vector<std::string>{"board.png"}));
}

TEST_F(ImageLossesSlow, TwoImagesAreLearntByHeartAndFourteenAreNot) {
  job_.validation = {copy_demo("held", 15, 22)};
  job_.preset.training.image_loss_share = 0;
  job_.preset.training.validate_every = 400;
  job_.preset.samples.every = 400;
  job_.preset.samples.prompts = {
      {.prompt = "a coral zorb on a hill, two-ink print", .seed = 1, .steps = 20, .guidance = 1.5}};
  HealthRecorder observer;
  const auto last = [&](const char* folder, int images) {
    JobSpec job = job_into(folder);
    job.images = {copy_demo((std::string(folder) + "-images").c_str(), 1, images)};
    return memorising_at(RunReader(runs_database()).samples(run(job, observer).run_id), 400)
        .value();
  };
  const Memorising two = last("two", 2), fourteen = last("fourteen", 14);
  EXPECT_TRUE(two.sign()) << two.ratio;
  EXPECT_FALSE(fourteen.sign()) << fourteen.ratio;
  EXPECT_LT(2 * two.ratio, fourteen.ratio);
  std::printf("two images %.2f, fourteen %.2f\n", two.ratio, fourteen.ratio);
}

}  // namespace
}  // namespace mantissa
