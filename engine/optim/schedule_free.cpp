#include "engine/optim/schedule_free.h"

#include <algorithm>

namespace mantissa {

double ScheduleFreeSums::weight(double rate) const {
  const double counted = largest_ ? std::max(rate, values_[1]) : rate;
  return counted * counted;
}

double ScheduleFreeSums::next(double rate) const {
  const double w = weight(rate), sum = values_[0] + w;
  return sum > 0 ? w / sum : 0.0;
}

double ScheduleFreeSums::count(std::int64_t number, double rate) {
  const auto update = static_cast<double>(number);
  if (update == values_[2]) {
    return values_[0] > 0 ? weight(rate) / values_[0] : 0.0;  // another share has counted it
  }
  const double c = next(rate);
  values_ = {values_[0] + weight(rate), std::max(rate, values_[1]), update};
  return c;
}

}  // namespace mantissa
