#include "engine/probe/probe.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "engine/data/batch_source.h"
#include "engine/io/image.h"
#include "engine/io/module_path.h"
#include "engine/plan/backend.h"
#include "engine/plan/job_precision.h"
#include "engine/plan/planned_run.h"
#include "engine/precision/pins.h"
#include "engine/preset/preset_io.h"
#include "engine/probe/probe_report.h"
#include "engine/probe/probe_side.h"
#include "engine/run/plan_events.h"
#include "engine/train/live_health.h"

namespace mantissa {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kHelps = 0.9;    ///< pins must bring the gap below this share of it
constexpr double kNeeded = 0.05;  ///< share of the gain that a pin must bring to be kept

/// Accumulated sums for comparing two vectors.
struct Comparison {
  double dot = 0, a = 0, b = 0, difference = 0;
  void add(const std::vector<float>& x, const std::vector<float>& reference) {
    for (std::size_t i = 0; i < std::min(x.size(), reference.size()); ++i) {
      const double p = x[i], q = reference[i];
      dot += p * q;
      a += p * p;
      b += q * q;
      difference += (p - q) * (p - q);
    }
  }
  void add(const Comparison& o) {
    dot += o.dot;
    a += o.a;
    b += o.b;
    difference += o.difference;
  }
  bool known() const { return b > 0; }
  double error() const { return known() ? std::sqrt(difference / b) : kNan; }
  double cosine() const { return known() ? (a > 0 ? dot / std::sqrt(a * b) : 0) : kNan; }
  double sqnr() const {
    return difference > 0 ? 10 * std::log10(b / difference)
                          : std::numeric_limits<double>::infinity();
  }
};

/// NaN loses against any number.
double worse_low(double a, double b) {
  return std::isnan(a) || b < a ? b : a;
}
double worse_high(double a, double b) {
  return std::isnan(a) || b > a ? b : a;
}

/// `preset` with everything in FP32.
Preset in_fp32(Preset preset) {
  preset.precision = {};
  const auto wide = [](OptimizerType type) { return optimizer_row(type).wide; };
  preset.optimizer.type = wide(preset.optimizer.type);
  for (OptimizerGroup& group : preset.optimizer.groups) {
    if (group.type) {
      group.type = wide(*group.type);
    }
  }
  return preset;
}

class Probe {
 public:
  Probe(const JobSpec& job, const ProbeOptions& options, RunControl& control, RunObserver& observer)
      : options_(options),
        control_(control),
        observer_(observer),
        told_(observer),
        run_(open_run(job)) {
    refuse_conflicts(run_.precision);
    kernels_ = make_backend(job.device);
    run_.job.preset.data.cache = CacheMode::none;
    run_.job.preset.data.shuffle_captions = false;  // their order is irrelevant to precision
    read_data();
    shared_.emplace(ProbeSource{*kernels_, run_.source, *run_.objective, run_.text,
                                [this](std::int64_t micro_step) { return inputs(micro_step); },
                                run_length(run_).steps, run_.training_adapters});
    total_ = 2 * options.steps;
  }

  ProbeReport run() {
    report_.plan = run_.precision.summary();
    report_.steps = options_.steps;
    {
      ProbeSide side(*shared_, in_fp32(preset()));
      for (std::int64_t i = 0; i < options_.steps; ++i) {
        reference_.push_back(side.step());
        report_.loss_fp32.push_back(reference_.back().loss);
        advance();
      }
      order_ = side.paths();
      for (const AdapterTensor& t : side.adapter_tensors()) {
        adapter_modules_.push_back(t.tensor->module_path());
      }
    }
    kernels_->release_constants();
    report_.gradient_error = measure(preset(), &report_);
    if (options_.pins > 0 && (report_.gradient_error > kProbeFollows || report_.non_finite)) {
      find_pins();
    }
    offer_pins();
    report_.verdict = probe_verdict(report_, options_.pins > 0);
    return std::move(report_);
  }

 private:
  void advance() {
    ++done_;
    observer_.on_progress(RunPhase::probing, done_, std::max(total_, done_));
    if (control_.stop_requested() != RunControl::Stop::none) {
      throw Error(ErrorKind::interrupted, message<"stopped while probing; nothing was changed">());
    }
  }

