#include "engine/readers/read_as.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "engine/adapters/adapter_forms.h"
#include "engine/adapters/delta.h"
#include "engine/adapters/fused_module.h"
#include "engine/adapters/module_weight.h"
#include "engine/core/glob.h"
#include "engine/io/family.h"
#include "engine/io/module_path.h"
#include "engine/readers/name_table.h"
#include "engine/readers/reader_delta.h"

namespace mantissa {
namespace {

/// Layers of one kind that are tried for one with a change.
constexpr int kCandidates = 4;

bool begins_with_one(std::string_view name, std::string_view beginnings) {
  return any_word(beginnings, [&](std::string_view one) { return name.starts_with(one); });
}
bool has_one(std::string_view name, std::string_view words) {
  return any_word(words,
                  [&](std::string_view one) { return name.find(one) != std::string_view::npos; });
}

bool matches_one(std::string_view name, std::string_view globs) {
  return any_word(globs, [&](std::string_view glob) { return glob_match(glob, name); });
}
bool ends_with_one(std::string_view name, std::string_view endings) {
  return any_word(endings, [&](std::string_view one) { return name.ends_with(one); });
}

bool holds(const FormCondition& when, std::span<const TensorInfo* const> tensors) {
  const auto begins = [](std::string_view words) {
    return [words](const TensorInfo* t) { return begins_with_one(t->name, words); };
  };
  const auto has = [](std::string_view words) {
    return [words](const TensorInfo* t) { return has_one(t->name, words); };
  };
  const auto ends = [&](const TensorInfo* t) {
    return ends_with_one(t->name, when.every_name_ends);
  };
  const auto lacked = [&](std::string_view word) {
    return std::ranges::none_of(tensors, has(word));
  };
  return (when.every_name_begins.empty() ||
          std::ranges::all_of(tensors, begins(when.every_name_begins))) &&
         (when.every_name_ends.empty() || std::ranges::all_of(tensors, ends)) &&
         (when.a_name_begins.empty() || std::ranges::any_of(tensors, begins(when.a_name_begins))) &&
         (when.a_name_has.empty() || std::ranges::any_of(tensors, has(when.a_name_has))) &&
         (when.no_name_has.empty() || std::ranges::none_of(tensors, has(when.no_name_has))) &&
         !any_word(when.names_have, lacked);
}

/// The rule whose suffix ends a name; null if none does.
const TensorRule* rule_for(std::string_view name, std::span<const TensorRule> rules) {
  const auto found = std::ranges::find_if(
      rules, [&](const TensorRule& rule) { return name.ends_with(rule.suffix); });
  return found == rules.end() ? nullptr : &*found;
}

/// A module of the file, as found by a reader.
struct FoundModule {
  const ReaderTarget* target = nullptr;
  ReaderModule tensors;
};

/// Reads one file by one form of a reader.
class Reading {
 public:
  Reading(const ReaderForm& form, const PeftConfig& config, const WeightSource& base,
          ReaderVerdict& verdict)
      : form_(form), config_(config), base_(base), verdict_(verdict), names_(form.names, base) {}

  /// Sorts the tensors into modules. False if the file is refused.
  bool take(std::span<const TensorInfo* const> tensors) {
    bool refused = false;
    for (const TensorInfo* tensor : tensors) {
      const TensorRule* rule = rule_for(tensor->name, form_.tensors);
      const std::string module =
          rule != nullptr ? tensor->name.substr(0, tensor->name.size() - rule->suffix.size()) : "";
      const ReaderTarget* target = rule != nullptr ? names_.find(module) : nullptr;
      const bool wordless =
          !form_.required_words.empty() && !has_one(tensor->name, form_.required_words);
      if (target == nullptr || wordless) {
        const bool refuses = (rule == nullptr ? form_.unknown_tensor == Unread::refused
                                              : form_.unknown_name == Unread::refused) &&
                             !matches_one(tensor->name, form_.passed_over);
        note(*tensor, refuses || wordless);
        refused = refused || refuses || wordless;
        continue;
      }
      FoundModule& found = modules_[module];
      found.target = target;
      if (rule->beside != BesideRole::none) {
        found.tensors.beside[rule->beside] = tensor;
      } else {
        found.tensors.tensors[rule->role] = tensor;
      }
    }
    return take_shares() && !refused;
  }

  bool found_any() const { return !modules_.empty(); }

  /// Notes what doesn't fit, and counts what does. False if a module lacks a tensor it needs.
  void fit() {
    for (auto& [name, found] : modules_) {
      if (found.tensors.tensors.empty() ||
          (found.tensors.tensors.size() == 1 && found.tensors.has(AdapterRole::alpha))) {
        continue;  // a bias alone
      }
      if (const auto wrong = misfit(found.tensors, weight_shape(*found.target))) {
        verdict_.misfits.push_back(*wrong);
        found.target = nullptr;
        continue;
      }
      verdict_.modules += static_cast<std::int64_t>(found.target->paths.size());
    }
  }

