#include "engine/probe/probe.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "engine/precision/dtypes.h"
#include "engine/precision/pins.h"
#include "engine/preset/preset_io.h"
#include "engine/probe/probe_run.h"

namespace mantissa {
namespace {

constexpr double kHelps = 0.9;    ///< pins must bring the gap below this share of it
constexpr double kNeeded = 0.05;  ///< share of the gain that a pin must bring to be kept

class Probe {
 public:
  Probe(const JobSpec& job, const ProbeOptions& options, RunControl& control, RunObserver& observer)
      : options_(options), steps_(job, options.steps, control, observer) {}

  ProbeReport run() {
    report_.plan = steps_.run().precision.summary();
    report_.steps = options_.steps;
    report_.loss_fp32 = steps_.reference_losses();
    steps_.expect(1);
    report_.gradient_error = steps_.measure(preset(), &report_);
    if (options_.pins > 0 && (report_.gradient_error > kProbeFollows || report_.non_finite)) {
      find_pins();
    }
    offer_pins();
    report_.verdict = probe_verdict(report_, options_.pins > 0);
    return std::move(report_);
  }

 private:
  const Preset& preset() const { return steps_.preset(); }
  const ProbeRun::Weight& weight(const std::string& path) const {
    return steps_.weights().at(path);
  }

  /// Modules that lose the most on their own: more noise in the output than in the input, a
  /// coarsely stored weight; and the one with the largest gradient error.
  std::vector<std::string> candidates() const {
    const std::vector<double> noise = own_noise(report_);
    std::vector<std::pair<double, std::string>> ranked;
    std::string worst_gradient;
    double worst = 0;
    for (std::size_t i = 0; i < report_.modules.size(); ++i) {
      const ProbeModule& m = report_.modules[i];
      if (can_pin(m.path)) {
        ranked.emplace_back(noise[i], m.path);
        if (m.gradient_error > worst) {
          worst = m.gradient_error;
          worst_gradient = m.path;
        }
      }
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::string> paths;
    if (report_.non_finite && can_pin(report_.non_finite->layer)) {
      paths.push_back(report_.non_finite->layer);
    }
    const auto add = [&](const std::string& path) {
      if (std::find(paths.begin(), paths.end(), path) == paths.end()) {
        paths.push_back(path);
      }
    };
    for (const auto& [score, path] : ranked) {
      if (paths.size() < static_cast<std::size_t>(options_.pins) && score > 0) {
        add(path);
      }
    }
    if (!worst_gradient.empty()) {
      add(worst_gradient);
    }
    return paths;
  }

  bool can_pin(const std::string& path) const {
    const auto it = steps_.weights().find(path);
    const ModulePrecision p = steps_.run().precision.rules.of(path, ModuleKind::linear);
    return it != steps_.weights().end() &&
           (it->second.dtype != DType::f32 || p.compute != DType::f32 || p.codes);
  }

  Preset pinned(const std::vector<std::pair<std::string, StorageType>>& pins) const {
    Preset preset = this->preset();
    for (const auto& [path, type] : pins) {
      set_pin(preset.precision.pins, path, type);
    }
    return preset;
  }

  /// Tries wider types for the worst modules, first bf16 if they are 8-bit, then fp32; drops pins
  /// that don't help.
  void find_pins() {
    const std::vector<std::string> paths = candidates();
    std::vector<std::pair<std::string, StorageType>> pins;
    double error = std::numeric_limits<double>::infinity();
    const auto enough = [&](double e) { return e < kHelps * report_.gradient_error; };
    const bool narrow = std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
      return is_quantized(weight(path).dtype);
    });
    steps_.expect(paths.size() + 1);
    for (const bool widest : {false, true}) {
      if (paths.empty() || enough(error) || (!widest && !narrow)) {
        continue;
      }
      pins.clear();
      for (const std::string& path : paths) {
        const bool half = !widest && is_quantized(weight(path).dtype);
        pins.emplace_back(path, half ? StorageType::bf16 : StorageType::fp32);
      }
      error = steps_.measure(pinned(pins), nullptr);
    }
    if (!enough(error)) {
      return;
    }
    std::vector<double> without(pins.size(), std::numeric_limits<double>::infinity());
    for (std::size_t i = pins.size(); pins.size() > 1 && i-- > 0;) {
      auto fewer = pins;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      const double e = steps_.measure(pinned(fewer), nullptr);
      if (e - error < kNeeded * (report_.gradient_error - error)) {
        pins = std::move(fewer);
        without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
        error = e;
      } else {
        without[i] = e;
      }
    }
    for (std::size_t i = 0; i < pins.size(); ++i) {
      const ProbeRun::Weight& stored_as = weight(pins[i].first);
      const std::int64_t wide = stored_as.count * (pins[i].second == StorageType::fp32 ? 4 : 2);
      const auto stored = static_cast<std::int64_t>(stored_bytes(stored_as.dtype, stored_as.count));
      report_.pins.push_back({pins[i].first, pins[i].second,
                              std::max<std::int64_t>(wide - stored, 0),
                              pins.size() == 1 ? report_.gradient_error : without[i]});
    }
    report_.pinned_error = error;
    nlohmann::json patch = nlohmann::json::object();
    for (const PresetChange& change : diff_presets(preset(), pinned(pins))) {
      patch[change.key] = change.b;
    }
    report_.fix_json = patch.dump();
  }

  /// The type of a pin for every module that can be in a wider one: as found, else the next one.
  void offer_pins() {
    for (ProbeModule& module : report_.modules) {
      if (can_pin(module.path)) {
        module.pin =
            is_quantized(weight(module.path).dtype) ? StorageType::bf16 : StorageType::fp32;
      }
      for (const ProbePin& found : report_.pins) {
        if (found.path == module.path) {
          module.pin = found.type;
        }
      }
    }
  }

  ProbeOptions options_;
  ProbeRun steps_;
  ProbeReport report_;
};

}  // namespace

ProbeReport run_probe(const JobSpec& job, const ProbeOptions& options, RunControl& control,
                      RunObserver& observer) {
  return Probe(job, options, control, observer).run();
}

}  // namespace mantissa
