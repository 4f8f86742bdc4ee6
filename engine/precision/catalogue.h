#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/precision/plan.h"

namespace mantissa {

/// Section of the catalogue.
enum class CatalogueArea {
  loss_scaling,
  hardware,
  quantised_base,
  adapters,
  optimizers,
  diffusion,
  graph,
  data,
};

/// "Loss scaling".
std::string_view area_title(CatalogueArea area);

/// When a conflict can be known.
enum class FoundAt {
  plan,   ///< from preset, model and device
  model,  ///< once the model's modules are known by path
  run,    ///< while data is prepared, a step is taken or a file is written
  file,   ///< when a preset or a command line is read
  never,  ///< nothing in this version leads to it
};

/// "before launch".
std::string_view found_at_text(FoundAt when);

/// What a condition may look at.
struct PrecisionFacts {
  const Preset& preset;
  const ModelFacts& model;
  const DeviceFacts& device;
};

/// A value for a {name} in an entry's message.
struct FindingValue {
  template <typename Value>
  FindingValue(std::string_view place, Value&& filled)
      : name(place), value(message_value(std::forward<Value>(filled))) {}
  std::string_view name;
  Message value;
};
using FindingValues = std::vector<FindingValue>;

/// What a condition found. The preset as it would be without the conflict becomes the fix.
struct Conflict {
  Verdict verdict = Verdict::warning;
  Preset fixed;
  FindingValues values;
};

/// One row of the conflict catalogue: the one place for its texts, its condition and its fix. The
/// command line, the studio and the reference documentation read it.
struct CatalogueEntry {
  std::string_view id;  ///< "S4"
  CatalogueArea area = CatalogueArea::loss_scaling;
  std::string_view
      verdicts;            ///< of W works, A adjusted, N warning, R refused; "AR" where it depends
  std::string_view title;  ///< what leads to it, and what it looked like elsewhere
  std::string_view cause;  ///< why
  std::string_view here;   ///< what happens here
  std::string_view message{};                ///< when adjusted or warned; {names} are filled in
  std::string_view refusal{};                ///< when refused
  std::string_view fix{};                    ///< the way out, in words
  std::array<std::string_view, 5> fields{};  ///< settings it is about
  FoundAt when = FoundAt::plan;
  std::string_view unreachable{};  ///< why nothing leads to it, for FoundAt::never and ::file
  /// Lower ranks are adjusted first: what to compute in, before what depends on it.
  int rank = 50;
  /// Entries that just work: does this preset come near it?
  bool (*concerns)(const PrecisionFacts&) = nullptr;
  /// The condition of entries found while planning.
  std::optional<Conflict> (*find)(const PrecisionFacts&) = nullptr;
};

/// Every entry, in the order of the documentation.
std::span<const CatalogueEntry> catalogue();

/// Null for an id that isn't in the catalogue.
const CatalogueEntry* find_catalogue_entry(std::string_view id);
/// Throws Error where there is none.
const CatalogueEntry& catalogue_entry(std::string_view id);

/// The finding of an entry: its message with `values` filled in, the settings it is about, and the
/// patch that leads from `before` to `conflict.fixed`. An adjustment's `changes` name old and new
/// values.
PrecisionFinding make_finding(const CatalogueEntry& entry, const Preset& before,
                              const Conflict& conflict);

/// The entries that just work and that this plan comes near, as findings: what `check --explain`
/// adds.
std::vector<PrecisionFinding> explained_findings(const PrecisionPlan& plan);

/// Reference of every entry as Markdown.
std::string catalogue_markdown();

}  // namespace mantissa