  void check(const Meaning& meaning, const std::string& label) {
    std::map<Kind, std::vector<const FoundModule*>> kinds;
    for (const auto& [name, found] : modules_) {
      if (found.target != nullptr && !found.tensors.tensors.empty()) {
        kinds[kind_of(found)].push_back(&found);
      }
    }
    for (auto& [kind, modules] : kinds) {
      std::ranges::stable_sort(
          modules, {}, [this](const FoundModule* m) { return weight_shape(*m->target).count(); });
      int tried = 0;
      for (const FoundModule* module : modules) {
        if (check_module(*module, meaning, label) || ++tried == kCandidates) {
          break;
        }
      }
    }
  }

 private:
  /// Leaves out the shares of fused modules that the reader can't use without others. False if it
  /// refuses the file for one that is missing.
  bool take_shares() {
    std::map<std::pair<const NameRule*, std::string>, std::map<int, std::string>> fused;
    for (const auto& [name, found] : modules_) {
      if (const auto& share = found.target->share) {
        fused[{found.target->rule, share->path}].emplace(share->slice, name);
      }
    }
    bool refused = false;
    for (const auto& [whole, shares] : fused) {
      const bool needs_all = whole.first->shares == ReaderShares::all;
      const FusedModule& first = *modules_.at(shares.begin()->second).target->share;
      int count = 0;
      for (const auto& [slice, name] : shares) {
        count += slice == count ? modules_.at(name).target->share->span : 0;
      }
      const bool lacks = needs_all && count < first.slices;
      refused = refused || lacks;
      for (const auto& [slice, name] : shares) {
        if (lacks || slice >= count) {
          leave_out(name, lacks);
        }
      }
    }
    return !refused;
  }

  void leave_out(const std::string& name, bool refused) {
    const auto at = modules_.find(name);
    for (const auto& [role, tensor] : at->second.tensors.tensors) {
      note(*tensor, refused);
    }
    for (const auto& [role, tensor] : at->second.tensors.beside) {
      note(*tensor, refused);
    }
    modules_.erase(at);
  }

  /// What is computed alike: the rule of the names, the tensors, how many modules are fused, the
  /// magnitudes' axis, and whether halves are exchanged.
  using Kind = std::tuple<const NameRule*, std::vector<AdapterRole>, std::size_t, bool, bool>;

  Kind kind_of(const FoundModule& found) const {
    std::vector<AdapterRole> roles;
    for (const auto& [role, tensor] : found.tensors.tensors) {
      roles.push_back(role);
    }
    const TensorInfo* magnitude = found.tensors.find(AdapterRole::magnitude);
    return {found.target->rule, std::move(roles), found.target->paths.size(),
            magnitude != nullptr && !magnitude->dims.empty() && magnitude->dims[0] == 1,
            found.target->exchanged};
  }

  Shape weight_shape(const ReaderTarget& target) const {
    Shape whole;
    for (const std::string& path : target.paths) {
      const auto [part, name] = weight_of_module(path);
      const Shape one = base_.shape(part, name);
      if (whole.rank() == 0) {
        whole = one;
      } else {
        whole[0] += one[0];
      }
    }
    return whole;
  }

