#pragma once
// What single training images did in a run: those that stand out.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/core/message.h"
#include "engine/store/rows.h"

namespace mantissa {

/// How one training image fared from a run's first measurement to its last. Both have the same
/// noise, so it is compared with itself: one that shows more detail isn't blamed for its loss.
struct ImageInfluence {
  std::int64_t image = 0;  ///< as TrainedImageLoss
  std::string name;
  double before = 0, after = 0;  ///< loss, mean over the levels
  double gain = 0;               ///< mean over the levels of the share by which the loss fell
  double gain_error = 0;         ///< its standard error
  double coarse = 0;             ///< loss after, at the highest level, where only a whole shows
  double usual_coarse = 0;       ///< the median of all images
  /// Mean over the levels of the share by which the loss is higher with the other caption that fits
  /// best; NaN: none was tried.
  double fit = 0;
  double fit_error = 0;
  std::string of;              ///< an image with that caption
  bool never_learned = false;  ///< no gain beyond the error, where most images gained
  bool misfit = false;         ///< another's caption fits it better than its own, beyond the error
  bool high_loss = false;      ///< unlike the others as a whole: its coarse loss is far above

  bool stands_out() const { return never_learned || misfit || high_loss; }
  /// "a.png may fit the caption of b.png better than its own: …".
  Message text() const;
};

/// Influence on each image that the first and the last record have, by number; empty with fewer
/// than two records.
std::vector<ImageInfluence> image_influences(const std::vector<ImageLossRecord>& records);
/// The images that stand out.
std::vector<ImageInfluence> outstanding(std::vector<ImageInfluence> images);

/// {"images", "measured", "from_step", "to_step", "stand_out": [{"name", …, "text"}]}, as
/// `runs show --json` and result.json have it; null of fewer than two records.
nlohmann::ordered_json influence_json(const std::vector<ImageLossRecord>& records);

}  // namespace mantissa
