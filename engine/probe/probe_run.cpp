#include "engine/probe/probe_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/train/live_health.h"

namespace mantissa {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

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

}  // namespace

/// Accumulated sums for comparing two vectors.
struct ProbeRun::Comparison {
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

ProbeRun::ProbeRun(const JobSpec& job, std::int64_t steps, RunControl& control,
                   RunObserver& observer)
    : steps_(steps), job_(job, control, observer) {
  job_.expect(steps);
  run_reference();
}

void ProbeRun::run_reference() {
  {
    ProbeSide side(job_.source(), in_fp32(preset()));
    for (std::int64_t i = 0; i < steps_; ++i) {
      reference_.push_back(side.step());
      job_.advance();
    }
    order_ = side.paths();
    for (const AdapterTensor& t : side.adapter_tensors()) {
      adapter_modules_.push_back(t.tensor->module_path());
    }
  }
  kernels().release_constants();
}

std::vector<double> ProbeRun::reference_losses() const {
  std::vector<double> losses;
  for (const ProbeStep& step : reference_) {
    losses.push_back(step.loss);
  }
  return losses;
}

double ProbeRun::measure(const Preset& preset, ProbeReport* report) {
  ProbeSide side(job_.source(), preset);
  std::map<std::string, ProbeModule> modules;
  double error = 0, difference = 0, size = 0;
  for (std::int64_t i = 0; i < steps_; ++i) {
    const ProbeStep step = side.step();
    const ProbeStep& wanted = reference_[static_cast<std::size_t>(i)];
    job_.advance();
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
  return error / static_cast<double>(steps_);
}

void ProbeRun::add_modules(const ProbeStep& step, const ProbeStep& wanted,
                           const std::map<std::string, Comparison>& gradients,
                           std::map<std::string, ProbeModule>& modules) const {
  const auto module = [&](const std::string& path) -> ProbeModule& {
    return modules.try_emplace(path, ProbeModule{path, kNan, kNan, kNan, kNan, kNan}).first->second;
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

void ProbeRun::add_weights(ProbeSide& side, std::map<std::string, ProbeModule>& modules) {
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
      weights_[path] = {tensor.dtype, tensor.shape.count()};
    }
  });
}

}  // namespace mantissa
