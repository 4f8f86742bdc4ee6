#include "engine/precision/run_findings.h"

#include <algorithm>
#include <fmt/format.h>

#include "engine/io/module_path.h"
#include "engine/precision/catalogue.h"
#include "engine/precision/dtypes.h"
#include "engine/precision/pins.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

/// The first few of a list, and the number of others.
Message shortened(std::span<const std::string> names) {
  const std::size_t shown = std::min(names.size(), std::size_t{3});
  const std::string text = fmt::format("{}", fmt::join(names.first(shown), ", "));
  return names.size() > shown ? message<"{names} and {count} more">(text, names.size() - shown)
                              : Message::verbatim(text);
}

PrecisionFinding found(std::string_view id, Verdict verdict, const Preset& before, Preset fixed,
                       FindingValues values) {
  return make_finding(catalogue_entry(id), before, {verdict, std::move(fixed), std::move(values)});
}

}  // namespace

PrecisionFinding no_gradients(const Preset& preset, Part part) {
  Preset fixed = preset;
  std::erase(fixed.training.parts, part);
  if (fixed.training.parts.empty()) {
    fixed = preset;
  }
  return found("S8", Verdict::warning, preset, fixed, {{"part", part.name()}});
}

PrecisionFinding endless_overflow(const Preset& preset, std::int64_t skips,
                                  std::string_view layer) {
  Preset fixed = preset;
  if (activation_dtype(preset.precision.compute) == DType::f16) {
    fixed.precision.compute = in_bf16(preset.precision.compute);
  } else if (!layer.empty() && preset.precision.compute != ComputeType::fp32) {
    set_pin(fixed.precision.pins, std::string(layer), StorageType::fp32);
  }
  return found(
      "S11", Verdict::warning, preset, fixed,
      {{"skips", skips},
       {"layer", layer.empty() ? message<"not known">() : Message::verbatim(std::string(layer))}});
}

PrecisionFinding non_finite_loss(const Preset& preset, std::int64_t step,
                                 std::span<const std::string> files) {
  Preset fixed = preset;
  fixed.precision.compute = in_bf16(preset.precision.compute);
  return found("S14", Verdict::refused, preset, fixed,
               {{"step", step}, {"file", fmt::format("{}", fmt::join(files, ", "))}});
}

PrecisionFinding empty_rows(const Preset& preset, std::int64_t channels,
                            std::span<const std::string> layers) {
  return found(
      "D1", Verdict::adjusted, preset, preset,
      {{"channels", channels},
       {"layers", layers.empty() ? Message() : message<" ({layers})">(shortened(layers))}});
}

PrecisionFinding frozen_magnitude(const Preset& preset, std::string_view layer) {
  Preset fixed = preset;
  fixed.adapter = without_magnitudes(preset.adapter);
  return found("D4", Verdict::refused, preset, fixed, {{"layer", layer}});
}

PrecisionFinding rounded_to_zero(MasterType dtype, double share, std::string_view file) {
  Preset preset;
  preset.output.dtype = dtype;
  Preset fixed = preset;
  fixed.output.dtype = MasterType::fp32;
  return found("D8", Verdict::warning, preset, fixed,
               {{"percent", fmt::format("{:.2g}", 100 * share)},
                {"file", file},
                {"type", enum_name(dtype)}});
}

PrecisionFinding nan_encoding(const Preset& preset, std::string_view source, bool of_text) {
  Preset fixed = preset;
  (of_text ? fixed.precision.weights.text_encoders : fixed.precision.weights.vae) =
      StorageType::fp32;
  return found("N2", Verdict::refused, preset, fixed, {{"file", source}});
}

PrecisionFinding merge_into_fp8(std::string_view file, DType type) {
  return found("Q5", Verdict::refused, {}, {}, {{"file", file}, {"type", dtype_name(type)}});
}

PrecisionFinding distilled_base(const Preset& preset, std::string_view model,
                                const Message& evidence) {
  return found("N13", Verdict::warning, preset, preset, {{"model", model}, {"evidence", evidence}});
}

std::vector<PrecisionFinding> pin_findings(const Preset& preset,
                                           std::span<const PinTarget> modules) {
  std::vector<PrecisionFinding> findings;
  for (const auto& [pattern, type] : preset.precision.pins) {
    bool matches = false, matters = false;
    for (const PinTarget& module : modules) {
      if (names_module(pattern, module.path)) {
        matches = true;
        matters = matters || module.kind == ModuleKind::linear || module.kind == ModuleKind::conv;
      }
    }
    if (!matters) {
      Preset fixed = preset;
      fixed.precision.pins.erase(pattern);
      findings.push_back(
          found(matches ? "G7" : "G6", Verdict::warning, preset, fixed, {{"pattern", pattern}}));
    }
  }
  return findings;
}

std::vector<PrecisionFinding> rank_findings(const Preset& preset,
                                            std::span<const std::string> layers) {
  const std::vector<LayerRank>& entries = preset.adapter.ranks;
  std::vector<bool> counts(entries.size());
  for (const std::string& layer : layers) {
    const auto first = std::ranges::find_if(
        entries, [&](const LayerRank& entry) { return names_module(entry.layers, layer); });
    if (first != entries.end()) {
      counts[static_cast<std::size_t>(first - entries.begin())] = true;
    }
  }
  std::vector<PrecisionFinding> findings;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!counts[i]) {
      Preset fixed = preset;
      fixed.adapter.ranks.erase(fixed.adapter.ranks.begin() + static_cast<std::ptrdiff_t>(i));
      findings.push_back(
          found("D18", Verdict::warning, preset, fixed, {{"pattern", entries[i].layers}}));
    }
  }
  return findings;
}

Message finding_text(const PrecisionFinding& finding) {
  const CatalogueEntry* entry = find_catalogue_entry(finding.id);
  const Message words(std::string(entry != nullptr ? entry->fix : ""), {});
  if (finding.verdict == Verdict::adjusted || (words.empty() && !finding.has_fix())) {
    return message<"{id}: {message}">(finding.id, with_changes(finding.message, finding.changes));
  }
  if (words.empty()) {
    return message<"{id}: {message} Fix: {fix}">(finding.id, finding.message, finding.fix_json);
  }
  if (!finding.has_fix()) {
    return message<"{id}: {message} Fix: {fix}">(finding.id, finding.message, words);
  }
  return message<"{id}: {message} Fix: {fix} {patch}">(finding.id, finding.message, words,
                                                       finding.fix_json);
}

Error finding_error(ErrorKind kind, const PrecisionFinding& finding) {
  return Error(kind, finding_text(finding), finding.id);
}

}  // namespace mantissa
