#include "engine/store/metrics.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>

namespace mantissa {

std::string metrics_csv(const std::vector<StepRow>& steps,
                        const std::vector<ValidationRow>& validation) {
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
  out += ",validation_loss\n";
  auto next = validation.begin();
  const auto alone_before = [&](std::int64_t step) {
    for (; next != validation.end() && next->step < step; ++next) {
      out += std::to_string(next->step) + std::string(9 + 2 * parts.size(), ',');
      fmt::format_to(std::back_inserter(out), ",{}\n", next->loss);
    }
  };
  for (const StepRow& s : steps) {
    alone_before(s.step);
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{},{},{},{},{}", s.step, s.loss,
                   s.grad_norm, s.clip_norm, s.clipped ? 1 : 0, s.loss_scale, s.skipped ? 1 : 0,
                   s.lost_update, s.update_ratio, s.seconds);
    for (const Part part : parts) {
      const auto own = std::find_if(s.parts.begin(), s.parts.end(),
                                    [&](const PartFigures& p) { return p.part == part; });
      own == s.parts.end() ? out += ",," : out += fmt::format(",{},{}", own->lr, own->norm);
    }
    const bool validated = next != validation.end() && next->step == s.step;
    out += validated ? fmt::format(",{}\n", next++->loss) : ",\n";
  }
  alone_before(std::numeric_limits<std::int64_t>::max());
  return out;
}

const ValidationRow* best_validation(const std::vector<ValidationRow>& validation) {
  const ValidationRow* best = nullptr;
  for (const ValidationRow& v : validation) {
    if (!std::isnan(v.loss) && (best == nullptr || v.loss < best->loss)) {
      best = &v;
    }
  }
  return best;
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
