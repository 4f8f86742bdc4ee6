// Facts about kohya_ss behind this file: it saves the keys of all models, whichever is trained.
// Those of one script have a prefix, without which they are passed on; of the plain ones, each
// script is passed its own.

#include <algorithm>
#include <map>

#include "engine/preset/import_kohya_rules.h"
#include "engine/preset/import_kohya_source.h"

namespace mantissa {
namespace {

/// Keys without a prefix that kohya_ss passes to one script of flow models alone.
struct PlainKey {
  std::string_view key;
  std::string_view script;  ///< its switch
};
constexpr PlainKey kPlainKeys[] = {
    {"timestep_sampling", "flux1_checkbox"}, {"discrete_flow_shift", "flux1_checkbox"},
    {"guidance_scale", "flux1_checkbox"},    {"model_prediction_type", "flux1_checkbox"},
    {"weighting_scheme", "sd3_checkbox"},    {"logit_mean", "sd3_checkbox"},
    {"logit_std", "sd3_checkbox"},           {"mode_scale", "sd3_checkbox"},
};

/// Whether the pages that train a model itself keep a rate to themselves: they save one for the
/// text encoder and one for each of SDXL's, and pass on those of the model.
bool is_rate_of_another(std::string_view key, bool sdxl) {
  return sdxl ? key == "learning_rate_te"
              : key == "learning_rate_te1" || key == "learning_rate_te2";
}

bool is_on(const std::vector<SourceEntry>& entries, std::string_view key) {
  return std::ranges::any_of(entries, [&](const SourceEntry& entry) {
    return entry.key == key && entry.superseded_by.empty() && !is_off(entry.value);
  });
}

/// The script whose prefix a key has; null if it has none.
const ScriptSwitch* script_of_key(std::string_view key) {
  const auto* found = std::ranges::find_if(kScriptSwitches, [&](const ScriptSwitch& script) {
    return !script.prefix.empty() && key.starts_with(script.prefix) && key != script.key;
  });
  return found == std::end(kScriptSwitches) ? nullptr : found;
}

}  // namespace

void name_script_keys(std::vector<SourceEntry>& entries) {
  const bool of_gui = std::ranges::any_of(entries, [](const SourceEntry& entry) {
    return entry.key == "LoRA_type" ||
           (entry.key != "v2" &&
            std::ranges::find(kScriptSwitches, std::string_view(entry.key), &ScriptSwitch::key) !=
                std::end(kScriptSwitches));
  });
  if (!of_gui) {
    return;
  }
  const auto* script = std::ranges::find_if(
      kScriptSwitches, [&](const ScriptSwitch& each) { return is_on(entries, each.key); });
  const bool none = script == std::end(kScriptSwitches);
  const bool sdxl = !none && script->version == "sdxl";
  const bool flow = !none && (script->version == "flux1" || !script->prefix.empty());
  std::map<std::string, std::string> own;  // the places of the script's keys, by plain key
  for (SourceEntry& entry : entries) {
    const ScriptSwitch* of = script_of_key(entry.key);
    const auto* plain = std::ranges::find(kPlainKeys, std::string_view(entry.key), &PlainKey::key);
    if (of != nullptr && !none && of == script) {
      entry.key = entry.key.substr(of->prefix.size());
      own[entry.key] = entry.path;
    } else if (of != nullptr || is_rate_of_another(entry.key, sdxl) ||
               (flow && plain != std::end(kPlainKeys) && plain->script != script->key)) {
      entry.passed_over = message<"Counts for another model there.">();
    }
  }
  for (SourceEntry& entry : entries) {
    const auto found = own.find(entry.key);
    if (found != own.end() && found->second != entry.path && entry.superseded_by.empty()) {
      entry.superseded_by = found->second;
    }
  }
}

}  // namespace mantissa
