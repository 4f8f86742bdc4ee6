#pragma once
// The names by which a reader would find the modules of one base model.

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/model_names.h"
#include "engine/io/weights.h"
#include "engine/readers/reader.h"

namespace mantissa {

/// What a name of a reader stands for.
struct ReaderTarget {
  /// Adapter paths of the base model's modules that share the outputs, in order; one for a module
  /// that isn't fused.
  std::vector<std::string> paths;
  const NameRule* rule = nullptr;
  /// The halves of the module's outputs are exchanged in the file.
  bool exchanged = false;
  /// The module of the checkpoints that it is a share of, if the rule depends on the other shares.
  std::optional<FusedModule> share;
};

/// Every name that rules give the modules of a base model. Of two rules with one name the later
/// counts, as in a dictionary that is filled in their order.
class ReaderNames {
 public:
  ReaderNames(std::span<const NameRule> rules, const WeightSource& base);
  /// Null if the reader knows no such module.
  const ReaderTarget* find(std::string_view module) const;

 private:
  std::map<std::string, ReaderTarget, std::less<>> table_;
};

}  // namespace mantissa
