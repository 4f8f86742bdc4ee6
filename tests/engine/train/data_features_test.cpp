// A run's use of its data: masks, prior preservation, validation images, shuffled captions, and
// caching of all that.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/data/sets.h"
#include "engine/graph/executor.h"
#include "engine/graph/ops.h"
#include "engine/io/file.h"
#include "engine/io/image.h"
#include "engine/io/safetensors.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "engine/run/run_folder.h"
#include "engine/store/checkpoint_choice.h"
#include "engine/store/reader.h"
#include "engine/train/run_training.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class Listener : public testing_support::HealthRecorder {
 public:
  explicit Listener(RunControl* control = nullptr, std::int64_t stop_at = -1)
      : control_(control), stop_at_(stop_at) {}
  void on_step(const StepRecord& r) override {
    HealthRecorder::on_step(r);
    if (r.step == stop_at_) {
      control_->request_stop(RunControl::Stop::save);
    }
  }
  void on_validation(const ValidationRecord& r) override { validation.push_back(r); }
  void on_plan(const PlanReport& r) override { plan = r; }
  std::vector<double> losses() const {
    std::vector<double> all;
    for (const StepRecord& r : steps) {
      all.push_back(r.loss);
    }
    return all;
  }
  std::vector<ValidationRecord> validation;
  PlanReport plan;

 private:
  RunControl* control_;
  std::int64_t stop_at_;
};

class DataFeatures : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.health_every = 0;
    job_.preset.data.batch_size = 2;
    job_.images = {copy_demo("images", 1, 6)};
  }
  /// Images first … last of the demo with their captions, in a separate folder.
  fs::path copy_demo(const std::string& folder, int first, int last) const {
    const fs::path demo = fs::path(MANTISSA_SOURCE_DIR) / "resources/demo/images";
    fs::create_directories(home_ / folder);
    for (int i = first; i <= last; ++i) {
      char name[16];
      std::snprintf(name, sizeof name, "zorb_%02d", i);
      for (const char* end : {".png", ".txt"}) {
        fs::copy_file(demo / (std::string(name) + end), home_ / folder / (std::string(name) + end));
      }
    }
    return home_ / folder;
  }
  /// A mask for every image of the folder: white where `white(x, y)` of 64 x 64.
  template <typename White>
  void masks(const fs::path& folder, White&& white) const {
    const ImageLibrary library;
    std::vector<fs::path> images;
    for (const fs::directory_entry& e : fs::directory_iterator(folder)) {
      if (e.path().extension() == ".png" &&
          e.path().stem().string().find('-') == std::string::npos) {
        images.push_back(e.path());
      }
    }
    for (const fs::path& path : images) {
      const ImageInfo info = probe_image(path);
      std::vector<std::uint8_t> pixels;
      for (int y = 0; y < info.height; ++y) {
        for (int x = 0; x < info.width; ++x) {
          pixels.insert(pixels.end(), 3,
                        white(64 * x / info.width, 64 * y / info.height) ? 255 : 0);
        }
      }
      write_png(folder / (path.stem().string() + "-masklabel.png"), pixels, info.width,
                info.height);
    }
  }
  void caption(const fs::path& image_stem, const std::string& text) const {
    std::ofstream(image_stem.string() + ".txt") << text;
  }
  Listener listen(const JobSpec& job) const {
    Listener l;
    run(job, l);
    return l;
  }
  std::string refusal(const JobSpec& job) const {
    try {
      Listener l;
      run(job, l);
    } catch (const Error& e) {
      return e.what();
    }
    ADD_FAILURE() << "no error";
    return {};
  }
  /// Cached entries by name, with their modification times.
  std::map<std::string, fs::file_time_type> entries() const {
    std::map<std::string, fs::file_time_type> found;
    for (const fs::directory_entry& e : fs::recursive_directory_iterator(cache_dir() / "tensors")) {
      if (e.is_regular_file()) {
        found[e.path().filename().string()] = e.last_write_time();
      }
    }
    return found;
  }
  /// Number of new entries, checking that older ones are unchanged.
  static std::size_t added(const std::map<std::string, fs::file_time_type>& before,
                           const std::map<std::string, fs::file_time_type>& after) {
    for (const auto& [name, time] : before) {
      EXPECT_TRUE(after.contains(name) && after.at(name) == time) << name;
    }
    return after.size() - before.size();
  }
};

