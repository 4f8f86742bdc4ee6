#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/core/fields.h"
#include "engine/core/log_level.h"
#include "engine/core/message.h"
#include "engine/preset/part.h"

namespace mantissa {

/// A step's figures for one part of the model.
struct PartFigures {
  Part part;        ///< its family's name for it: "unet", "te1"
  double lr = 0;    ///< learning rate
  double norm = 0;  ///< of its gradients, before clipping

  static constexpr auto fields() {
    return field_list(Field{"part", &PartFigures::part}, Field{"lr", &PartFigures::lr},
                      Field{"norm", &PartFigures::norm});
  }
};

/// The trained parts of a step; plain numbers, like the step itself.
class PartList {
 public:
  static constexpr std::size_t kMost = 6;

  /// The entry of a part, created if missing. The seventh part of a step throws std::length_error.
  PartFigures& operator[](Part part) {
    for (std::size_t i = 0; i < count_; ++i) {
      if (items_[i].part == part) {
        return items_[i];
      }
    }
    if (count_ == kMost) {
      throw std::length_error("a step has at most 6 parts");
    }
    items_[count_] = {part};
    return items_[count_++];
  }
  /// Its figures; zeros for a part that the step didn't train.
  PartFigures of(Part part) const {
    for (const PartFigures& p : *this) {
      if (p.part == part) {
        return p;
      }
    }
    return {part};
  }
  /// Sets the figures of a part; throws as above.
  void push_back(const PartFigures& figures) { (*this)[figures.part] = figures; }
  const PartFigures* begin() const { return items_.data(); }
  const PartFigures* end() const { return items_.data() + count_; }
  std::size_t size() const { return count_; }

 private:
  std::array<PartFigures, kMost> items_{};
  std::size_t count_ = 0;
};

/// One training step, as plain numbers: a row of the database and a slot of the ring buffer to the
/// window. NaN and infinity are kept.
struct StepRow {
  std::int64_t step = 0;
  double loss = 0;
  double grad_norm = 0;  ///< global, before clipping
  double clip_norm = 0;  ///< the limit, 0 if off
  double loss_scale = 1;
  double lost_update = 0;   ///< share of elements with round(w+Δ) = w
  double update_ratio = 0;  ///< RMS(Δw)/RMS(w)
  double seconds = 0;
  PartList parts;  ///< trained parts
  bool clipped = false;
  bool skipped = false;

  static constexpr auto fields() {
    return field_list(
        Field{"step", &StepRow::step}, Field{"loss", &StepRow::loss},
        Field{"grad_norm", &StepRow::grad_norm}, Field{"clip_norm", &StepRow::clip_norm},
        Field{"clipped", &StepRow::clipped}, Field{"loss_scale", &StepRow::loss_scale},
        Field{"skipped", &StepRow::skipped}, Field{"lost_update", &StepRow::lost_update},
        Field{"update_ratio", &StepRow::update_ratio}, Field{"seconds", &StepRow::seconds},
        Field{"parts", &StepRow::parts});
  }
};

/// One validation image's loss: the mean over its timesteps. Noise and timesteps are those of every
/// other validation, so that two losses of an image differ by the model alone.
struct ImageLoss {
  std::int64_t image = 0;  ///< number among the validation images
  std::string name;        ///< its file below its folder, UTF-8
  double loss = 0;         ///< NaN is kept

  static constexpr auto fields() {
    return field_list(Field{"image", &ImageLoss::image}, Field{"name", &ImageLoss::name},
                      Field{"loss", &ImageLoss::loss});
  }
};

/// The validation loss after a step.
struct ValidationRow {
  std::int64_t step = 0;
  double loss = 0;  ///< mean over images and timesteps; NaN is kept
  std::int64_t images = 0;
  double seconds = 0;             ///< time taken
  std::vector<ImageLoss> each{};  ///< by number; empty in rows of formats before the ninth

  static constexpr auto fields() {
    return field_list(Field{"step", &ValidationRow::step}, Field{"loss", &ValidationRow::loss},
                      Field{"images", &ValidationRow::images},
                      Field{"seconds", &ValidationRow::seconds},
                      Field{"each", &ValidationRow::each});
  }
};

/// One training image's loss at one noise level. Noise and level are the same after every step, so
/// that two losses of an image at a level differ by the model alone.
struct TrainedImageLoss {
  std::int64_t image = 0;  ///< number among the training images
  std::int64_t level = 0;  ///< 0 the lowest
  std::string name;        ///< its file below its folder, UTF-8
  double loss = 0;         ///< NaN is kept
  double other = 0;        ///< with the other caption that fits best; NaN: none was tried
  std::string of;          ///< an image with that caption, as `name`

  static constexpr auto fields() {
    return field_list(
        Field{"image", &TrainedImageLoss::image}, Field{"level", &TrainedImageLoss::level},
        Field{"name", &TrainedImageLoss::name}, Field{"loss", &TrainedImageLoss::loss},
        Field{"other", &TrainedImageLoss::other}, Field{"of", &TrainedImageLoss::of});
  }
};

/// Losses of single training images after a step.
struct ImageLossRecord {
  std::int64_t step = 0;
  std::int64_t images = 0;               ///< of the run; those measured may be fewer
  double seconds = 0;                    ///< time taken
  std::vector<TrainedImageLoss> each{};  ///< by number, then level

