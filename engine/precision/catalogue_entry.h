#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/precision/facts.h"
#include "engine/precision/finding.h"
#include "engine/preset/preset.h"

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

/// When a conflict can be detected.
enum class FoundAt {
  plan,   ///< from preset, model and device
  base,   ///< from what the base model's files are called and configured as
  model,  ///< once the model's modules are known by path
  run,    ///< while data is prepared, a step is taken or a file is written
  file,   ///< while a preset or a command line is read
  never,  ///< can't occur in this version
};

/// "before launch".
std::string_view found_at_text(FoundAt when);

/// The inputs of a condition.
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

/// A detected conflict. The preset without the conflict becomes the fix.
struct Conflict {
  Verdict verdict = Verdict::warning;
  Preset fixed;
  FindingValues values;
};

/// One row of the conflict catalogue: the only place for its texts, condition and fix. The command
/// line, the studio and the reference documentation read it.
struct CatalogueEntry {
  std::string_view id;  ///< "S4"
  CatalogueArea area = CatalogueArea::loss_scaling;
  std::string_view verdicts;   ///< of W works, A adjusted, N warning, R refused; "AR" if it depends
  std::string_view title;      ///< its cause, and its symptom in other programs
  std::string_view cause;      ///< why
  std::string_view here;       ///< the behaviour in this program
  std::string_view message{};  ///< if adjusted or warned; {names} are filled in
  std::string_view refusal{};  ///< if refused
  std::string_view fix{};      ///< the remedy, in words
  std::array<std::string_view, 5> fields{};  ///< settings concerned
  FoundAt when = FoundAt::plan;
  std::string_view unreachable{};  ///< why it can't occur, for FoundAt::never and ::file
  /// Lower ranks are adjusted first: the compute dtype before what depends on it.
  int rank = 50;
  /// For entries that just work: whether they concern this preset.
  bool (*concerns)(const PrecisionFacts&) = nullptr;
  /// The condition of entries found while planning.
  std::optional<Conflict> (*find)(const PrecisionFacts&) = nullptr;
};

}  // namespace mantissa
