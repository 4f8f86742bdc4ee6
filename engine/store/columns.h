#pragma once
// The single order of a step's numbers.
// Private to engine/store.

#include <array>
#include <cstddef>

#include "engine/precision/health.h"

namespace mantissa {

constexpr std::size_t kMetricCount = 7;
/// Column names in the table, in the order of `metric_values`; bit i of nan_mask is column i.
constexpr const char* kMetricColumns =
    "loss, grad_norm, clip_norm, loss_scale, lost_update, update_ratio, seconds";

/// Pointers to the numbers of a row.
template <typename Row>
auto metric_values(Row& r) {
  return std::array{&r.loss,        &r.grad_norm,    &r.clip_norm, &r.loss_scale,
                    &r.lost_update, &r.update_ratio, &r.seconds};
}

constexpr const char* kHealthColumns =
    "layer, kind, format, seconds, count, zeros, non_finite, underflow, subnormal, overflow, amax, "
    "scaled_amax, signal, noise, drift, histogram";

/// The bins from the first to the last nonempty one: its number as one byte, then each count in
/// four, little-endian. Empty if all are.
std::string pack_histogram(const TensorStatistics& statistics);
/// Invalid bytes leave bins at zero.
void unpack_histogram(const std::string& bytes, TensorStatistics& statistics);

}  // namespace mantissa
