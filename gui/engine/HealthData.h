#pragma once

#include <QString>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/precision/health.h"

namespace mantissa::gui {

/// The measures of the heat map.
enum class HealthMeasure { underflow, overflow, headroom, sqnr };
constexpr HealthMeasure kHealthMeasures[] = {HealthMeasure::underflow, HealthMeasure::overflow,
                                             HealthMeasure::headroom, HealthMeasure::sqnr};

QString measure_name(HealthMeasure measure);
/// Shares as 0 to 1, headroom in doublings, SQNR in dB.
double measure_value(HealthMeasure measure, const HealthRow& row);
QString measure_text(HealthMeasure measure, double value);
/// From 0 (healthy) to 1 (worst): the basis of the colours. Shares run over four decades, headroom
/// from 8 doublings to none, SQNR from 60 dB to 0.
double measure_badness(HealthMeasure measure, double value);
/// Values labelled in the legend, from healthy to bad.
std::vector<double> measure_stops(HealthMeasure measure);
/// "output", "gradient", "8-bit operand", …
QString health_kind_text(HealthKind kind);

/// The health records of one run, by step. It holds at most kMaxRows tensors: beyond that every
/// second record is dropped, so that the whole run stays covered.
class HealthData {
 public:
  void clear();
  /// A record at or before the last step rewinds the run to it.
  void add(HealthRecord record);
  /// Records read after newer ones arrived; of those, the ones that are here already are kept.
  void add_earlier(std::vector<HealthRecord> records);

  std::size_t size() const { return records_.size(); }
  const HealthRecord& record(std::size_t i) const { return *records_[i]->record; }
  std::uint64_t version() const { return version_; }
  /// Layers in order of first appearance in a step, then those with only a stored weight.
  std::vector<std::size_t> order() const;
  /// Module paths (tensor names for adapters).
  const std::vector<std::string>& layers() const { return layers_; }
  /// Kinds that occur, in the order of HealthKind.
  std::vector<HealthKind> kinds() const;
  /// The tensors of a layer in a record, by kind.
  std::vector<const HealthRow*> rows(std::size_t record, std::size_t layer) const;
  /// The tensor of that kind; without a kind, the worst by `measure`. Null if there is none.
  const HealthRow* find(std::size_t record, std::size_t layer, std::optional<HealthKind> kind,
                        HealthMeasure measure) const;

  static constexpr std::size_t kMaxRows = 100'000;

 private:
  struct Indexed {
    std::shared_ptr<const HealthRecord> record;
    std::uint32_t kinds = 0;                           ///< a bit for each HealthKind in it
    std::vector<std::vector<std::uint32_t>> by_layer;  ///< rows, by index into layers()
  };
  void thin_out();

  std::deque<std::shared_ptr<const Indexed>> records_;
  std::vector<std::string> layers_;
  std::unordered_map<std::string, std::size_t> layer_index_;
  std::vector<std::size_t> order_;  ///< of the layers seen in steps
  std::vector<bool> ordered_;
  std::size_t rows_ = 0;
  std::uint64_t version_ = 0;
};

}  // namespace mantissa::gui
