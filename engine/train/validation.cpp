#include "engine/train/validation.h"

#include <chrono>
#include <utility>
#include <vector>

namespace mantissa {

bool Validation::has_images() const {
  return parts_.plan.data && !parts_.plan.data->images().validation().empty();
}

void Validation::run() {
  if (!has_images() || done_at_ == state_.step) {
    return;
  }
  state_.with_schedule_free(
      [&] { run_images(std::ssize(parts_.plan.data->images().validation())); });
}

void Validation::run_images(std::int64_t images) {
  const auto start = std::chrono::steady_clock::now();
  const auto losses =
      losses_.of(RunPhase::validating, images, [this](std::size_t image, std::size_t level) {
        return parts_.batches->validation_inputs(image, level);
      });
  if (!losses) {
    return;
  }
  double sum = 0;
  std::vector<ImageLoss> each;
  for (std::size_t image = 0; image < losses->size(); ++image) {
    double of_image = 0;
    for (const double loss : (*losses)[image]) {
      sum += loss;
      of_image += loss;
    }
    each.push_back({static_cast<std::int64_t>(image),
                    parts_.plan.data->images().validation()[image].name,
                    of_image / static_cast<double>(FixedLosses::kLevels)});
  }
  done_at_ = state_.step;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  const auto count = static_cast<double>(losses->size() * FixedLosses::kLevels);
  parts_.log.validation({state_.step, sum / count, images, took.count(), std::move(each)});
}

}  // namespace mantissa
