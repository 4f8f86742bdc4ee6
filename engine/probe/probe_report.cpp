#include "engine/probe/probe_report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "engine/core/percent.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

constexpr double kEqual = 1e-6;  ///< smaller gaps count as none
constexpr double kFar = 0.3;     ///< larger gaps mean a different training

Message gap_text(const ProbeReport& report) {
  const double gap = report.gradient_error;
  if (report.non_finite) {
    return message<"The plan ({plan}) breaks at step {step}: {found}">(
        report.plan, report.non_finite->step, report.non_finite->text());
  }
  if (!std::isfinite(gap)) {
    return message<"The plan ({plan}) breaks: its gradients are not finite.">(report.plan);
  }
  if (gap < kEqual) {
    return message<"No gap: the plan ({plan}) trains as FP32 does.">(report.plan);
  }
  const Message how = gap < kProbeFollows ? message<"follows FP32">()
                      : gap < kFar        ? message<"follows FP32 roughly">()
                                          : message<"does not follow FP32">();
  return message<
      "The plan ({plan}) {how}: its gradients are {gap} off, worst cosine {cosine}; "
      "its loss is {loss} off.">(report.plan, how, percent_text(gap),
                                 fmt::format("{:.4f}", report.gradient_cosine),
                                 percent_text(report.loss_gap));
}

}  // namespace

Message probe_verdict(const ProbeReport& report, bool tried_pins) {
  std::vector<Message> sentences{gap_text(report)};
  for (const ProbePin& pin : report.pins) {
    sentences.push_back(message<"It loses {module}: pin it to {type} (+{size} MB).">(
        pin.path, enum_name(pin.type),
        fmt::format("{:.1f}", static_cast<double>(pin.bytes) / 1e6)));
  }
  const std::string left = percent_text(report.pinned_error);
  if (report.pins.size() == 1) {
    sentences.push_back(message<"With that pin the gap is {gap}.">(left));
  } else if (!report.pins.empty()) {
    sentences.push_back(message<"With these pins the gap is {gap}.">(left));
  } else if (report.gradient_error >= kProbeFollows && tried_pins) {
    sentences.push_back(
        message<"No few modules cause it: a pin won't help, a wider type for all would.">());
  }
  return joined<" ">(std::move(sentences));
}

std::vector<const ProbeModule*> ranked_by_damage(const ProbeReport& report) {
  std::vector<const ProbeModule*> ranked;
  for (const ProbeModule& module : report.modules) {
    if (!std::isnan(module.gradient_error)) {
      ranked.push_back(&module);
    }
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const ProbeModule* a, const ProbeModule* b) {
    return a->gradient_error > b->gradient_error;
  });
  return ranked;
}

std::vector<double> own_noise(const ProbeReport& report) {
  const auto noise = [](double sqnr) { return std::isnan(sqnr) ? 0 : std::pow(10, -sqnr / 10); };
  std::vector<double> all;
  double before = 0;
  for (const ProbeModule& module : report.modules) {
    const double now = std::isnan(module.output_sqnr) ? before : noise(module.output_sqnr);
    all.push_back(std::max(now - before, 0.0) + noise(module.weight_sqnr));
    before = now;
  }
  return all;
}

}  // namespace mantissa