TEST_F(DataFeatures, AWhiteMaskChangesNoBit) {
  const Listener plain = listen(job_into("plain"));
  masks(job_.images[0], [](int, int) { return true; });
  job_.preset.data.masks = MaskMode::files;
  const Listener masked = listen(job_into("masked"));
  EXPECT_EQ(masked.losses(), plain.losses());
  EXPECT_NE(masked.log.find("6 of 6 images have a mask"), std::string::npos) << masked.log;
}

TEST_F(DataFeatures, ABlackMaskTeachesNothing) {
  masks(job_.images[0], [](int, int) { return false; });
  job_.preset.data.masks = MaskMode::files;
  const Listener black = listen(job_into("black"));
  for (const StepRecord& r : black.steps) {
    EXPECT_EQ(r.loss, 0);
    EXPECT_EQ(r.grad_norm, 0);
  }
  job_.preset.data.unmasked_weight = 0.25;
  const Listener quarter = listen(job_into("quarter"));
  job_.preset.data.masks = MaskMode::off;
  const Listener plain = listen(job_into("plain"));
  EXPECT_NEAR(quarter.losses()[0], 0.25 * plain.losses()[0], 1e-6 * plain.losses()[0]);
}

TEST_F(DataFeatures, MasksThatCanNotBeUsedAreNotCalledMissing) {
  masks(job_.images[0], [](int, int) { return true; });
  for (const fs::directory_entry& e : fs::directory_iterator(job_.images[0])) {
    if (e.path().stem().string().ends_with("-masklabel") &&
        e.path().filename() != "zorb_03-masklabel.png") {
      fs::remove(e.path());
    }
  }
  write_png(job_.images[0] / "zorb_03-masklabel.png", std::vector<std::uint8_t>(3 * 64 * 8), 64, 8);
  job_.preset.data.masks = MaskMode::files;
  const std::string said = refusal(job_into("run"));
  EXPECT_NE(said.find("no mask can be used (images left out: 1)"), std::string::npos) << said;
  EXPECT_NE(said.find("zorb_03"), std::string::npos) << said;
}

TEST_F(DataFeatures, HalvesOfAnImageAddUp) {
  job_.preset.data.flip = true;
  job_.preset.data.masks = MaskMode::files;
  job_.preset.training.steps = 1;
  double sum = 0;
  for (const bool left : {true, false}) {
    masks(job_.images[0], [&](int x, int) { return (x < 32) == left; });
    sum += listen(job_into(left ? "left" : "right")).losses()[0];
  }
  job_.preset.data.masks = MaskMode::off;
  const double whole = listen(job_into("whole")).losses()[0];
  EXPECT_NEAR(sum, whole, 1e-3 * whole) << "but for rounding where the halves meet";
}

TEST_F(DataFeatures, MasksAreFlippedWithTheirImages) {
  job_.preset.data.flip = true;
  job_.preset.data.batch_size = 1;
  job_.preset.training.steps = 12;
  job_.preset.optimizer.learning_rate = 0;
  job_.preset.data.masks = MaskMode::files;
  masks(job_.images[0], [](int x, int) { return x < 32; });
  job_.trace = home_ / "trace.safetensors";
  job_.trace_steps = 12;
  listen(job_into("run"));
  const auto file = SafetensorsFile::open(*job_.trace);
  int left = 0, right = 0;
  for (int i = 1; i <= 12; ++i) {
    char name[32];
    std::snprintf(name, sizeof name, "step.%04d.loss_mask", i);
    const TensorInfo* t = file.find(name);
    ASSERT_NE(t, nullptr);
    const auto* v = reinterpret_cast<const float*>(t->data);
    const std::int64_t width = t->shape()[2];
    left += v[0] == 1.0F && v[width - 1] == 0.0F ? 1 : 0;
    right += v[0] == 0.0F && v[width - 1] == 1.0F ? 1 : 0;
  }
  EXPECT_EQ(left + right, 12);
  EXPECT_GT(left, 0);
  EXPECT_GT(right, 0);
}

TEST_F(DataFeatures, MaskedStepsAreReplayedFromATrace) {
  masks(job_.images[0], [](int x, int y) { return x > y; });
  job_.preset.data.masks = MaskMode::files;
  job_.trace = home_ / "trace.safetensors";
  job_.trace_steps = 4;
  const Listener first = listen(job_into("traced"));
  JobSpec again = job_into("replayed");
  again.trace.reset();
  again.images.clear();
  again.replay = home_ / "trace.safetensors";
  EXPECT_EQ(listen(again).losses(), first.losses());
}

