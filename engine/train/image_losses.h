#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/run/run_parts.h"
#include "engine/run/training_state.h"
#include "engine/train/fixed_losses.h"

namespace mantissa {

/// The losses of single training images, always with the same noise (engine/store/image_influence.h
/// judges them). Doesn't affect training.
class ImageLosses {
 public:
  /// `losses` must outlive this.
  ImageLosses(const RunParts& parts, TrainingState& state, FixedLosses& losses);

  enum class Captions { own, own_and_others };
  /// Before the first step, with their own captions, and after the last, with others' too; without
  /// a record if the run is to stop.
  void run(Captions captions);

 private:
  /// The losses with the other caption that fits best, and an image that has it.
  struct Fit {
    std::string of;
    FixedLosses::ByLevel losses;
  };
  const std::vector<ImageItem>& items() const;
  void measure(Captions captions);
  std::optional<std::vector<FixedLosses::ByLevel>> with_captions(
      const std::vector<std::size_t>& images, const std::vector<std::size_t>& of);
  std::optional<std::vector<Fit>> best_others();

  RunParts parts_;
  TrainingState& state_;
  FixedLosses& losses_;
  std::vector<std::size_t> images_;
};

}  // namespace mantissa
