#include "engine/store/metrics.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace mantissa {

std::string metrics_csv(const std::vector<StepRow>& steps) {
  std::vector<Part> parts;  // that any step trained
  for (const StepRow& s : steps) {
    for (const PartFigures& p : s.parts) {
      if (std::find(parts.begin(), parts.end(), p.part) == parts.end()) {
        parts.push_back(p.part);
      }
    }
  }
  std::string out =
      "step,loss,grad_norm,clip_norm,clipped,loss_scale,skipped,lost_update,update_ratio,seconds";
  for (const Part part : parts) {
    fmt::format_to(std::back_inserter(out), ",lr_{0},norm_{0}", part.name());
  }
  out += '\n';
  for (const StepRow& s : steps) {
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{},{},{},{},{}", s.step, s.loss,
                   s.grad_norm, s.clip_norm, s.clipped ? 1 : 0, s.loss_scale, s.skipped ? 1 : 0,
                   s.lost_update, s.update_ratio, s.seconds);
    for (const Part part : parts) {
      const auto own = std::find_if(s.parts.begin(), s.parts.end(),
                                    [&](const PartFigures& p) { return p.part == part; });
      own == s.parts.end() ? out += ",," : out += fmt::format(",{},{}", own->lr, own->norm);
    }
    out += '\n';
  }
  return out;
}

double largest_rate(const StepRow& step) {
  double rate = 0;
  for (const PartFigures& p : step.parts) {
    rate = std::max(rate, p.lr);
  }
  return rate;
}

StepFigures step_figures(const std::vector<StepRow>& steps) {
  StepFigures figures{std::nan(""), std::nan("")};
  const std::size_t tail = std::max<std::size_t>(steps.size() / 10, 1);
  double loss = 0, seconds = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    figures.clipped += steps[i].clipped ? 1 : 0;
    figures.skipped += steps[i].skipped ? 1 : 0;
    seconds += steps[i].seconds;
    loss += i + tail >= steps.size() ? steps[i].loss : 0;
  }
  if (!steps.empty()) {
    figures.last_tenth = loss / static_cast<double>(tail);
    figures.seconds = seconds / static_cast<double>(steps.size());
  }
  return figures;
}

}  // namespace mantissa
