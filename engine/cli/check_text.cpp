#include "engine/cli/check_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/cli/style.h"
#include "engine/cli/text.h"
#include "engine/core/printable.h"
#include "engine/precision/catalogue.h"
#include "engine/preset/schema.h"

namespace mantissa {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at == object.end() ? "" : at->is_string() ? at->get<std::string>() : at->dump();
}

/// "linear, conv": kinds of a part that are treated the same share a row.
void add_modules(Table& table, const Json& modules) {
  std::vector<std::vector<std::string>> rows;
  for (const Json& m : modules) {
    const std::string part = text_of(m, "part");
    const std::vector<std::string> types{text_of(m, "storage"), text_of(m, "compute"),
                                         text_of(m, "accumulation")};
    const auto same = std::find_if(rows.begin(), rows.end(), [&](const auto& row) {
      return row[0] == part && std::equal(types.begin(), types.end(), row.begin() + 2);
    });
    if (same == rows.end()) {
      rows.push_back({part, text_of(m, "kind"), types[0], types[1], types[2]});
    } else {
      (*same)[1] += ", " + text_of(m, "kind");
    }
  }
  std::string before;
  for (auto& row : rows) {
    const std::string part = row[0];
    const auto of_part = [&](const auto& other) { return other[0] == part; };
    if (part != before && std::count_if(rows.begin(), rows.end(), of_part) == 1) {
      row[1] = "all";
    }
    row[0] = part == before ? "" : "  " + part;
    before = part;
    table.add(row);
  }
}

struct VerdictTitle {
  Verdict verdict;
  std::string_view title;
};
constexpr VerdictTitle kTitles[] = {
    {Verdict::refused, "Refused: nothing starts until this is fixed"},
    {Verdict::adjusted, "Adjusted automatically"},
    {Verdict::warning, "Warnings: it trains as asked"},
    {Verdict::works, "Works: nothing to do"},
};

Style style_of(Verdict verdict) {
  return verdict == Verdict::refused ? Style::bad
         : verdict == Verdict::works ? Style::good
                                     : Style::warning;
}

/// {"precision.compute":"bf16"} as precision.compute = bf16.
std::string patch_text(const std::string& fix_json) {
  const Json patch = Json::parse(fix_json, nullptr, false);
  std::string text;
  if (patch.is_object()) {
    for (const auto& [key, value] : patch.items()) {
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", key,
                          value.is_string() ? value.get<std::string>() : value.dump());
    }
  }
  return text;
}

void print_finding(std::ostream& out, const Finding& f, bool explain) {
  const CatalogueEntry* entry = find_catalogue_entry(f.id);
  out << wrapped(f.id + ": " + with_changes(f.message, f.changes).text(), 4,
                 paragraph_columns(out));
  if (entry != nullptr && f.verdict != Verdict::works) {
    out << wrapped(fmt::format("Cause: {}", entry->cause), 8, paragraph_columns(out));
  } else if (entry != nullptr) {
    out << wrapped(fmt::format("Elsewhere: {}", entry->title), 8, paragraph_columns(out));
  }
  const std::string patch = patch_text(f.fix_json);
  if (f.verdict == Verdict::refused || f.verdict == Verdict::warning) {
    std::string fix(entry != nullptr ? entry->fix : "");
    if (!patch.empty()) {
      fix += fix.empty() ? patch : "; " + patch;
    }
    out << (fix.empty() ? "" : wrapped("Fix: " + fix, 8, paragraph_columns(out)));
  }
  for (const std::string& field : f.fields) {
    const Setting* setting = explain && f.verdict != Verdict::works ? find_setting(field) : nullptr;
    if (setting != nullptr) {
      out << wrapped(fmt::format("{}: {}", field, setting->help), 8, paragraph_columns(out));
    }
  }
}

}  // namespace

void print_precision(std::ostream& out, const PlanReport& plan) {
  const Json json = Json::parse(plan.precision_json, nullptr, false);
  out << Styled{Style::heading, "Precision"} << '\n';
  if (!json.is_object()) {
    return;
  }
  Table table(
      {"  part", "modules", "storage", "compute", "accumulation", "gradients", "optimizer state"});
  add_modules(table, json.value("modules", Json::array()));
  const std::string compute = text_of(json, "compute");
  table.add({"  adapter", "all", text_of(json, "adapter"),
             compute == "fp8" || compute == "int8" ? "bf16" : compute, "fp32",
             text_of(json, "gradients"), text_of(json, "optimizer_state")});
  table.print(out);
  const Json activations = json.value("activations", Json::object());
  out << fmt::format("  between modules: {}; loss scaling: {}\n", text_of(activations, "denoiser"),
                     text_of(json, "loss_scaling"));
  const Json pins = json.value("pins", Json::object());
  for (const auto& [pattern, type] : pins.items()) {
    out << fmt::format("  pinned: {} {}\n", printable(pattern), type.get<std::string>());
  }
}

void print_findings(std::ostream& out, const PlanReport& plan, bool explain) {
  out << '\n' << Styled{Style::heading, "Findings"} << '\n';
  bool any = false, fixable = false;
  for (const auto& [verdict, title] : kTitles) {
    bool first = true;
    for (const Finding& f : plan.findings) {
      if (f.verdict != verdict || (verdict == Verdict::works && !explain)) {
        continue;
      }
      if (first) {
        out << "  " << Styled{style_of(verdict), title} << '\n';
        first = false;
      }
      print_finding(out, f, explain);
      any = true;
      fixable = fixable || (f.fix_json != "{}" &&
                            (verdict == Verdict::refused || verdict == Verdict::adjusted));
    }
  }
  if (!any) {
    out << "  none\n";
  }
  if (fixable) {
    out << "  --apply-fixes FILE writes the preset with all of this in it.\n";
  }
}

void print_modules(std::ostream& out, const std::vector<PlannedModule>& modules) {
  out << '\n' << Styled{Style::heading, "Modules of the base model"} << '\n';
  Table table({"  module", "kind", "storage", "compute", "because"});
  const PlannedModule* before = nullptr;
  for (const PlannedModule& m : modules) {
    // A bias gets its own row only if it differs from its layer, which precedes it.
    if (before == nullptr || m.kind != "bias" || m.path != before->path ||
        m.storage != before->storage) {
      table.add({"  " + m.path, m.kind, m.storage, m.compute, m.reason.text()});
    }
    before = &m;
  }
  table.print(out);
}

}  // namespace mantissa
