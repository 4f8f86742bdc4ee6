// The reference of capabilities.

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/platform.h"
#include "engine/plan/capabilities.h"
#include "engine/preset/family_table.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

using Columns = std::vector<std::vector<DeviceKind>>;

/// One family and one way to train it.
struct Trainable {
  const Family* family = nullptr;
  TrainingKind kind;
};

void write_row(std::string& text, const std::vector<std::string>& cells) {
  text += fmt::format("| {} |\n", fmt::join(cells, " | "));
}

void write_heading(std::string& text, const std::vector<std::string>& cells) {
  write_row(text, cells);
  text += '|';
  for (std::size_t i = 0; i < cells.size(); ++i) {
    text += "---|";
  }
  text += '\n';
}

/// "CPU", "RTX 20 (7.5)", "A100, RTX 30 (8.0 to 8.6)".
std::string column_title(const std::vector<DeviceKind>& devices) {
  const auto capability = [](const DeviceKind& d) { return d.id().substr(d.id().find(' ') + 1); };
  if (devices.front().cards.empty()) {
    return "CPU";
  }
  std::string cards, capabilities = capability(devices.front());
  for (const DeviceKind& device : devices) {
    cards += fmt::format("{}{}", cards.empty() ? "" : ", ", device.cards);
  }
  if (devices.size() > 1) {
    capabilities += " to " + capability(devices.back());
  }
  return fmt::format("{} ({})", cards, capabilities);
}

/// "yes", "as `bf16` (H2)", "no (N7)".
std::string cell(const Capability& result, const PrecisionChoice& choice, bool of_weights) {
  const std::string why =
      result.reasons.empty() ? "" : fmt::format(" ({})", fmt::join(result.reasons, ", "));
  if (!result.trains) {
    return "no" + why;
  }
  std::string used;
  if (!of_weights && result.used.compute != choice.compute) {
    used = fmt::format("`{}`", enum_name(result.used.compute));
  }
  if (result.used.weights != choice.weights) {
    used += fmt::format("{}`{}` weights", used.empty() ? "" : ", ", enum_name(result.used.weights));
  }
  return used.empty() ? "yes" : fmt::format("as {}{}", used, why);
}

/// Weight types and their cells; types with the same cells share a row.
std::vector<std::vector<std::string>> storage_rows(const Trainable& of, const Columns& columns) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < enum_names<StorageType>().size(); ++i) {
    const auto weights = static_cast<StorageType>(i);
    std::vector<std::string> row{fmt::format("`{}`", enum_name(weights))};
    for (const auto& column : columns) {
      row.push_back(cell(storage_capability(*of.family, of.kind, weights, column.front().facts),
                         {ComputeType::bf16, weights}, true));
    }
    const auto same = std::ranges::find_if(rows, [&](const std::vector<std::string>& other) {
      return std::equal(other.begin() + 1, other.end(), row.begin() + 1);
    });
    if (same == rows.end()) {
      rows.push_back(std::move(row));
    } else {
      same->front() += ", " + row.front();
    }
  }
  return rows;
}

/// The table of compute types and that of weight types.
std::string precision_tables(const Trainable& of, const Columns& columns) {
  std::vector<std::string> heading{"Compute, weights"};
  for (const auto& column : columns) {
    heading.push_back(column_title(column));
  }
  std::string text;
  write_heading(text, heading);
  for (std::size_t i = 0; i < enum_names<ComputeType>().size(); ++i) {
    const PrecisionChoice choice = natural_choice(static_cast<ComputeType>(i));
    std::vector<std::string> row{
        fmt::format("`{}`, `{}`", enum_name(choice.compute), enum_name(choice.weights))};
    for (const auto& column : columns) {
      row.push_back(
          cell(capability(*of.family, of.kind, choice, column.front().facts), choice, false));
    }
    write_row(text, row);
  }
  heading.front() = "Weights";
  text += '\n';
  write_heading(text, heading);
  for (const std::vector<std::string>& row : storage_rows(of, columns)) {
    write_row(text, row);
  }
  return text;
}

/// Whether any precision of the tables trains on any device.
bool trains_somewhere(const Trainable& of, const Columns& columns) {
  return std::ranges::any_of(columns, [&](const auto& column) {
    for (std::size_t i = 0; i < enum_names<ComputeType>().size(); ++i) {
      const PrecisionChoice choice = natural_choice(static_cast<ComputeType>(i));
      if (capability(*of.family, of.kind, choice, column.front().facts).trains) {
        return true;
      }
    }
    return false;
  });
}

std::string yes_no(bool yes) {
  return yes ? "yes" : "no";
}

