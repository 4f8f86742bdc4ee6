#include "engine/probe/precision_front.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "engine/core/error.h"
#include "engine/io/module_path.h"
#include "engine/plan/fit_weights.h"
#include "engine/plan/job_precision.h"
#include "engine/plan/plan_run.h"
#include "engine/precision/dtypes.h"
#include "engine/precision/pins.h"
#include "engine/preset/preset_io.h"
#include "engine/probe/probe_run.h"

namespace mantissa {
namespace {

constexpr std::uint64_t kLimits = 5;                    ///< memory limits, evenly spread
constexpr std::array<double, 2> kWidened = {0.5, 0.9};  ///< shares of the noise taken away
constexpr std::size_t kEightBit = 1 + kWidened.size();  ///< candidates of such a computation
constexpr std::array kCodes = {ComputeType::int8, ComputeType::fp8};

StorageType wide_storage(ComputeType compute) {
  return compute == ComputeType::fp16   ? StorageType::fp16
         : compute == ComputeType::bf16 ? StorageType::bf16
                                        : StorageType::fp32;
}

std::map<std::string, std::int64_t> stored_layers(const PlannedRun& run) {
  std::map<std::string, std::int64_t> layers;
  for (const PlannedModule& module : planned_modules(run.source, run.precision.rules)) {
    const bool layer = module.kind == "linear" || module.kind == "conv";
    if (layer && split_path(module.path).part == kDenoiser) {
      ++layers[module.storage];
    }
  }
  return layers;
}

class Solver {
 public:
  Solver(const JobSpec& job, std::int64_t steps, RunControl& control, RunObserver& observer)
      : probe_(job, steps, control, observer) {
    const ComputeType given = preset().precision.compute;
    if (given != ComputeType::bf16 && !multiplied_codes(given)) {
      wide_.insert(wide_.begin(), given);
    }
  }

  PrecisionFront solve() {
    probe_.expect(1 + wide_.size() * (kLimits + 1) + kCodes.size() * kEightBit);
    front_.now = *measured(preset(), nullptr);
    all_.push_back(front_.now);
    tried_.insert(to_json(preset()));
    for (const ComputeType compute : wide_) {
      try_stored(compute);
    }
    for (const ComputeType compute : kCodes) {
      try_codes(compute);
    }
    front_.tried = static_cast<std::int64_t>(all_.size());
    front_.points = pareto_front(std::move(all_));
    return std::move(front_);
  }

 private:
  const Preset& preset() const { return probe_.preset(); }

  Preset computed_in(ComputeType compute) const {
    Preset preset = this->preset();
    preset.precision.compute = compute;
    return preset;
  }

  /// A preset's plan and error; none if the plan is refused.
  std::optional<PrecisionPoint> measured(const Preset& preset, ProbeReport* report) {
    const PlannedRun run = planned_with(probe_.run(), probe_.kernels(), preset);
    const Preset& effective = run.job.preset;
    try {
      refuse_conflicts(run.precision);
    } catch (const Error& e) {
      add_refused({preset.precision.compute, preset.precision.weights.denoiser, e.message()});
      return std::nullopt;
    }
    PrecisionPoint point;
    point.compute = effective.precision.compute;
    point.layers = stored_layers(run);
    point.peak_bytes = run.report.peak_bytes;
    point.step_seconds = estimated_step(run, probe_.kernels());
    point.gradient_error = probe_.measure(effective, report);
    nlohmann::json patch = nlohmann::json::object();
    for (const PresetChange& change : diff_presets(this->preset(), preset)) {
      patch[change.key] = change.b;
    }
    point.patch_json = patch.dump();
    return point;
  }

  void add_refused(RefusedChoice choice) {
    const auto alike = [&](const RefusedChoice& other) {
      return other.compute == choice.compute && other.weights == choice.weights &&
             other.reason == choice.reason;
    };
    if (std::ranges::none_of(front_.refused, alike)) {
      front_.refused.push_back(std::move(choice));
    }
  }

  /// Adds a candidate, unless its like was one. False if it is refused.
  bool add(const Preset& preset, ProbeReport* report = nullptr) {
    const bool known = !tried_.insert(to_json(preset)).second;
    if (known && report == nullptr) {
      return true;
    }
    const std::optional<PrecisionPoint> point = measured(preset, report);
    if (point && !known) {
      all_.push_back(*point);
    }
    return point.has_value();
  }

