#include "engine/store/metrics.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

namespace mantissa {
namespace {

/// Calls use(name, number) for each field of a step but the list of its parts.
template <typename Use>
void each_number(const StepRow& step, Use&& use) {
  each_field(step, [&](const char* name, const auto& value) {
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>) {
      use(name, value);
    }
  });
}

std::vector<std::string> number_names() {
  std::vector<std::string> names;
  each_number({}, [&](const char* name, auto) { names.emplace_back(name); });
  return names;
}

/// "1,0.5,0": truth values as 1 and 0.
void add_numbers(std::string& out, const StepRow& step) {
  const char* between = "";
  each_number(step, [&](const char*, auto value) {
    if constexpr (std::is_same_v<decltype(value), bool>) {
      fmt::format_to(std::back_inserter(out), "{}{:d}", std::exchange(between, ","), value);
    } else {
      fmt::format_to(std::back_inserter(out), "{}{}", std::exchange(between, ","), value);
    }
  });
}

}  // namespace

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
  const std::vector<std::string> names = number_names();
  std::string out = fmt::format("{}", fmt::join(names, ","));
  for (const Part part : parts) {
    fmt::format_to(std::back_inserter(out), ",lr_{0},norm_{0}", part.name());
  }
  out += ",validation_loss\n";
  auto next = validation.begin();
  const auto alone_before = [&](std::int64_t step) {
    for (; next != validation.end() && next->step < step; ++next) {
      out += std::to_string(next->step) + std::string(names.size() - 1 + 2 * parts.size(), ',');
      fmt::format_to(std::back_inserter(out), ",{}\n", next->loss);
    }
  };
  for (const StepRow& s : steps) {
    alone_before(s.step);
    add_numbers(out, s);
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
