#include "gui/plot/Axis.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "engine/core/amount_text.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

double nice_step(double span, int target) {
  const double raw = span / std::max(target, 1);
  const double base = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double m : {1.0, 2.0, 5.0}) {
    if (m * base >= raw * 0.999) {
      return m * base;
    }
  }
  return 10 * base;
}

QString tick_label(double value, double step) {
  const double size = std::max(std::abs(value), step);
  if (size >= 1e7 || size < 1e-4) {
    return QString::number(value, 'g', 6);
  }
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 12);
  return QLocale::c().toString(value, 'f', decimals);
}

}  // namespace

ValueScale::ValueScale(double low, double high, bool log)
    : low_(low), high_(high), per_unit_(1 / (log ? std::log(high / low) : high - low)), log_(log) {}

double ValueScale::value(double share) const {
  return log_ ? low_ * std::pow(high_ / low_, share) : low_ + share * (high_ - low_);
}

std::vector<Tick> linear_ticks(double low, double high, int target, bool whole) {
  std::vector<Tick> out;
  if (!(high > low) || !std::isfinite(high - low)) {
    return out;
  }
  double step = nice_step(high - low, target);
  double first = 0, last = 0;
  for (int tries = 0; tries < 4; ++tries) {
    step = whole ? std::max(step, 1.0) : step;
    first = std::ceil(low / step - 1e-9);
    last = std::floor(high / step + 1e-9);
    // A scale with one number is useless: a small plot gets a finer step than requested.
    if (last - first >= 1 || (whole && step <= 1)) {
      break;
    }
    step = nice_step(step * 0.4, 1);
  }
  for (double k = first; k <= last && out.size() < 200; ++k) {
    const double value = k == 0 ? 0.0 : k * step;
    out.push_back({value, whole && step >= 1 && std::abs(value) < 1e7
                              ? QLocale::c().toString(static_cast<qlonglong>(std::llround(value)))
                              : tick_label(value, step)});
  }
  return out;
}

std::vector<Tick> log_ticks(double low, double high, int target) {
  std::vector<Tick> out;
  if (!(low > 0) || !(high > low)) {
    return out;
  }
  const double decades = std::log10(high / low);
  if (decades < 0.7) {
    return linear_ticks(low, high, target);
  }
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::ceil(std::log10(high)));
  const int every = std::max(1, static_cast<int>(std::ceil(decades / std::max(target, 1))));
  for (int e = first; e <= last; ++e) {
    for (int m = 1; m <= 9; ++m) {
      const double value = m * std::pow(10.0, e);
      if (value < low * 0.9999 || value > high * 1.0001) {
        continue;
      }
      const bool major = (m == 1 && e % every == 0) || (decades < 2.2 && (m == 2 || m == 5));
      if (major || every == 1) {
        out.push_back({value, major ? tick_label(value, std::pow(10.0, e)) : QString()});
      }
    }
  }
  return out;
}

std::vector<Tick> time_ticks(double low, double high, int target) {
  static constexpr double kSteps[] = {1,   2,   5,    10,   15,   30,    60,    120,   300,
                                      600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400};
  std::vector<Tick> out;
  if (!(high > low) || !std::isfinite(high - low)) {
    return out;
  }
  const double raw = (high - low) / std::max(target, 1);
  const auto* step = std::lower_bound(std::begin(kSteps), std::end(kSteps), raw * 0.999);
  if (raw < 1 || step == std::end(kSteps)) {
    // Below a second, or beyond a day: round numbers of these.
    const double unit = raw < 1 ? 1 : 86400;
    for (Tick& tick : linear_ticks(low / unit, high / unit, target)) {
      out.push_back({tick.value * unit,
                     raw < 1 ? QCoreApplication::translate("Format", "%1 s").arg(tick.label)
                             : format_duration(tick.value * unit)});
    }
    return out;
  }
  for (double k = std::ceil(low / *step - 1e-9); k * *step <= high && out.size() < 200; ++k) {
    out.push_back({k * *step, format_duration(k * *step)});
  }
  return out;
}

QString format_number(double value, int digits) {
  if (std::isnan(value)) {
    return QStringLiteral("NaN");
  }
  if (std::isinf(value)) {
    return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
  }
  if (value == std::floor(value) && std::abs(value) < 1e9) {
    return QLocale::c().toString(static_cast<qlonglong>(value));
  }
  return QString::number(value, 'g', digits);
}

QString format_duration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) {
    return QStringLiteral("–");
  }
  const auto total = static_cast<long long>(std::llround(seconds));
  if (total >= 2 * 86400) {
    return QCoreApplication::translate("Format", "%1 d %2 h")
        .arg(total / 86400)
        .arg(total % 86400 / 3600);
  }
  return to_qstring(duration_text(seconds));
}

}  // namespace mantissa::gui