  /// Weights in few bits, computed in a wide type.
  void try_stored(ComputeType compute) {
    const Preset wide = computed_in(compute);
    const auto stored_in = [&](StorageType type) {
      Preset preset = wide;
      preset.precision.weights.denoiser = type;
      return preset;
    };
    const PlannedRun run = planned_with(probe_.run(), probe_.kernels(), wide);
    const PeakFunction peak = [&](const Preset& preset) {
      return peak_with(probe_.run(), probe_.kernels(), preset);
    };
    const std::uint64_t least = peak(stored_in(StorageType::nf4));
    const std::uint64_t most =
        std::max(least, peak(stored_in(wide_storage(wide.precision.compute))));
    std::vector<std::uint64_t> limits;
    for (std::uint64_t i = 0; i < kLimits; ++i) {
      limits.push_back(least + (most - least) / (kLimits - 1) * i);
    }
    limits.back() = most;
    for (const WeightFit& fit : fit_weights(run, probe_.kernels(), limits, peak)) {
      Preset preset = run.job.preset;
      apply_patch(preset, nlohmann::json::parse(fit.patch_json));
      add(preset);
    }
    add(stored_in(StorageType::int8));
  }

  /// Products of codes, the noisiest layers in a wide type.
  void try_codes(ComputeType compute) {
    const Preset codes = computed_in(compute);
    ProbeReport report;
    if (!add(codes, &report)) {
      return;
    }
    const std::vector<std::pair<double, std::string>> ranked = noisiest(report);
    double whole = 0;
    for (const auto& [noise, path] : ranked) {
      whole += noise;
    }
    for (const double share : kWidened) {
      Preset pinned = codes;
      double taken = 0;
      for (const auto& [noise, path] : ranked) {
        if (taken < share * whole) {
          set_pin(pinned.precision.pins, path, StorageType::bf16);
          taken += noise;
        }
      }
      add(pinned);
    }
  }

  /// The layers that multiply codes, by the noise that each adds.
  std::vector<std::pair<double, std::string>> noisiest(const ProbeReport& report) const {
    const std::vector<double> noise = own_noise(report);
    std::vector<std::pair<double, std::string>> ranked;
    for (std::size_t i = 0; i < report.modules.size(); ++i) {
      const auto weight = probe_.weights().find(report.modules[i].path);
      if (weight != probe_.weights().end() && is_quantized(weight->second.dtype)) {
        ranked.emplace_back(noise[i], report.modules[i].path);
      }
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    return ranked;
  }

  ProbeRun probe_;
  std::vector<ComputeType> wide_{ComputeType::bf16};
  PrecisionFront front_;
  std::vector<PrecisionPoint> all_;
  std::set<std::string> tried_;
};

/// Whether `a` is at least as good as `b` in all, and better in one.
bool beats(const PrecisionPoint& a, const PrecisionPoint& b) {
  const bool no_worse = a.peak_bytes <= b.peak_bytes && a.step_seconds <= b.step_seconds &&
                        a.gradient_error <= b.gradient_error;
  return no_worse && (a.peak_bytes < b.peak_bytes || a.step_seconds < b.step_seconds ||
                      a.gradient_error < b.gradient_error);
}

}  // namespace

std::vector<PrecisionPoint> pareto_front(std::vector<PrecisionPoint> points) {
  std::vector<PrecisionPoint> front;
  for (const PrecisionPoint& point : points) {
    const bool beaten =
        !std::isfinite(point.gradient_error) ||
        std::ranges::any_of(points, [&](const auto& other) { return beats(other, point); });
    const bool again = std::ranges::any_of(front, [&](const PrecisionPoint& other) {
      return other.peak_bytes == point.peak_bytes && other.step_seconds == point.step_seconds &&
             other.gradient_error == point.gradient_error;
    });
    if (!beaten && !again) {
      front.push_back(point);
    }
  }
  std::ranges::stable_sort(front, {}, &PrecisionPoint::peak_bytes);
  return front;
}

const PrecisionPoint* best_within(const PrecisionFront& front, const PrecisionLimits& limits) {
  const PrecisionPoint* best = nullptr;
  for (const PrecisionPoint& point : front.points) {
    if (point.peak_bytes <= limits.bytes && point.step_seconds <= limits.step_seconds &&
        (best == nullptr || point.gradient_error < best->gradient_error)) {
      best = &point;
    }
  }
  return best;
}

PrecisionFront solve_precision(const JobSpec& job, std::int64_t steps, RunControl& control,
                               RunObserver& observer) {
  return Solver(job, steps, control, observer).solve();
}

}  // namespace mantissa
