// Whole trainings of edits, on a small model that first learns to draw its reference: what comes
// out lies where its reference does, and shows the edit. ctest -L engine_train_slow, minutes.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <span>
#include <string>

#include "engine/core/paths.h"
#include "engine/render/sample.h"
#include "tests/engine/train/edit_judge.h"
#include "tests/engine/train/edit_scene.h"
#include "tests/engine/train/family_run.h"
#include "tests/engine/train/mini_edit_model.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;
using testing_support::Color;
using testing_support::correlate;
using testing_support::Correlation;
using testing_support::kSceneColors;
using testing_support::luminance;
using testing_support::Scene;
using testing_support::scene;
using testing_support::shown;
using testing_support::ShownScene;

constexpr int kSide = 64;
constexpr unsigned kHeldOut = 20;
constexpr unsigned kFirstPair = 1000, kFirstHeldOut = 5000;  // numbers of scenes

/// The scene of this number, or one instead of it whose color is far from blue.
Scene not_blue(unsigned number) {
  const auto others = std::span(kSceneColors).first(3);
  Scene s = scene(number);
  while (std::ranges::find(others, s.color) == others.end()) {
    s = scene(number += 100'000);
  }
  return s;
}

/// The scene of this number, or one instead of it that stands out: of fainter ones the VAE itself
/// moves the edges by a pixel.
Scene distinct(unsigned number) {
  Scene s = scene(number);
  while (std::abs(luminance(s.color) - luminance(s.ground)) < 60) {
    s = scene(number += 100'000);
  }
  return s;
}

/// An edit: what it is made of and what becomes of that.
struct EditTask {
  const char* caption;
  Scene (*before)(unsigned number);
  Scene (*after)(Scene before);
  bool one_size = false;  ///< images and references of the bucket's size alone
};
constexpr EditTask kKept{"keep it", distinct, [](Scene s) { return s; }};
/// Pairs that don't fit: half a token to the right.
constexpr EditTask kDisplaced{"move it", distinct,
                              [](Scene s) {
                                s.x += 8.0 / kSide;
                                return s;
                              },
                              true};
constexpr EditTask kInBlue{"in blue", not_blue, [](Scene s) {
                             s.color = kSceneColors[3];
                             return s;
                           }};

class LearntEditSlow : public testing_support::RunFixture {
 protected:
  static void TearDownTestSuite() {
    fs::remove_all(base_);
    base_.clear();
  }

  static void write(const fs::path& file, const Image& image) {
    fs::create_directories(file.parent_path());
    write_png(file, image.pixels, image.width, image.height);
  }
  /// Pairs of an edit's scenes: most images are cut, at the sides or above and below, and most
  /// references are larger than their images.
  static void draw_pairs(const fs::path& folder, const EditTask& edit, unsigned first,
                         unsigned count) {
    constexpr std::array kSizes{ImageSize{64, 64}, ImageSize{80, 64}, ImageSize{66, 78},
                                ImageSize{96, 70}};
    constexpr std::array kTimes{1.0, 2.0, 1.5};
    for (unsigned i = 0; i < count; ++i) {
      const Scene before = edit.before(first + i);
      const auto [width, height] = edit.one_size ? kSizes[0] : kSizes[i % kSizes.size()];
      const double times = edit.one_size ? 1 : kTimes[i % kTimes.size()];
      const std::string name = std::to_string(i);
      write(folder / "images" / (name + ".png"), edit.after(before).drawn(width, height));
      write(folder / "references" / (name + ".png"),
            before.drawn(static_cast<int>(times * width), static_cast<int>(times * height)));
      std::ofstream(folder / "images" / (name + ".txt")) << edit.caption;
    }
  }
  JobSpec job_on(const fs::path& pairs, const fs::path& base, std::int64_t steps) const {
    JobSpec job = job_;
    job.base = base;
    job.images = {pairs / "images"};
    job.references = {pairs / "references"};
    job.out = pairs / "run";
    job.health_every = 0;
    Preset& p = job.preset;
    p.data.resolution = kSide;
    p.data.batch_size = 16;
    p.training.steps = steps;
    p.training.image_loss_share = 0;
    p.training.seed = 7;
    p.optimizer.betas = {0.9, 0.99};
    p.schedule.type = ScheduleType::cosine;
    p.schedule.warmup_steps = 20;
    p.schedule.min_factor = 0.02;
    return job;
  }
  static fs::path trained(const JobSpec& job) {
    testing_support::FamilyRecorder r;
    const RunResult result = run(job, r);
    std::printf("%s: loss %.3f after %lld steps\n",
                path_to_utf8(job.out.parent_path().filename()).c_str(), result.final_loss,
                static_cast<long long>(result.steps));
    return result.adapter;
  }
  /// The small model, after it has learnt to draw its reference.
  const fs::path& base() const {
    if (base_.empty()) {
      base_ = fs::path(testing::TempDir()) / "mantissa-learnt-edit";
      fs::remove_all(base_);
      testing_support::write_mini_edit_model(base_ / "untrained");
      draw_pairs(base_ / "base", {"draw it", scene, kKept.after}, 0, 240);
      JobSpec job = job_on(base_ / "base", base_ / "untrained", 2000);
      job.preset.training.method = TrainingMethod::full;
      job.preset.optimizer.learning_rate = 2e-3;
      job.preset.data.flip = true;
      job.preset.data.crop_jitter = 0.2;
      job.preset.data.variants = 2;
      job.preset.output.format = OutputFormat::diffusers;
      learnt_ = trained(job);
    }
    return learnt_;
  }
  /// An adapter that has learnt an edit.
  fs::path learnt(const EditTask& edit, unsigned pairs, std::int64_t steps, int rank,
                  double rate) const {
    const fs::path folder = home_ / edit.caption;
    draw_pairs(folder, edit, kFirstPair, pairs);
    JobSpec job = job_on(folder, base(), steps);
    job.preset.adapter.targets = {"attention+mlp"};
    job.preset.adapter.rank = rank;
    job.preset.adapter.alpha = rank;
    job.preset.optimizer.learning_rate = rate;
    return trained(job);
  }

  /// Held-out references: of every second one neither side is one of whole tokens.
  static Image reference(const EditTask& edit, unsigned i) {
    const Scene s = edit.before(kFirstHeldOut + i);
    return i % 2 == 0 ? s.drawn(kSide, kSide) : s.drawn(58, 50);
  }
  Image edited(const fs::path& adapter, const EditTask& edit, unsigned i) const {
    SampleRequest request;
    request.base = base();
    if (!adapter.empty()) {
      request.loras = {{adapter, 1}};
    }
    request.prompt = edit.caption;
    request.guidance = 1;
    request.steps = 8;
    request.seed = i;
    request.references = {home_ / "held-out.png"};
    write(request.references.front(), reference(edit, i));
    request.out = home_ / "edited.png";
    testing_support::FamilyRecorder r;
    run_sample(request, r);
    return load_image(request.out);
  }

  /// How images lie over their references.
  struct Alignment {
    unsigned in_place = 0, half_a_token_off = 0;
    double lowest = 1, mean = 0, second = 0;  ///< peaks, and the mean of those that come next
  };
  Alignment alignment(const fs::path& adapter, const EditTask& edit) const {
    Alignment all;
    for (unsigned i = 0; i < kHeldOut; ++i) {
      const Correlation c = correlate(edited(adapter, edit, i), reference(edit, i));
      all.in_place += c.in_place() ? 1 : 0;
      all.half_a_token_off += c.dx >= 6 && c.dx <= 10 && std::abs(c.dy) <= 1 ? 1 : 0;
      all.lowest = std::min(all.lowest, c.peak);
      all.mean += c.peak / kHeldOut;
      all.second += c.second / kHeldOut;
    }
    std::printf(
        "%s: %u of %u peaks at (0, 0), %u half a token off; height %.4f, lowest %.4f, "
        "next %.4f\n",
        edit.caption, all.in_place, kHeldOut, all.half_a_token_off, all.mean, all.lowest,
        all.second);
    return all;
  }

  /// How many images show the edit of the reference that is `further` behind theirs.
  unsigned passed(const char* what, const std::vector<Image>& images, const EditTask& edit,
                  unsigned further = 0) const {
    unsigned count = 0;
    double overlap = 0, color = 0, ground = 0;
    for (unsigned i = 0; i < kHeldOut; ++i) {
      const Scene want = edit.after(edit.before(kFirstHeldOut + (i + further) % kHeldOut));
      const ShownScene found = shown(images[i], want, want.ground);
      count += found.overlap >= 0.6 && found.color <= 100 && found.ground <= 30 ? 1 : 0;
      overlap += found.overlap / kHeldOut;
      color += found.color / kHeldOut;
      ground += found.ground / kHeldOut;
    }
    std::printf("%s: %u of %u; overlap %.2f, colour %.0f off, ground %.0f off\n", what, count,
                kHeldOut, overlap, color, ground);
    return count;
  }
  std::vector<Image> all_edited(const fs::path& adapter, const EditTask& edit) const {
    std::vector<Image> images;
    for (unsigned i = 0; i < kHeldOut; ++i) {
      images.push_back(edited(adapter, edit, i));
    }
    return images;
  }

  const ImageLibrary library_;

 private:
  static inline fs::path base_, learnt_;
};

TEST_F(LearntEditSlow, WhatIsKeptLiesWhereItsReferenceLies) {
  const Alignment kept = alignment(learnt(kKept, 120, 300, 16, 1e-3), kKept);
  EXPECT_EQ(kept.in_place, kHeldOut);
  EXPECT_GT(kept.lowest, 0.9);
  // Pairs that lie half a token apart are learnt too, so the peak would have moved.
  const Alignment displaced = alignment(learnt(kDisplaced, 120, 400, 16, 3e-3), kDisplaced);
  EXPECT_EQ(displaced.in_place, 0U);
  EXPECT_GE(displaced.half_a_token_off, kHeldOut / 2);
  const Image plain{kSide, kSide, std::vector<std::uint8_t>(3 * kSide * kSide, 128), {}};
  EXPECT_EQ(correlate(plain, reference(kKept, 0)).peak, 0) << "a plain image lies nowhere";
}

TEST_F(LearntEditSlow, AShapePaintedBlueKeepsItsOutlineAndPlace) {
  const fs::path adapter = learnt(kInBlue, 640, 3600, 64, 2e-3);
  const std::vector<Image> images = all_edited(adapter, kInBlue);
  EXPECT_GE(passed("in blue", images, kInBlue), kHeldOut * 4 / 5);
  EXPECT_LE(passed("without the adapter", all_edited({}, kInBlue), kInBlue), kHeldOut / 10);
  EXPECT_LE(passed("by the next reference", images, kInBlue, 1), kHeldOut / 10);
}

}  // namespace
}  // namespace mantissa