void write_families(std::string& text, const Columns& columns) {
  std::vector<std::string> heading{"Base models", "`model.family`", "Parts"};
  for (const TrainingKind& kind : training_kinds()) {
    heading.emplace_back(kind.title());
  }
  heading.insert(heading.end(), {"Edits with references", "Embeddings"});
  text += "\n## Families and methods\n\n";
  write_heading(text, heading);
  for (const Family* family : listed_families()) {
    std::vector<std::string_view> parts;
    for (const PartFiles& part : family->parts) {
      parts.push_back(part.part.name());
    }
    const FamilyRow& known = family->row;
    std::vector<std::string> row{family_models(known), fmt::format("`{}`", known.id.name()),
                                 fmt::format("`{}`", fmt::join(parts, "`, `"))};
    for (const TrainingKind& kind : training_kinds()) {
      row.push_back(yes_no(trains_somewhere({family, kind}, columns)));
    }
    row.push_back(yes_no(family->reference_pixels > 0));
    row.push_back(yes_no(known.has_embeddings));
    write_row(text, row);
  }
  text +=
      "\nEdits with references: images are trained with [reference "
      "images](../guide/own-images.md#edits).";
  for (const Family* family : listed_families()) {
    if (family->references_unread != nullptr) {
      text += fmt::format(
          " Of {}'s models those named {} read them; one whose name or pipeline says that it is "
          "another is refused.",
          family->title(), fmt::join(family->edit_variants, ", "));
    }
  }
  text +=
      "\n\nTraining adapters, given or made, sliders, preserved outputs and several resolutions in "
      "one run work with every family. A slider, of prompts or of pairs of images, is a LoRA, LoHa "
      "or LoKr.\n";
}

/// "SDXL, SD 1.5, SD 2.x: LoRA, DoRA, LoHa, LoKr" of all that share their tables, a line for each
/// list of methods.
std::string group_title(const std::vector<Trainable>& group) {
  std::vector<std::pair<std::string, std::string>> lines;  // methods, base models
  for (const Family* family : listed_families()) {
    std::string methods;
    for (const Trainable& member : group) {
      if (member.family == family) {
        methods += fmt::format("{}{}", methods.empty() ? "" : ", ", member.kind.title());
      }
    }
    const auto line =
        std::ranges::find(lines, methods, &std::pair<std::string, std::string>::first);
    const std::string models = family_models(family->row);
    if (line != lines.end()) {
      line->second += ", " + models;
    } else if (!methods.empty()) {
      lines.emplace_back(methods, models);
    }
  }
  std::string text;
  for (const auto& [methods, models] : lines) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", models, methods);
  }
  return text;
}

void write_precision(std::string& text, const Columns& columns) {
  std::vector<std::pair<std::string, std::vector<Trainable>>> groups;  // by their tables
  for (const Family* family : listed_families()) {
    for (const TrainingKind& kind : training_kinds()) {
      const Trainable of{family, kind};
      std::string tables = precision_tables(of, columns);
      const auto group =
          std::ranges::find(groups, tables, &std::pair<std::string, std::vector<Trainable>>::first);
      if (group != groups.end()) {
        group->second.push_back(of);
      } else {
        groups.emplace_back(std::move(tables), std::vector{of});
      }
    }
  }
  text +=
      "\n## Precision by device\n\n"
      "The first table of each group has the compute types (`precision.compute`), each with the "
      "weights that it multiplies; the second the types of the denoiser's weights "
      "(`precision.weights.denoiser`), with the first of `bf16`, `fp16` and `fp32` compute that "
      "keeps them. Every other pair is in `mantissa check --capabilities --json`.\n\n"
      "- **yes**: it trains as asked.\n"
      "- **as X**: it trains, with X in its place.\n"
      "- **no**: it is refused before the first step.\n\n"
      "In brackets: the reasons, by their ids in the [catalogue](precision.md).\n";
  for (const auto& [tables, members] : groups) {
    text += fmt::format("\n### {}\n\n{}", group_title(members), tables);
  }
}

void write_platforms(std::string& text) {
  text +=
      "\n## Platforms\n\n"
      "What trains doesn't depend on the platform; what has been tried does.\n\n";
  write_heading(text, {"Platform", "CPU", "NVIDIA cards", "Several cards for one run",
                       "Several machines, by MPI", "Tests run", "Cards tried"});
  for (const PlatformRow& platform : kPlatforms) {
    write_row(text,
              {std::string(platform.title), "yes", yes_no(platform.cards), yes_no(platform.cards),
               yes_no(platform.several_processes), std::string(platform.tested),
               platform.cards_tried.empty() ? "none" : std::string(platform.cards_tried)});
  }
}

}  // namespace

std::string capabilities_markdown() {
  std::string text =
      "# What trains where\n\n"
      "Base models, methods, precision, devices and platforms. Every answer is that of the "
      "precision "
      "plan of a preset with the default settings, as a run gets it. This page is written by "
      "`mantissa check --capabilities`.\n";
  const Columns columns = device_columns();
  write_families(text, columns);
  write_precision(text, columns);
  write_platforms(text);
  return text;
}

}  // namespace mantissa