  static constexpr auto fields() {
    return field_list(
        Field{"step", &ImageLossRecord::step}, Field{"images", &ImageLossRecord::images},
        Field{"seconds", &ImageLossRecord::seconds}, Field{"each", &ImageLossRecord::each});
  }
};

/// A pause after a step: asked for, or until a disk had room again.
struct PauseRow {
  std::int64_t step = 0;
  bool disk_full = false;

  static constexpr auto fields() {
    return field_list(Field{"step", &PauseRow::step}, Field{"disk_full", &PauseRow::disk_full});
  }
};

/// How fast one of several processes computes, or a thread in its place.
struct ProcessRate {
  int process = 0;
  std::string host;              ///< of a thread its card, "cuda:1"
  double images_per_second = 0;  ///< while it computes
  double share = 0;              ///< of the time in which it does, at most 1
  bool slow = false;             ///< the others wait for it

  bool is_card() const { return host.starts_with("cuda:"); }

  static constexpr auto fields() {
    return field_list(Field{"process", &ProcessRate::process}, Field{"host", &ProcessRate::host},
                      Field{"images_per_second", &ProcessRate::images_per_second},
                      Field{"share", &ProcessRate::share}, Field{"slow", &ProcessRate::slow});
  }
};

/// How fast several processes train together, measured over the steps before `step`.
struct RunRates {
  std::int64_t step = 0;
  double images_per_second = 0;
  std::vector<ProcessRate> processes;  ///< by number

  static constexpr auto fields() {
    return field_list(Field{"step", &RunRates::step},
                      Field{"images_per_second", &RunRates::images_per_second},
                      Field{"processes", &RunRates::processes});
  }
};

/// States "finished", "failed", "stopped" and "interrupted" are final; any other means that a
/// process owns the run.
struct RunRow {
  std::string id, name, state;
  std::int64_t created = 0,
               finished = 0;           ///< Unix milliseconds; created 0: now; finished 0: not yet
  std::string base, out;               ///< paths, UTF-8
  std::string preset_json, plan_json;  ///< the settings in force, and their plan
  std::int64_t seed = 0;
  std::string host;          ///< machine
  std::int64_t process = 0;  ///< pid, for display only; the lock decides ownership
  std::string lock;          ///< path of the run's lock file, UTF-8
  // Filled by readers:
  std::int64_t steps = 0;  ///< last step recorded
  double last_loss = 0;    ///< its loss, NaN if none
};

/// A line of the run list, fast to read for thousands of runs.
struct RunSummary {
  std::string id, name, state;
  std::int64_t created = 0, finished = 0;  ///< Unix milliseconds; finished 0: not yet
  std::string base, out;                   ///< paths, UTF-8
  std::string adapter, precision;          ///< "LoRA 16", "fp8_e4m3 / bf16"; empty: unknown
  std::string family;                      ///< as family_badge.h knows it; empty: unknown
  std::string tags;                        ///< separated by ", "
  std::string note;
  std::string lock;        ///< only while the state isn't final
  std::int64_t steps = 0;  ///< last step recorded
  double last_loss = 0;    ///< its loss, NaN if none
};

struct EventRow {
  std::int64_t id = 0;    ///< ascending
  std::int64_t time = 0;  ///< Unix milliseconds
  LogLevel level = LogLevel::info;
  Message message;
};

/// How far a sample is from the images that it may repeat, and from those that it can't: the RMS
/// difference of latents, averaged over cells of a grid. The nearest of more images is nearer, so
/// both are the expected nearest of as many images as the smaller set has.
struct SampleDistance {
  double trained = std::numeric_limits<double>::quiet_NaN();   ///< to training images
  double held_out = std::numeric_limits<double>::quiet_NaN();  ///< to validation images
  std::string nearest;  ///< training image, as ImageLoss::name
};

struct SampleRow {
  std::int64_t step = 0;
  int prompt_index = 0;
  std::string prompt, path;  ///< path of the PNG, UTF-8
  /// As SampleDistance; NaN without validation images, or not measured.
  double trained_distance = std::numeric_limits<double>::quiet_NaN();
  double held_out_distance = std::numeric_limits<double>::quiet_NaN();
  std::string nearest;

  static constexpr auto fields() {
    return field_list(Field{"step", &SampleRow::step},
                      Field{"prompt_index", &SampleRow::prompt_index},
                      Field{"prompt", &SampleRow::prompt}, Field{"path", &SampleRow::path},
                      Field{"trained_distance", &SampleRow::trained_distance},
                      Field{"held_out_distance", &SampleRow::held_out_distance},
                      Field{"nearest", &SampleRow::nearest});
  }
};

struct CheckpointRow {
  std::int64_t step = 0;
  std::string path;
  std::int64_t bytes = 0;

  static constexpr auto fields() {
    return field_list(Field{"step", &CheckpointRow::step}, Field{"path", &CheckpointRow::path},
                      Field{"bytes", &CheckpointRow::bytes});
  }
};

/// Whether a run in this state (RunRow::state) has ended.
bool is_final_state(const std::string& state);

}  // namespace mantissa
