#pragma once
// What a curve of loss against learning rate says. Private to the probe.

#include <cstdint>
#include <vector>

#include "engine/probe/rate_report.h"

namespace mantissa {

/// Whether the test must end at its last point: its loss is NaN, or the losses of the last
/// twentieth of `steps`, at least three, are together more than one and a half times those of the
/// start. (The factor four of others suits classifiers: most of a pretrained diffusion model's loss
/// is noise that no weights predict, and four times that is never reached.)
bool has_diverged(const std::vector<RatePoint>& points, std::int64_t steps);

/// Smooths the points and draws the conclusions: a tenth of the rate of the lowest loss, where the
/// loss falls by more than its noise and rises after. Fills all but `fix_json`; `diverged` says
/// whether the last point ended the test.
RateTest read_rate_curve(std::vector<RatePoint> points, const RateTestOptions& options,
                         bool diverged);

}  // namespace mantissa