  std::vector<float> weight_values(const ReaderTarget& target) const {
    std::vector<float> all;
    for (const std::string& path : target.paths) {
      const auto [part, name] = weight_of_module(path);
      std::vector<float> one(static_cast<std::size_t>(base_.shape(part, name).count()));
      base_.read_f32(part, name, one);
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }

  std::optional<double> config_scale(const FoundModule& found) const {
    const std::string& path = found.target->paths.front();
    const PathInPart at = split_path(path);
    const TensorInfo* down = found.tensors.find(AdapterRole::down);
    const int rank = down != nullptr && !down->dims.empty() ? static_cast<int>(down->dims[0]) : 1;
    return config_.scale(at.part, at.below, rank);
  }

  /// Recomputes a module's change. False if it is zero, or not known: another may tell more.
  bool check_module(const FoundModule& found, const Meaning& meaning, const std::string& label) {
    std::vector<float> weight = weight_values(*found.target);
    const bool exchanged = found.target->exchanged;
    if (exchanged) {
      exchange_halves(weight);  // as the file's rows are
    }
    auto delta = reader_delta(found.tensors, form_, config_scale(found),
                              weight_shape(*found.target), weight, label);
    if (exchanged) {
      exchange_halves(weight);
      if (delta) {
        exchange_halves(*delta);
      }
    }
    bool tells = false;
    std::size_t first = 0, share = 0;
    for (const std::string& path : found.target->paths) {
      const auto [part, name] = weight_of_module(path);
      first += share;
      share = static_cast<std::size_t>(base_.shape(part, name).count());
      const auto meant = meaning(path, std::span(weight).subspan(first, share));
      if (!meant) {
        continue;
      }
      CheckedLayer layer{.path = path, .allowed = meant->allowed};
      double norm = 0, apart = 0, wanted = 0;
      for (std::size_t k = 0; k < share; ++k) {
        const double mine =
            delta ? static_cast<double>((*delta)[first + k]) : 0.0;  // left as it was
        const double theirs = static_cast<double>(meant->delta[k]);
        norm += mine * mine;
        wanted += theirs * theirs;
        apart += (mine - theirs) * (mine - theirs);
      }
      layer.norm = std::sqrt(norm);
      layer.error = wanted > 0 ? std::sqrt(apart / wanted) : norm > 0 ? 1.0 : 0.0;
      tells = tells || norm > 0 || wanted > 0;
      verdict_.layers.push_back(std::move(layer));
    }
    return tells;
  }

  /// Keeps the name; those for which the file is refused come first.
  void note(const TensorInfo& tensor, bool refused) {
    auto at = verdict_.unread.end();
    if (refused) {
      at = verdict_.unread.begin() + static_cast<std::ptrdiff_t>(refusals_++);
    }
    verdict_.unread.insert(at, tensor.name);
  }

  const ReaderForm& form_;
  const PeftConfig& config_;
  const WeightSource& base_;
  ReaderVerdict& verdict_;
  ReaderNames names_;
  std::map<std::string, FoundModule> modules_;
  std::size_t refusals_ = 0;
};

ReaderOutcome outcome_of(const ReaderVerdict& verdict) {
  const auto wrong = [](const CheckedLayer& layer) { return !(layer.error <= layer.allowed); };
  const auto zero = [](const CheckedLayer& layer) { return layer.norm == 0; };
  return std::ranges::any_of(verdict.layers, wrong)            ? ReaderOutcome::differs
         : !verdict.unread.empty() || !verdict.misfits.empty() ? ReaderOutcome::partly
         : !verdict.layers.empty() && std::ranges::all_of(verdict.layers, zero)
             ? ReaderOutcome::no_change
             : ReaderOutcome::as_meant;
}

}  // namespace

const CheckedLayer* ReaderVerdict::worst() const {
  const auto at = std::ranges::max_element(layers, {}, [](const CheckedLayer& layer) {
    return std::isnan(layer.error) ? INFINITY : layer.error;
  });
  return at == layers.end() ? nullptr : &*at;
}

ReaderVerdict read_as(const Reader& reader, std::span<const TensorInfo> tensors,
                      const PeftConfig& config, const WeightSource& base, const Meaning& meaning) {
  ReaderVerdict verdict{.reader = &reader, .tensors = static_cast<std::int64_t>(tensors.size())};
  const std::string_view family = base.family().id().name();
  if (!has_word(reader.families, family)) {
    return verdict;
  }
  std::vector<const TensorInfo*> kept;
  std::vector<std::string> dropped;
  for (const TensorInfo& tensor : tensors) {
    if (has_one(tensor.name, reader.dropped)) {
      dropped.push_back(tensor.name);
    } else {
      kept.push_back(&tensor);
    }
  }
  verdict.outcome = ReaderOutcome::nothing;
  const auto form = std::ranges::find_if(reader.forms, [&](const ReaderForm& f) {
    return has_word(f.families, family) && holds(f.when, kept);
  });
  if (form == reader.forms.end()) {
    for (const TensorInfo* tensor : kept) {
      verdict.unread.push_back(tensor->name);
    }
    return verdict;
  }
  Reading reading(*form, config, base, verdict);
  if (!reading.take(kept)) {
    verdict.outcome = ReaderOutcome::refused;
    return verdict;
  }
  verdict.unread.insert(verdict.unread.end(), dropped.begin(), dropped.end());
  if (!reading.found_any()) {
    return verdict;
  }
  reading.fit();
  reading.check(meaning, "");
  verdict.outcome = outcome_of(verdict);
  return verdict;
}

Meaning meaning_of(std::span<const AdapterModule> modules) {
  return [modules](const std::string& path,
                   std::span<const float> weight) -> std::optional<MeantChange> {
    const auto at = std::ranges::find(modules, path, &AdapterModule::path);
    if (at == modules.end()) {
      return std::nullopt;
    }
    return MeantChange{weight_delta(*at, weight), kSumRounding};
  };
}

}  // namespace mantissa
