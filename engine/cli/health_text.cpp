#include "engine/cli/health_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <string_view>

#include "engine/cli/health_figures.h"
#include "engine/cli/text.h"
#include "engine/core/printable.h"

namespace mantissa {
namespace {

constexpr std::size_t kShownLayers = 5;
constexpr double kNotable = 0.01;  ///< of health_badness

std::string percent(double share) {
  return share == 0 ? "0" : share < 0.0001 ? "<0.01%" : fmt::format("{:.2f}%", 100 * share);
}

std::string finite_text(double value, const char* unit) {
  return std::isfinite(value) ? fmt::format("{:.1f}{}", value, unit) : "-";
}

std::string cell_text(std::string_view name) {
  return printable(std::string(name));
}
template <typename Number>
Number cell_text(Number number) {
  return number;
}

void print_record(std::ostream& out, const HealthRecord& record) {
  std::vector<const HealthRow*> worst;
  for (const HealthRow& row : record.rows) {
    if (health_badness(row) >= kNotable) {
      worst.push_back(&row);
    }
  }
  std::stable_sort(worst.begin(), worst.end(), [](const HealthRow* a, const HealthRow* b) {
    return health_badness(*a) > health_badness(*b);
  });
  const std::string what =
      record.step == 0 ? "of the stored weights" : fmt::format("at step {}", record.step);
  out << fmt::format(
      "\nLayer statistics {}: {} tensors, {} of them notable (measured in {:.1f} ms)\n", what,
      record.rows.size(), worst.size(), 1e3 * record.seconds);
  if (worst.empty()) {
    return;
  }
  Table table({"  Layer", "Tensor", "Format", "Underflow", "Subnormal", "Overflow", "Headroom",
               "SQNR", "Non-finite"});
  for (std::size_t i = 0; i < std::min(worst.size(), kShownLayers); ++i) {
    const HealthRow& r = *worst[i];
    const TensorStatistics& s = r.statistics;
    table.add({"  " + printable(r.layer), std::string(health_kind_name(r.kind)),
               std::string(dtype_name(r.format)), percent(s.share(s.underflow)),
               percent(s.share(s.subnormal)), percent(s.share(s.overflow)),
               finite_text(s.headroom(r.format), ""), finite_text(s.sqnr(), " dB"),
               std::to_string(s.non_finite)});
  }
  table.print(out);
}

}  // namespace

void print_health_summary(std::ostream& out, const std::vector<HealthRecord>& records) {
  if (!records.empty() && records.front().step == 0) {
    print_record(out, records.front());
  }
  if (!records.empty() && records.back().step > 0) {
    print_record(out, records.back());
  }
}

void print_health_csv(std::ostream& out, const std::vector<HealthRecord>& records) {
  out << "step";
  const HealthFigures names{};
  each_field(names, [&](const char* name, const auto&) { out << ',' << name; });
  for (int i = 0; i < TensorStatistics::kBins; ++i) {
    out << ",e" << TensorStatistics::kFirstExponent + i;
  }
  out << '\n';
  for (const HealthRecord& record : records) {
    for (const HealthRow& row : record.rows) {
      out << record.step;
      const HealthFigures figures = health_figures(row);
      each_field(figures, [&](const char*, const auto& figure) {
        out << fmt::format(",{}", cell_text(figure));
      });
      out << fmt::format(",{}\n", fmt::join(row.statistics.histogram, ","));
    }
  }
  out << std::flush;
}

}  // namespace mantissa