  const Preset& preset() const { return run_.job.preset; }

  void read_data() {
    scan_images(run_, told_);
    if (!run_.data) {
      return;
    }
    const auto encoder =
        DiffusionModel::open(*kernels_, run_.source, nullptr, run_.precision.rules);
    encoder->set_text_options(run_.text);
    run_.data->encode(*kernels_, *encoder, told_.progress());
    kernels_->release_constants();
    batches_.emplace(*run_.data, run_.objective, *kernels_);
  }

  StepInputs inputs(std::int64_t micro_step) {
    return run_.replay ? run_.replay->inputs(micro_step, trains_text(preset()))
                       : batches_->inputs(micro_step);
  }

  /// Runs the steps with `preset`; returns the mean error of the gradients, infinite on failure.
  /// Fills `report` if given.
  double measure(const Preset& preset, ProbeReport* report) {
    ProbeSide side(*shared_, preset);
    std::map<std::string, ProbeModule> modules;
    double error = 0, difference = 0, size = 0;
    for (std::int64_t i = 0; i < options_.steps; ++i) {
      const ProbeStep step = side.step();
      const ProbeStep& wanted = reference_[static_cast<std::size_t>(i)];
      advance();
      std::map<std::string, Comparison> by_module;
      Comparison all;
      for (std::size_t t = 0; t < wanted.gradients.size(); ++t) {
        Comparison c;
        c.add(step.gradients[t], wanted.gradients[t]);
        by_module[adapter_modules_[t]].add(c);
        all.add(c);
      }
      error += all.known() ? all.error() : 0;
      difference += std::fabs(step.loss - wanted.loss);
      size += std::fabs(wanted.loss);
      const bool broken = step.skipped || !std::isfinite(step.loss);
      if (report != nullptr) {
        report->loss.push_back(step.loss);
        report->gradient_cosine = std::min(report->gradient_cosine, all.cosine());
        report->lost_update = std::max(report->lost_update, step.lost_update);
        add_modules(step, wanted, by_module, modules);
        if (broken) {
          report->non_finite = side.find_non_finite(i);
        }
      }
      if (broken) {
        error = std::numeric_limits<double>::infinity();
        break;
      }
    }
    if (report != nullptr) {
      report->loss_gap = size > 0 ? difference / size : 0;
      add_weights(side, modules);
      for (const std::string& path : order_) {
        if (const auto it = modules.find(path); it != modules.end()) {
          report->modules.push_back(it->second);
        }
      }
    }
    return error / static_cast<double>(options_.steps);
  }

  void add_modules(const ProbeStep& step, const ProbeStep& wanted,
                   const std::map<std::string, Comparison>& gradients,
                   std::map<std::string, ProbeModule>& modules) const {
    const auto module = [&](const std::string& path) -> ProbeModule& {
      return modules.try_emplace(path, ProbeModule{path, kNan, kNan, kNan, kNan, kNan})
          .first->second;
    };
    for (const auto& [path, values] : wanted.outputs) {
      if (const auto it = step.outputs.find(path); it != step.outputs.end()) {
        Comparison c;
        c.add(it->second, values);
        ProbeModule& m = module(path);
        m.output_sqnr = c.known() ? worse_low(m.output_sqnr, c.sqnr()) : m.output_sqnr;
      }
    }
    for (const auto& [path, c] : gradients) {
      if (c.known()) {
        ProbeModule& m = module(path);
        m.gradient_cosine = worse_low(m.gradient_cosine, c.cosine());
        m.gradient_error = worse_high(m.gradient_error, c.error());
      }
    }
    for (std::size_t t = 0; t < step.lost.size(); ++t) {
      ProbeModule& m = module(adapter_modules_[t]);
      m.lost_update = worse_high(m.lost_update, step.lost[t]);
    }
  }

