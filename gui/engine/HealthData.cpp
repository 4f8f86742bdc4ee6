#include "gui/engine/HealthData.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

QString said(const char* text) {
  return QCoreApplication::translate("Health", text);
}

/// A stored weight has its tensor's name; the map groups it with its module.
std::string layer_of(const HealthRow& row) {
  constexpr std::string_view kSuffix = ".weight";
  return row.kind == HealthKind::weight && row.layer.ends_with(kSuffix)
             ? row.layer.substr(0, row.layer.size() - kSuffix.size())
             : row.layer;
}

// Of measure_badness.
constexpr double kDecades = 4, kEnoughHeadroom = 8, kEnoughDb = 60;

}  // namespace

QString measure_name(HealthMeasure measure) {
  switch (measure) {
    case HealthMeasure::underflow:
      return said(QT_TRANSLATE_NOOP("Health", "Underflow"));
    case HealthMeasure::overflow:
      return said(QT_TRANSLATE_NOOP("Health", "Overflow"));
    case HealthMeasure::headroom:
      return said(QT_TRANSLATE_NOOP("Health", "Headroom"));
    case HealthMeasure::sqnr:
      return said(QT_TRANSLATE_NOOP("Health", "SQNR"));
  }
  return {};
}

double measure_value(HealthMeasure measure, const HealthRow& row) {
  const TensorStatistics& s = row.statistics;
  switch (measure) {
    case HealthMeasure::underflow:
      return s.share(s.underflow);
    case HealthMeasure::overflow:
      return s.share(s.overflow);
    case HealthMeasure::headroom:
      // A scale that puts the largest value at the format's largest leaves no headroom by design.
      return s.amax != s.scaled_amax ? std::numeric_limits<double>::infinity()
                                     : s.headroom(row.format);
    case HealthMeasure::sqnr:
      return s.sqnr();
  }
  return 0;
}

QString measure_text(HealthMeasure measure, double value) {
  switch (measure) {
    case HealthMeasure::underflow:
    case HealthMeasure::overflow:
      return value == 0       ? percent_text(0.0)
             : value < 0.0001 ? QStringLiteral("< ") + percent_text(0.0001, 2)
                              : rounded_percent(value, 3);
    case HealthMeasure::headroom:
      return std::isfinite(value)
                 ? said(QT_TRANSLATE_NOOP("Health", "%1 doublings")).arg(value, 0, 'f', 1)
                 : said(QT_TRANSLATE_NOOP("Health", "scaled or zero"));
    case HealthMeasure::sqnr:
      return std::isfinite(value) ? QStringLiteral("%1 dB").arg(value, 0, 'f', 1)
                                  : said(QT_TRANSLATE_NOOP("Health", "nothing lost"));
  }
  return {};
}

double measure_badness(HealthMeasure measure, double value) {
  double bad = 0;
  switch (measure) {
    case HealthMeasure::underflow:
    case HealthMeasure::overflow:
      bad = value <= 0 ? 0 : 1 + std::log10(value) / kDecades;
      break;
    case HealthMeasure::headroom:
      bad = 1 - value / kEnoughHeadroom;
      break;
    case HealthMeasure::sqnr:
      bad = 1 - value / kEnoughDb;
      break;
  }
  return std::isnan(bad) ? 1 : std::clamp(bad, 0.0, 1.0);
}

std::vector<double> measure_stops(HealthMeasure measure) {
  switch (measure) {
    case HealthMeasure::underflow:
    case HealthMeasure::overflow:
      return {0.0001, 0.001, 0.01, 0.1, 1};
    case HealthMeasure::headroom:
      return {8, 6, 4, 2, 0};
    case HealthMeasure::sqnr:
      return {60, 45, 30, 15, 0};
  }
  return {};
}

QString health_kind_text(HealthKind kind) {
  switch (kind) {
    case HealthKind::output:
      return said(QT_TRANSLATE_NOOP("Health", "output"));
    case HealthKind::gradient:
      return said(QT_TRANSLATE_NOOP("Health", "gradient"));
    case HealthKind::operand:
      return said(QT_TRANSLATE_NOOP("Health", "8-bit operand"));
    case HealthKind::gradient_operand:
      return said(QT_TRANSLATE_NOOP("Health", "8-bit gradient operand"));
    case HealthKind::weight:
      return said(QT_TRANSLATE_NOOP("Health", "stored weight"));
    case HealthKind::adapter_gradient:
      return said(QT_TRANSLATE_NOOP("Health", "adapter gradient"));
    case HealthKind::magnitude:
      return said(QT_TRANSLATE_NOOP("Health", "DoRA magnitude"));
  }
  return {};
}

