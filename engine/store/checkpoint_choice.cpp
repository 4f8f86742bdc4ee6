#include "engine/store/checkpoint_choice.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace mantissa {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::string number(double value) {
  return fmt::format("{:.3g}", value);
}

/// "0.0004 ± 0.001".
std::string with_error(double mean, double error) {
  return number(mean) + " ± " + number(error);
}

const ValidationRow* at_step(const std::vector<ValidationRow>& validation, std::int64_t step) {
  const auto found = std::find_if(validation.begin(), validation.end(),
                                  [&](const ValidationRow& v) { return v.step == step; });
  return found == validation.end() ? nullptr : &*found;
}

}  // namespace

PairedDifference paired_difference(const ValidationRow& a, const ValidationRow& b) {
  std::map<std::pair<std::int64_t, std::string>, double> other;
  for (const ImageLoss& image : b.each) {
    other[{image.image, image.name}] = image.loss;
  }
  std::vector<double> differences;
  for (const ImageLoss& image : a.each) {
    const auto found = other.find({image.image, image.name});
    if (found != other.end() && std::isfinite(image.loss - found->second)) {
      differences.push_back(image.loss - found->second);
    }
  }
  const auto n = static_cast<double>(differences.size());
  PairedDifference result{kNaN, kNaN, static_cast<std::int64_t>(differences.size())};
  if (differences.empty()) {
    return result;
  }
  double sum = 0;
  for (const double d : differences) {
    sum += d;
  }
  result.mean = sum / n;
  if (differences.size() > 1) {
    double squares = 0;
    for (const double d : differences) {
      squares += (d - result.mean) * (d - result.mean);
    }
    result.error = std::sqrt(squares / (n - 1) / n);
  }
  return result;
}

PairedDifference change_per_100_steps(const ValidationRow& before, const ValidationRow& after) {
  PairedDifference change = paired_difference(after, before);
  const double hundreds = static_cast<double>(after.step - before.step) / 100;
  change.mean /= hundreds;
  change.error /= hundreds;
  return change;
}

bool CheckpointChoice::better_than_untrained() const {
  return above_untrained.images == 0 || std::isnan(above_untrained.error) ||
         above_untrained.mean < -2 * above_untrained.error;
}

Message CheckpointChoice::text() const {
  if (!better_than_untrained()) {
    return message<
        "no checkpoint is better than the untrained model beyond the error of {images} "
        "validation images: step {step} differs from it by {difference}">(
        above_untrained.images, step, with_error(above_untrained.mean, above_untrained.error));
  }
  if (step == lowest) {
    return message<
        "step {step} is suggested: it has the lowest validation loss of all "
        "checkpoints, {loss}">(step, number(loss));
  }
  return message<
      "step {step} is suggested: the validation loss of step {lowest} is lower by only "
      "{difference}, and fewer steps memorise less">(
      step, lowest, with_error(above_lowest.mean, above_lowest.error));
}

std::optional<CheckpointChoice> choose_checkpoint(const std::vector<ValidationRow>& validation,
                                                  const std::vector<CheckpointRow>& checkpoints) {
  std::vector<const ValidationRow*> validated;
  CheckpointChoice choice;
  for (const CheckpointRow& checkpoint : checkpoints) {
    const ValidationRow* row = at_step(validation, checkpoint.step);
    if (row != nullptr && std::isfinite(row->loss)) {
      validated.push_back(row);
    } else {
      ++choice.unvalidated;
    }
  }
  if (validated.empty()) {
    return std::nullopt;
  }
  std::sort(validated.begin(), validated.end(),
            [](const auto* a, const auto* b) { return a->step < b->step; });
  const ValidationRow* lowest =
      *std::min_element(validated.begin(), validated.end(),
                        [](const auto* a, const auto* b) { return a->loss < b->loss; });
  const ValidationRow* chosen =
      *std::find_if(validated.begin(), validated.end(), [&](const ValidationRow* row) {
        const PairedDifference above = paired_difference(*row, *lowest);
        return row == lowest || above.mean <= above.error;  // never of a NaN
      });
  choice.step = chosen->step;
  choice.lowest = lowest->step;
  choice.loss = chosen->loss;
  choice.above_lowest = paired_difference(*chosen, *lowest);
  if (const ValidationRow* untrained = at_step(validation, 0)) {
    choice.above_untrained = paired_difference(*chosen, *untrained);
  }
  return choice;
}

namespace {

nlohmann::ordered_json difference_json(const PairedDifference& d) {
  return {{"mean", d.mean}, {"error", d.error}, {"images", d.images}};
}

/// NaN is null in JSON.
double number_of(const nlohmann::json& object, const char* key) {
  const nlohmann::json& value = object.at(key);
  return value.is_null() ? kNaN : value.get<double>();
}

PairedDifference difference_of(const nlohmann::json& value) {
  return {number_of(value, "mean"), number_of(value, "error"),
          value.at("images").get<std::int64_t>()};
}

}  // namespace

nlohmann::ordered_json checkpoint_choice_json(const CheckpointChoice& choice) {
  return {{"step", choice.step},
          {"lowest_step", choice.lowest},
          {"loss", choice.loss},
          {"above_lowest", difference_json(choice.above_lowest)},
          {"above_untrained", difference_json(choice.above_untrained)},
          {"better_than_untrained", choice.better_than_untrained()},
          {"text", choice.text().text()}};
}

std::optional<CheckpointChoice> checkpoint_choice_of(const nlohmann::json& value) {
  try {
    return CheckpointChoice{.step = value.at("step").get<std::int64_t>(),
                            .lowest = value.at("lowest_step").get<std::int64_t>(),
                            .loss = number_of(value, "loss"),
                            .above_lowest = difference_of(value.at("above_lowest")),
                            .above_untrained = difference_of(value.at("above_untrained"))};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace mantissa
