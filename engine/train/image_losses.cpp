#include "engine/train/image_losses.h"

#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/data/measured_images.h"

namespace mantissa {
namespace {

double log_sum(const FixedLosses::ByLevel& losses) {
  double sum = 0;
  for (const double loss : losses) {
    sum += std::log(loss);
  }
  return sum;
}

}  // namespace

ImageLosses::ImageLosses(const RunParts& parts, TrainingState& state, FixedLosses& losses)
    : parts_(parts), state_(state), losses_(losses) {
  if (parts.plan.data) {
    images_ = measured_images(parts.preset(), items(), parts.length().steps);
  }
}

const std::vector<ImageItem>& ImageLosses::items() const {
  return parts_.plan.data->images().dataset().items;
}

void ImageLosses::run(Captions captions) {
  if (!images_.empty()) {
    state_.with_schedule_free([&] { measure(captions); });
  }
}

std::optional<std::vector<FixedLosses::ByLevel>> ImageLosses::with_captions(
    const std::vector<std::size_t>& images, const std::vector<std::size_t>& of) {
  return losses_.of(RunPhase::measuring, std::ssize(images), [&](std::size_t i, std::size_t level) {
    return parts_.batches->fixed_inputs(images[i], level, items()[of[i]].caption);
  });
}

std::optional<std::vector<ImageLosses::Fit>> ImageLosses::best_others() {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  std::vector<Fit> best(images_.size(), {{}, {kNaN, kNaN, kNaN, kNaN}});
  for (std::size_t turn = 0; turn < kOtherCaptions; ++turn) {
    std::vector<std::size_t> places, images, of;
    for (std::size_t i = 0; i < images_.size(); ++i) {
      const std::vector<std::size_t> others = other_captions(items(), images_[i]);
      if (turn < others.size()) {
        places.push_back(i);
        images.push_back(images_[i]);
        of.push_back(others[turn]);
      }
    }
    const auto losses = with_captions(images, of);
    if (!losses) {
      return std::nullopt;
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
      Fit& fit = best[places[i]];
      if (fit.of.empty() || log_sum((*losses)[i]) < log_sum(fit.losses)) {
        fit = {items()[of[i]].name, (*losses)[i]};
      }
    }
  }
  return best;
}

void ImageLosses::measure(Captions captions) {
  const auto start = std::chrono::steady_clock::now();
  const auto own = with_captions(images_, images_);
  if (!own) {
    return;
  }
  std::optional<std::vector<Fit>> others;
  if (captions == Captions::own_and_others) {
    others = best_others();
    if (!others) {
      return;
    }
  }
  ImageLossRecord record{.step = state_.step};
  for (const ImageItem& item : items()) {
    record.images += item.prior ? 0 : 1;
  }
  for (std::size_t i = 0; i < images_.size(); ++i) {
    for (std::size_t level = 0; level < FixedLosses::kLevels; ++level) {
      record.each.push_back(
          {static_cast<std::int64_t>(images_[i]), static_cast<std::int64_t>(level),
           items()[images_[i]].name, (*own)[i][level],
           others ? (*others)[i].losses[level] : std::numeric_limits<double>::quiet_NaN(),
           others ? (*others)[i].of : std::string()});
    }
  }
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  parts_.log.image_losses(record);
}

}  // namespace mantissa