  /// SQNR of the stored weights, and the possible pins of modules.
  void add_weights(ProbeSide& side, std::map<std::string, ProbeModule>& modules) {
    const std::string suffix = ".weight";
    for (const HealthRow& row : LiveHealth(side.adapters(), 1).weights(side.model()).rows) {
      if (row.layer.ends_with(suffix)) {
        const auto it = modules.find(row.layer.substr(0, row.layer.size() - suffix.size()));
        if (it != modules.end()) {
          it->second.weight_sqnr = row.statistics.sqnr();
        }
      }
    }
    side.model().weights().each([&](Part, std::string_view name, const Tensor& tensor, bool) {
      if (tensor.shape.rank() >= 2 && name.ends_with(suffix)) {
        const std::string path = tensor.name.substr(0, tensor.name.size() - suffix.size());
        sizes_[path] = {tensor.dtype, tensor.shape.count()};
      }
    });
  }

  struct Weight {
    DType dtype = DType::f32;
    std::int64_t count = 0;
  };

  /// Modules that lose the most on their own: more noise in the output than in the input, a
  /// coarsely stored weight; and the one with the largest gradient error.
  std::vector<std::string> candidates() const {
    const auto noise = [](double sqnr) { return std::isnan(sqnr) ? 0 : std::pow(10, -sqnr / 10); };
    std::vector<std::pair<double, std::string>> ranked;
    std::string worst_gradient;
    double worst = 0, before = 0;
    for (const ProbeModule& m : report_.modules) {
      const double now = std::isnan(m.output_sqnr) ? before : noise(m.output_sqnr);
      if (can_pin(m.path)) {
        ranked.emplace_back(std::max(now - before, 0.0) + noise(m.weight_sqnr), m.path);
        if (m.gradient_error > worst) {
          worst = m.gradient_error;
          worst_gradient = m.path;
        }
      }
      before = now;
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
    const auto it = sizes_.find(path);
    const ModulePrecision p = run_.precision.rules.of(path, ModuleKind::linear);
    return it != sizes_.end() &&
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
      return is_quantized(sizes_.at(path).dtype);
    });
    total_ += options_.steps * static_cast<std::int64_t>(paths.size() + 1);
    for (const bool widest : {false, true}) {
      if (paths.empty() || enough(error) || (!widest && !narrow)) {
        continue;
      }
      pins.clear();
      for (const std::string& path : paths) {
        const bool half = !widest && is_quantized(sizes_.at(path).dtype);
        pins.emplace_back(path, half ? StorageType::bf16 : StorageType::fp32);
      }
      error = measure(pinned(pins), nullptr);
    }
    if (!enough(error)) {
      return;
    }
    std::vector<double> without(pins.size(), std::numeric_limits<double>::infinity());
    for (std::size_t i = pins.size(); pins.size() > 1 && i-- > 0;) {
      auto fewer = pins;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      const double e = measure(pinned(fewer), nullptr);
      if (e - error < kNeeded * (report_.gradient_error - error)) {
        pins = std::move(fewer);
        without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
        error = e;
      } else {
        without[i] = e;
      }
    }
    for (std::size_t i = 0; i < pins.size(); ++i) {
      const Weight& weight = sizes_.at(pins[i].first);
      const std::int64_t wide = weight.count * (pins[i].second == StorageType::fp32 ? 4 : 2);
      const auto stored = static_cast<std::int64_t>(stored_bytes(weight.dtype, weight.count));
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
            is_quantized(sizes_.at(module.path).dtype) ? StorageType::bf16 : StorageType::fp32;
      }
      for (const ProbePin& found : report_.pins) {
        if (found.path == module.path) {
          module.pin = found.type;
        }
      }
    }
  }

  ProbeOptions options_;
  RunControl& control_;
  RunObserver& observer_;
  PlanEvents told_;
  const ImageLibrary images_;
  std::unique_ptr<Kernels> kernels_;
  PlannedRun run_;
  std::optional<BatchSource> batches_;
  std::optional<ProbeSource> shared_;
  std::vector<ProbeStep> reference_;
  std::vector<std::string> order_, adapter_modules_;
  std::map<std::string, Weight> sizes_;  ///< weights in the plan, by module
  ProbeReport report_;
  std::int64_t done_ = 0, total_ = 0;
};

}  // namespace

ProbeReport run_probe(const JobSpec& job, const ProbeOptions& options, RunControl& control,
                      RunObserver& observer) {
  if (!job.split.empty()) {
    throw Error(message<"a probe runs on one device: give --device in place of --split-cards">());
  }
  return Probe(job, options, control, observer).run();
}

}  // namespace mantissa