TEST_F(DataFeatures, AChangedMaskIsTheOnlyThingMadeAnew) {
  masks(job_.images[0], [](int x, int) { return x < 32; });
  job_.preset.data.masks = MaskMode::files;
  job_.preset.training.steps = 1;
  listen(job_into("first"));
  const auto before = entries();
  const ImageLibrary library;
  const fs::path mask = job_.images[0] / "zorb_03-masklabel.png";
  const ImageInfo info = probe_image(mask);
  write_png(mask, std::vector<std::uint8_t>(static_cast<std::size_t>(3 * info.width * info.height)),
            info.width, info.height);
  listen(job_into("second"));
  EXPECT_EQ(added(before, entries()), 1u);
}

TEST_F(DataFeatures, AMaskThatIsMissingEverywhereIsRefused) {
  job_.preset.data.masks = MaskMode::files;
  EXPECT_NE(refusal(job_into("files")).find("-masklabel.png"), std::string::npos);
  job_.preset.data.masks = MaskMode::alpha;
  EXPECT_NE(refusal(job_into("alpha")).find("alpha channel"), std::string::npos);
}

TEST_F(DataFeatures, NoGradientComesFromOutsideAMask) {
  // The recorded loss, on a trained prediction: d/dp m·(p - t)² = 2·m·(p - t)/n.
  const auto kernels = make_cpu_kernels();
  const Shape shape{1, 2, 2, 3};
  std::vector<float> values{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, gradient(12, 0.0F);
  Tensor prediction;
  prediction.name = "p";
  prediction.shape = shape;
  prediction.data = values.data();
  prediction.trainable = true;
  prediction.grad = gradient.data();
  Graph g;
  const Value root = g.input("root", DType::f32, shape);
  const Value p = multiply(read_tensor(g, prediction, DType::f32), root);
  const Value t = multiply(constant(g, DType::f32, shape, 1.5F), root);
  const Loss loss = mse_loss(p, t, constant(g, DType::f32, {1}, 1.0F));
  g.output("loss", loss.loss);
  g.backward(loss.loss, false, constant(g, DType::f32, Shape{}, 1.0F));
  const Plan plan = make_plan(g);
  Arena arena(*kernels);
  arena.reserve(plan.arena_bytes);
  Executor e(g, plan, *kernels, arena);
  const std::vector<float> weights{0, 1, 0.25F, 0};  // by place
  std::vector<float> roots;
  for (const float w : weights) {
    roots.insert(roots.end(), 3, std::sqrt(w));
  }
  e.feed("root", roots);
  e.run({});
  for (std::size_t i = 0; i < 12; ++i) {
    const float m = weights[i / 3];
    if (m == 0) {
      EXPECT_EQ(gradient[i], 0.0F);
    } else {
      EXPECT_NEAR(gradient[i], 2 * m * (values[i] - 1.5F) / 12, 1e-6);
    }
  }
}

TEST_F(DataFeatures, PriorWeightZeroIsNoPrior) {
  const Listener plain = listen(job_into("plain"));
  job_.prior = {copy_demo("prior", 10, 14)};
  job_.preset.training.prior_weight = 0;
  EXPECT_EQ(listen(job_into("zero")).losses(), plain.losses());
  job_.preset.training.prior_weight = 1;
  EXPECT_NE(listen(job_into("one")).losses(), plain.losses());
}

TEST_F(DataFeatures, PriorImagesAreHalfOfTheBatchesAtTheirWeight) {
  job_.images = {copy_demo("few", 1, 3)};
  job_.prior = {copy_demo("prior", 10, 11)};
  job_.preset.data.batch_size = 1;
  job_.preset.training.steps = 6;  // one epoch: 3 and 3
  job_.preset.optimizer.learning_rate = 0;
  job_.preset.training.prior_weight = 1;
  const Listener one = listen(job_into("one"));
  job_.preset.training.prior_weight = 0.5;
  const Listener half = listen(job_into("half"));
  int whole = 0, halved = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    whole += half.losses()[i] == one.losses()[i] ? 1 : 0;
    halved += std::abs(half.losses()[i] - 0.5 * one.losses()[i]) < 1e-6 * one.losses()[i] ? 1 : 0;
  }
  EXPECT_EQ(whole, 3);
  EXPECT_EQ(halved, 3);
  const PlanReport plan = plan_training(job_);
  ASSERT_TRUE(plan.data.has_value());
  EXPECT_EQ(plan.data->images, 3);
  EXPECT_EQ(plan.data->prior, 2);
  EXPECT_EQ(plan.data->batches_per_epoch, 6);
}

