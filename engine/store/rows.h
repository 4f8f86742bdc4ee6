#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "engine/core/message.h"
#include "engine/preset/part.h"

namespace mantissa {

/// What a step did to one part of the model.
struct PartFigures {
  Part part;        ///< as its family calls it: "unet", "te1"
  double lr = 0;    ///< learning rate
  double norm = 0;  ///< of its gradients, before clipping
};

/// The trained parts of a step; plain numbers, as the step itself.
class PartList {
 public:
  static constexpr std::size_t kMost = 6;

  /// The entry of a part, made where there is none. The seventh part of a step throws
  /// std::length_error.
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
  const PartFigures* begin() const { return items_.data(); }
  const PartFigures* end() const { return items_.data() + count_; }
  std::size_t size() const { return count_; }

 private:
  std::array<PartFigures, kMost> items_{};
  std::size_t count_ = 0;
};

/// One training step, as plain numbers: a row of the database and a slot of the ring to the window.
/// NaN and infinity are kept.
struct StepRow {
  std::int64_t step = 0;
  double loss = 0;
  double grad_norm = 0;  ///< global, before clipping
  double clip_norm = 0;  ///< the bound in force, 0 when off
  double loss_scale = 1;
  double lost_update = 0;   ///< share of elements with round(w+Δ) = w
  double update_ratio = 0;  ///< RMS(Δw)/RMS(w)
  double seconds = 0;
  PartList parts;  ///< those that are trained
  bool clipped = false;
  bool skipped = false;
};

/// The loss on held-out pictures after a step.
struct ValidationRow {
  std::int64_t step = 0;
  double loss = 0;  ///< mean over pictures and timesteps; NaN is kept
  std::int64_t pictures = 0;
  double seconds = 0;  ///< that it took
};

/// States "finished", "failed", "stopped" and "interrupted" are ends; any other means that some
/// process owns the run.
struct RunRow {
  std::string id, name, state;
  std::int64_t created = 0,
               finished = 0;           ///< Unix milliseconds; created 0: now; finished 0: not yet
  std::string base, out;               ///< paths, UTF-8
  std::string preset_json, plan_json;  ///< frozen at the start
  std::int64_t seed = 0;
  std::string host;          ///< machine
  std::int64_t process = 0;  ///< pid, for people; the lock decides
  std::string lock;          ///< path of the run's lock file, UTF-8
  // Filled by readers:
  std::int64_t steps = 0;  ///< last step recorded
  double last_loss = 0;    ///< its loss, NaN where there is none
};

/// A line of the history: what a list of runs shows of one, quick to read for thousands.
struct RunSummary {
  std::string id, name, state;
  std::int64_t created = 0, finished = 0;  ///< Unix milliseconds; finished 0: not yet
  std::string base, out;                   ///< paths, UTF-8
  std::string adapter, precision;          ///< "LoRA 16", "fp8_e4m3 / bf16"; empty: unknown
  std::string tags;                        ///< separated by ", "
  std::string note;
  std::string lock;        ///< only while the state is no end
  std::int64_t steps = 0;  ///< last step recorded
  double last_loss = 0;    ///< its loss, NaN where there is none
};

struct EventRow {
  std::int64_t id = 0;    ///< rising
  std::int64_t time = 0;  ///< Unix milliseconds
  int level = 1;          ///< 0 debug, 1 info, 2 warning, 3 error
  Message message;
};

struct SampleRow {
  std::int64_t step = 0;
  int prompt_index = 0;
  std::string prompt, path;  ///< path of the PNG, UTF-8
};

struct CheckpointRow {
  std::int64_t step = 0;
  std::string path;
  std::int64_t bytes = 0;
};

}  // namespace mantissa
