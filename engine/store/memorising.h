#pragma once
// Whether a run's samples repeat its training images.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/message.h"
#include "engine/store/rows.h"

namespace mantissa {

/// How near the samples of a step are to training images, compared with validation images, which
/// the run can't have memorised. A sample's ratio is its distance to the nearest of the former over
/// that to the nearest of the latter (SampleDistance): 1 where it repeats neither, and near 0 where
/// it repeats a training image.
struct Memorising {
  std::int64_t step = 0;
  std::int64_t samples = 0;  ///< with a ratio
  double ratio = 1;          ///< the smallest, of the sample that repeats most
  double mean = 1;           ///< geometric mean
  std::string nearest;       ///< training image that is nearest to that sample

  /// A smallest ratio that is told.
  static constexpr double kSign = 0.5;

  /// Whether a sample is told to repeat a training image.
  bool sign() const;
  /// "A sign of memorising at step 600: …".
  Message text() const;
};

/// The measure of each step whose samples have distances, ascending.
std::vector<Memorising> memorising_by_step(const std::vector<SampleRow>& samples);
/// The measure at `step`, or at the last samples before it; nothing without any.
std::optional<Memorising> memorising_at(const std::vector<SampleRow>& samples, std::int64_t step);

/// As result.json has it: {"step", "samples", "ratio", "mean", "nearest", "sign", "text"}.
nlohmann::ordered_json memorising_json(const Memorising& memorising);
/// The inverse. Nothing if it isn't one.
std::optional<Memorising> memorising_of(const nlohmann::json& value);

}  // namespace mantissa
