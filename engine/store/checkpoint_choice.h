#pragma once
// Which checkpoint to take, by its validation.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "engine/core/message.h"
#include "engine/store/rows.h"

namespace mantissa {

/// The mean difference of two validations over the images that both have, and its standard error:
/// the differences' standard deviation / √images. As noise and timesteps are the same in both, what
/// all images have in common drops out, and the error is far below that of either loss.
struct PairedDifference {
  double mean = 0;
  double error = 0;         ///< NaN of fewer than two images
  std::int64_t images = 0;  ///< compared; those with a loss that isn't finite are left out
};
/// a − b.
PairedDifference paired_difference(const ValidationRow& a, const ValidationRow& b);

/// The change of the validation loss in 100 steps, from `before` to `after`, with its error; NaN
/// without images to compare.
PairedDifference change_per_100_steps(const ValidationRow& before, const ValidationRow& after);

/// A checkpoint that is suggested, and why.
struct CheckpointChoice {
  std::int64_t step = 0;
  std::int64_t lowest = 0;           ///< step of the checkpoint with the lowest validation loss
  double loss = 0;                   ///< validation loss of the suggested one
  PairedDifference above_lowest;     ///< of the suggested one above the lowest
  PairedDifference above_untrained;  ///< of the suggested one above step 0; no images if unknown
  std::int64_t unvalidated = 0;      ///< checkpoints without a validation at their step

  /// Whether its loss is below that of the untrained model by more than two errors; true if that is
  /// unknown.
  bool better_than_untrained() const;
  /// "Step 600 is suggested: …".
  Message text() const;
};

/// The earliest checkpoint whose loss is within one standard error of the lowest (the
/// one-standard-error rule: Breiman et al. 1984, Classification and Regression Trees, 3.4.3): what
/// comes after it gains nothing that the validation images can show, and has memorised more.
/// Nothing if no checkpoint was validated. The rule needs losses of single images; without them it
/// is the lowest.
std::optional<CheckpointChoice> choose_checkpoint(const std::vector<ValidationRow>& validation,
                                                  const std::vector<CheckpointRow>& checkpoints);

/// A choice as result.json has it: {"step", "lowest_step", "loss", "above_lowest": {"mean",
/// "error", "images"}, "above_untrained": {…}, "better_than_untrained", "text"}; null for a NaN.
nlohmann::ordered_json checkpoint_choice_json(const CheckpointChoice& choice);
/// The inverse. Nothing if it isn't one.
std::optional<CheckpointChoice> checkpoint_choice_of(const nlohmann::json& value);

}  // namespace mantissa
