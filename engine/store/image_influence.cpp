#include "engine/store/image_influence.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace mantissa {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
/// A caption fits better from this share of the loss on, and from so many standard errors: the best
/// of several other captions is compared, so that chance alone favours it.
constexpr double kLeastMisfit = 0.02, kMisfitErrors = 2;
/// Standard deviations from the median, robustly, that are far.
constexpr double kFar = 3.5;
/// Fewer images have no middle to be far from.
constexpr std::size_t kFewest = 8;

struct MeanError {
  double mean = kUnknown, error = kUnknown;
};

MeanError mean_error(const std::vector<double>& values) {
  if (values.empty()) {
    return {};
  }
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) {
    sum += value;
  }
  for (const double value : values) {
    squares += (value - sum / n) * (value - sum / n);
  }
  return {sum / n, values.size() > 1 ? std::sqrt(squares / (n - 1) / n) : kUnknown};
}

double median(std::vector<double> values) {
  if (values.empty()) {
    return kUnknown;
  }
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// How far a value is from the median, in standard deviations of a normal distribution with the
/// same median deviation.
class Middle {
 public:
  explicit Middle(const std::vector<double>& values) : median_(median(values)) {
    std::vector<double> deviations;
    for (const double value : values) {
      deviations.push_back(std::abs(value - median_));
    }
    constexpr double kNormal = 1.4826;
    spread_ =
        values.size() < kFewest ? kUnknown : kNormal * mantissa::median(std::move(deviations));
  }
  double middle() const { return median_; }
  /// NaN of too few values.
  double distance(double value) const { return (value - median_) / spread_; }

 private:
  double median_, spread_;
};

using Levels = std::map<std::pair<std::int64_t, std::string>, std::vector<TrainedImageLoss>>;

Levels by_image(const ImageLossRecord& record) {
  Levels images;
  for (const TrainedImageLoss& loss : record.each) {
    images[{loss.image, loss.name}].push_back(loss);
  }
  return images;
}

ImageInfluence influence(const std::vector<TrainedImageLoss>& before,
                         const std::vector<TrainedImageLoss>& after) {
  ImageInfluence image{.image = after.front().image, .name = after.front().name};
  std::vector<double> first, last, gains, fits;
  for (const TrainedImageLoss& now : after) {
    const auto then = std::find_if(before.begin(), before.end(), [&](const TrainedImageLoss& loss) {
      return loss.level == now.level;
    });
    if (then == before.end() || !std::isfinite(now.loss / then->loss)) {
      continue;
    }
    first.push_back(then->loss);
    last.push_back(now.loss);
    gains.push_back(1 - now.loss / then->loss);
    image.coarse = now.loss;  // levels ascend
    if (std::isfinite(now.other / now.loss)) {
      fits.push_back(now.other / now.loss - 1);
    }
  }
  image.before = mean_error(first).mean;
  image.after = mean_error(last).mean;
  image.gain = mean_error(gains).mean;
  image.gain_error = mean_error(gains).error;
  image.fit = mean_error(fits).mean;
  image.fit_error = mean_error(fits).error;
  image.of = after.front().of;
  return image;
}

void judge(std::vector<ImageInfluence>& images) {
  std::vector<double> gains, losses;
  for (const ImageInfluence& image : images) {
    gains.push_back(image.gain);
    losses.push_back(std::log(image.coarse));
  }
  const Middle gain(gains), loss(losses);
  for (ImageInfluence& image : images) {
    image.usual_coarse = std::exp(loss.middle());
    // Where the middle of all gained nothing, the run taught nothing: no image is to blame.
    image.never_learned = image.gain <= 2 * image.gain_error && gain.middle() > 0 &&
                          gain.distance(image.gain) < -kFar;
    image.misfit = image.fit < -std::max(kLeastMisfit, kMisfitErrors * image.fit_error);
    image.high_loss = loss.distance(std::log(image.coarse)) > kFar;
  }
}

/// "-1.2%".
std::string share(double value) {
  return fmt::format("{:.1f}%", 100 * value);
}

}  // namespace

Message ImageInfluence::text() const {
  if (misfit) {
    return message<
        "{image} may fit the caption of {other} better than its own: the loss is {share} lower "
        "with it. Check its caption">(name, of, share(-fit));
  }
  if (never_learned) {
    return message<
        "{image} was never learned: its loss fell by {share} ± {error} over the run. Check whether "
        "the image is damaged or belongs here">(name, share(gain), share(gain_error));
  }
  return message<
      "{image} looks unlike the others as a whole: its loss at the highest noise level is {loss}, "
      "theirs about {usual}. Check that it belongs here">(name, fmt::format("{:.3g}", coarse),
                                                          fmt::format("{:.3g}", usual_coarse));
}

std::vector<ImageInfluence> image_influences(const std::vector<ImageLossRecord>& records) {
  std::vector<ImageInfluence> images;
  if (records.size() < 2) {
    return images;
  }
  const Levels before = by_image(records.front()), after = by_image(records.back());
  for (const auto& [key, losses] : after) {
    const auto then = before.find(key);
    if (then == before.end()) {
      continue;
    }
    ImageInfluence image = influence(then->second, losses);
    if (std::isfinite(image.gain)) {
      images.push_back(std::move(image));
    }
  }
  judge(images);
  return images;
}

std::vector<ImageInfluence> outstanding(std::vector<ImageInfluence> images) {
  std::erase_if(images, [](const ImageInfluence& image) { return !image.stands_out(); });
  return images;
}

nlohmann::ordered_json influence_json(const std::vector<ImageLossRecord>& records) {
  if (records.size() < 2) {
    return nullptr;
  }
  const std::vector<ImageInfluence> images = image_influences(records);
  auto list = nlohmann::ordered_json::array();
  for (const ImageInfluence& image : outstanding(images)) {
    list.push_back({{"name", image.name},
                    {"before", image.before},
                    {"after", image.after},
                    {"gain", image.gain},
                    {"gain_error", image.gain_error},
                    {"coarse", image.coarse},
                    {"usual_coarse", image.usual_coarse},
                    {"fit", image.fit},
                    {"fit_error", image.fit_error},
                    {"fits", image.of},
                    {"never_learned", image.never_learned},
                    {"misfit", image.misfit},
                    {"high_loss", image.high_loss},
                    {"text", image.text().text()}});
  }
  return {{"images", records.back().images},
          {"measured", images.size()},
          {"from_step", records.front().step},
          {"to_step", records.back().step},
          {"stand_out", std::move(list)}};
}

}  // namespace mantissa