void HealthData::clear() {
  records_.clear();
  layers_.clear();
  layer_index_.clear();
  order_.clear();
  ordered_.clear();
  rows_ = 0;
  ++version_;
}

void HealthData::add(HealthRecord added) {
  auto indexed = std::make_shared<Indexed>();
  indexed->record = std::make_shared<const HealthRecord>(std::move(added));
  const HealthRecord& record = *indexed->record;
  while (!records_.empty() && records_.back()->record->step >= record.step) {
    rows_ -= records_.back()->record->rows.size();
    records_.pop_back();
  }
  for (std::size_t i = 0; i < record.rows.size(); ++i) {
    indexed->kinds |= 1U << static_cast<unsigned>(record.rows[i].kind);
    const std::string layer = layer_of(record.rows[i]);
    const auto [it, fresh] = layer_index_.try_emplace(layer, layers_.size());
    if (fresh) {
      layers_.push_back(layer);
    }
    if (it->second >= indexed->by_layer.size()) {
      indexed->by_layer.resize(it->second + 1);
    }
    indexed->by_layer[it->second].push_back(static_cast<std::uint32_t>(i));
    ordered_.resize(layers_.size());
    if (record.step > 0 && !ordered_[it->second]) {
      ordered_[it->second] = true;
      order_.push_back(it->second);
    }
  }
  records_.push_back(std::move(indexed));
  rows_ += record.rows.size();
  while (rows_ > kMaxRows && records_.size() > 2) {
    thin_out();
  }
  ++version_;
}

void HealthData::add_earlier(std::vector<HealthRecord> records) {
  const auto later = std::exchange(records_, {});
  clear();
  for (HealthRecord& record : records) {
    if (later.empty() || record.step < later.front()->record->step) {
      add(std::move(record));
    }
  }
  for (const auto& record : later) {
    add(*record->record);
  }
}

void HealthData::thin_out() {
  std::deque<std::shared_ptr<const Indexed>> kept;
  rows_ = 0;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    // The latest is viewed first.
    if (i % 2 == 0 || i + 1 == records_.size()) {
      kept.push_back(records_[i]);
      rows_ += records_[i]->record->rows.size();
    }
  }
  records_ = std::move(kept);
}

std::vector<std::size_t> HealthData::order() const {
  std::vector<std::size_t> all = order_;
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    if (!ordered_[layer]) {
      all.push_back(layer);
    }
  }
  return all;
}

std::vector<HealthKind> HealthData::kinds() const {
  std::uint32_t found = 0;
  for (const auto& r : records_) {
    found |= r->kinds;
  }
  std::vector<HealthKind> kinds;
  for (int kind = 0; kind <= static_cast<int>(HealthKind::magnitude); ++kind) {
    if ((found >> kind & 1U) != 0) {
      kinds.push_back(static_cast<HealthKind>(kind));
    }
  }
  return kinds;
}

std::vector<const HealthRow*> HealthData::rows(std::size_t record, std::size_t layer) const {
  std::vector<const HealthRow*> out;
  const Indexed& r = *records_[record];
  if (layer < r.by_layer.size()) {
    for (const std::uint32_t i : r.by_layer[layer]) {
      out.push_back(&r.record->rows[i]);
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const HealthRow* a, const HealthRow* b) { return a->kind < b->kind; });
  }
  return out;
}

const HealthRow* HealthData::find(std::size_t record, std::size_t layer,
                                  std::optional<HealthKind> kind, HealthMeasure measure) const {
  const Indexed& r = *records_[record];
  if (layer >= r.by_layer.size()) {
    return nullptr;
  }
  const HealthRow* worst = nullptr;
  double worst_badness = -1;
  for (const std::uint32_t i : r.by_layer[layer]) {
    const HealthRow& row = r.record->rows[i];
    if (kind && row.kind != *kind) {
      continue;
    }
    const double badness =
        row.statistics.non_finite > 0 ? 2 : measure_badness(measure, measure_value(measure, row));
    if (badness > worst_badness) {
      worst = &row;
      worst_badness = badness;
    }
  }
  return worst;
}

}  // namespace mantissa::gui