TEST_F(DataFeatures, ComputingValidationLossChangesNoBit) {
  job_.images = {copy_demo("all", 1, 12)};
  job_.preset.data.validation_share = 0.25;
  job_.preset.training.validate_every = 2;
  job_.preset.output.save_every = 3;
  job_.preset.adapter.dropout = 0.2;
  job_.preset.training.steps = 5;
  job_.preset.precision.compute = ComputeType::fp8;
  job_.preset.precision.fp8_scaling = Fp8Scaling::delayed;
  const Listener looking = listen(job_into("looking"));
  std::vector<std::int64_t> steps;
  for (const ValidationRecord& v : looking.validation) {
    steps.push_back(v.step);
    EXPECT_TRUE(std::isfinite(v.loss) && v.loss > 0);
  }
  EXPECT_EQ(steps, (std::vector<std::int64_t>{0, 2, 3, 4, 5})) << "at the checkpoint, too";
  // The same images without the validation images.
  const ImageLibrary library;
  const ImageSets sets = gather_sets({job_.images, {}, {}}, job_.preset, {});
  ASSERT_FALSE(sets.validation.empty());
  EXPECT_EQ(looking.validation[0].images, std::ssize(sets.validation));
  for (const ImageItem& item : sets.validation) {
    fs::remove(item.path);
    fs::remove(fs::path(item.path).replace_extension(".txt"));
  }
  job_.preset.data.validation_share = 0;
  const Listener plain = listen(job_into("plain"));
  EXPECT_TRUE(plain.validation.empty());
  EXPECT_EQ(plain.losses(), looking.losses());
}

TEST_F(DataFeatures, ValidationIsTheSameQuestionEveryTime) {
  job_.validation = {copy_demo("held", 20, 22)};
  job_.preset.training.validate_every = 1;
  job_.preset.training.steps = 3;
  job_.preset.optimizer.learning_rate = 0;
  Listener still;
  const RunResult result = run(job_into("still"), still);
  ASSERT_EQ(still.validation.size(), 4U);
  for (const ValidationRecord& v : still.validation) {
    EXPECT_EQ(v.loss, still.validation[0].loss) << "nothing moved, so nothing may differ";
    EXPECT_EQ(v.images, 3);
  }
  const auto rows = RunReader(runs_database()).validation(result.run_id);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[3].step, 3);
  EXPECT_EQ(rows[3].loss, still.validation[3].loss);
  ASSERT_EQ(rows[3].each.size(), 3U);
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(rows[3].each[i].loss, rows[0].each[i].loss);
    EXPECT_NE(rows[3].each[i].loss, rows[3].each[(i + 1) % 3].loss);
    EXPECT_EQ(rows[3].each[i].name, rows[0].each[i].name);
    sum += rows[3].each[i].loss;
  }
  EXPECT_NEAR(sum / 3, rows[3].loss, 1e-12);
  EXPECT_EQ(paired_difference(rows[3], rows[0]).error, 0);
  // Another seed trains differently but validates the same.
  job_.preset.optimizer.learning_rate = 1e-3;
  job_.preset.training.seed = 9;
  const Listener other = listen(job_into("other"));
  EXPECT_EQ(other.validation[0].loss, still.validation[0].loss);
  EXPECT_NE(other.validation[3].loss, still.validation[0].loss);
}

TEST_F(DataFeatures, ResumedRunsGoOnLookingWhereTheyWere) {
  job_.validation = {copy_demo("held", 20, 21)};
  job_.preset.training.validate_every = 2;
  job_.preset.training.steps = 6;
  const Listener whole = listen(job_into("whole"));
  const JobSpec job = job_into("stopped");
  RunControl control;
  Listener first(&control, 3);
  EXPECT_THROW(run_training(job, control, first), Error);
  JobSpec again = job;
  again.resume = job.out;
  again.validation.clear();  // the run's own folders count
  Listener second;
  const RunResult result = run(again, second);
  const auto rows = RunReader(runs_database()).validation(result.run_id);
  ASSERT_EQ(rows.size(), whole.validation.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].step, whole.validation[i].step);
    EXPECT_EQ(rows[i].loss, whole.validation[i].loss);
  }
}

TEST_F(DataFeatures, ARunDoesNotGoOnWithOtherData) {
  const auto stopped = [&](const char* folder) {
    JobSpec job = job_into(folder);
    job.preset.training.steps = 3;
    RunControl control;
    Listener l(&control, 1);
    EXPECT_THROW(run_training(job, control, l), Error);
    job.resume = job.out;
    return job;
  };
  const JobSpec captioned = stopped("captioned");
  caption(job_.images[0] / "zorb_02", "a caption that is new");
  EXPECT_NE(refusal(captioned).find("zorb_02"), std::string::npos) << refusal(captioned);
  const JobSpec taken = stopped("taken");
  const fs::path image = job_.images[0] / "zorb_02.png";
  fs::rename(image, home_ / "zorb_02.png");
  EXPECT_NE(refusal(taken).find("zorb_02"), std::string::npos) << refusal(taken);
  fs::rename(home_ / "zorb_02.png", image);
  EXPECT_EQ(listen(taken).losses().size(), 2u) << "it is back";
}

TEST_F(DataFeatures, TagsMoveAndTextEncodersStay) {
  for (int i = 1; i <= 6; ++i) {
    caption(job_.images[0] / ("zorb_0" + std::to_string(i)), "zorb, coral, hill, night, print");
  }
  const Listener plain = listen(job_into("plain"));
  job_.preset.data.shuffle_captions = true;
  const Listener shuffled = listen(job_into("shuffled"));
  EXPECT_NE(shuffled.losses(), plain.losses());
  EXPECT_GT(shuffled.plan.weight_bytes, plain.plan.weight_bytes) << "the text encoders";
  EXPECT_NE(shuffled.log.find("C1"), std::string::npos) << shuffled.log;
  EXPECT_EQ(listen(job_into("again")).losses(), shuffled.losses());
  job_.preset.data.keep_tokens = 4;  // one tag alone can't move
  EXPECT_EQ(listen(job_into("kept")).losses(), plain.losses());
  EXPECT_EQ(plan_training(job_).data->images, 6);
}

TEST_F(DataFeatures, ACaptionInItsOwnOrderIsEncodedAsWhenCached) {
  // Two tags: in some steps the order is unchanged, and then nothing may differ.
  job_.preset.data.batch_size = 1;
  job_.preset.training.steps = 12;
  job_.preset.optimizer.learning_rate = 0;
  for (int i = 1; i <= 6; ++i) {
    caption(job_.images[0] / ("zorb_0" + std::to_string(i)), "zorb, hill");
  }
  const auto plain = listen(job_into("plain")).losses();
  job_.preset.data.shuffle_captions = true;
  const auto shuffled = listen(job_into("shuffled")).losses();
  int same = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    same += plain[i] == shuffled[i] ? 1 : 0;
  }
  EXPECT_GT(same, 0);
  EXPECT_LT(same, 12);
}

TEST_F(DataFeatures, TrainedTextEncodersReadShuffledCaptionsToo) {
  job_.preset.training.parts = {kDenoiser, kTe1, kTe2};
  job_.preset.training.steps = 2;
  for (int i = 1; i <= 6; ++i) {
    caption(job_.images[0] / ("zorb_0" + std::to_string(i)), "zorb, coral, hill, night, print");
  }
  const Listener plain = listen(job_into("plain"));
  job_.preset.data.shuffle_captions = true;
  const Listener shuffled = listen(job_into("shuffled"));
  EXPECT_NE(shuffled.losses(), plain.losses());
  EXPECT_EQ(shuffled.log.find("C1"), std::string::npos) << "nothing of text is cached anyway";
}

TEST_F(DataFeatures, OneCaptionIsEncodedAnew) {
  job_.preset.training.steps = 1;
  listen(job_into("first"));
  const auto before = entries();
  caption(job_.images[0] / "zorb_02", "a caption that is new");
  listen(job_into("second"));
  EXPECT_EQ(added(before, entries()), 1u) << "its text, and no latents";
}

TEST_F(DataFeatures, FlipsAddTheirOwnLatents) {
  job_.preset.training.steps = 1;
  listen(job_into("first"));
  const auto before = entries();
  job_.preset.data.flip = true;
  listen(job_into("flipped"));
  EXPECT_EQ(added(before, entries()), 6u) << "each image once more, mirrored";
  std::set<std::string> latents;
  for (const auto& [name, time] : entries()) {
    const auto file =
        SafetensorsFile::open(cache_dir() / "tensors" / name.substr(0, 2) / path_from_utf8(name));
    if (const TensorInfo* mean = file.find("mean")) {
      EXPECT_TRUE(
          latents.insert(std::string(reinterpret_cast<const char*>(mean->data), mean->bytes))
              .second)
          << "mirrored is another image";
    }
  }
  EXPECT_EQ(latents.size(), 12u);
}

TEST_F(DataFeatures, VersionsAreCachedAndTrainedOn) {
  job_.preset.training.steps = 9;
  const Listener plain = listen(job_into("plain"));
  const auto before = entries();
  job_.preset.data.flip = true;
  job_.preset.data.variants = 3;
  job_.preset.data.brightness = 0.4;
  const Listener first = listen(job_into("first"));
  EXPECT_EQ(added(before, entries()), 6U * 3 * 2);
  EXPECT_NE(first.log.find("encoded in 3 versions"), std::string::npos);
  EXPECT_NE(first.losses(), plain.losses());
  const auto after = entries();
  EXPECT_EQ(listen(job_into("second")).losses(), first.losses());
  EXPECT_EQ(added(after, entries()), 0u) << "the second run encodes nothing";
  job_.preset.data.flip = false;
  job_.preset.data.variants = 1;
  job_.preset.data.brightness = 0;
  EXPECT_EQ(listen(job_into("again")).losses(), plain.losses());
  EXPECT_EQ(added(after, entries()), 0u) << "old entries serve presets without versions";
}

TEST_F(DataFeatures, VersionsGoOnInMidEpoch) {
  job_.preset.training.steps = 7;  // of 3 batches an epoch
  job_.preset.data.variants = 4;
  job_.preset.data.crop_jitter = 0.3;
  job_.preset.data.rotation = 10;
  job_.preset.data.hue = 0.1;
  const Listener whole = listen(job_into("whole"));
  RunControl control;
  Listener stopped(&control, 4);
  EXPECT_THROW(run_training(job_into("halves"), control, stopped), Error);
  JobSpec rest = job_into("halves");
  rest.resume = rest.out;
  const Listener resumed = listen(rest);
  std::vector<double> losses = stopped.losses();
  for (const double loss : resumed.losses()) {
    losses.push_back(loss);
  }
  EXPECT_EQ(losses, whole.losses());
  rest.preset.data.rotation = 11;
  rest.preset.training.steps = 9;
  EXPECT_NE(refusal(rest).find("data.rotation"), std::string::npos);
}

TEST_F(DataFeatures, OneBadImageStopsNoSet) {
  job_.prior = {copy_demo("prior", 10, 11)};
  job_.validation = {copy_demo("held", 20, 21)};
  for (const fs::path& folder : {job_.images[0], job_.prior[0], job_.validation[0]}) {
    const fs::path first = fs::directory_iterator(folder)->path();
    fs::resize_file(fs::path(first).replace_extension(".png"), 400);
  }
  Listener l;
  const RunResult result = run(job_into("run"), l);
  EXPECT_EQ(result.steps, 4);
  const auto json = nlohmann::json::parse(read_text(result.folder / "dataset.json"));
  EXPECT_EQ(json["images"], 5);
  EXPECT_EQ(json["prior"], 1);
  EXPECT_EQ(json["held_out"], 1);
  EXPECT_EQ(json["skipped"].size(), 3u);
}

TEST_F(DataFeatures, CheckPredictsTheVeryArena) {
  job_.preset.training.gradient_checkpointing = true;
  job_.preset.data.shuffle_captions = true;
  job_.preset.data.masks = MaskMode::files;
  job_.preset.data.resolution = 96;
  masks(job_.images[0], [](int x, int) { return x < 32; });
  job_.validation = {copy_demo("held", 20, 21)};
  const Listener l = listen(job_into("run"));
  const PlanReport check = plan_training(job_);
  EXPECT_EQ(check.arena_bytes, l.plan.arena_bytes);
  EXPECT_EQ(check.weight_bytes, l.plan.weight_bytes);
  EXPECT_EQ(check.data->held_out, 2);
  EXPECT_EQ(check.data->masks, 6);
}

TEST_F(DataFeatures, KohyasBucketsTellTheModelKohyasCrop) {
  job_.preset.data.bucket_rule = BucketRule::kohya;
  job_.preset.data.bucket_min = 64;
  job_.preset.data.bucket_max = 128;
  job_.preset.training.steps = 2;
  EXPECT_TRUE(std::isfinite(listen(job_into("run")).losses().back()));
  job_.preset.data.bucket_min = 256;
  EXPECT_NE(refusal(job_into("refused")).find("data.bucket_min"), std::string::npos);
}

}  // namespace
}  // namespace mantissa
