#include "engine/preset/import.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

#include "engine/core/error.h"
#include "engine/preset/import_ai_toolkit.h"
#include "engine/preset/import_diffusion_pipe.h"
#include "engine/preset/import_families.h"
#include "engine/preset/import_kohya.h"
#include "engine/preset/import_kohya_source.h"
#include "engine/preset/import_lycoris.h"
#include "engine/preset/import_onetrainer.h"
#include "engine/preset/import_rules.h"
#include "engine/preset/import_simpletuner.h"
#include "engine/preset/import_yaml.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/preset_library.h"
#include "engine/preset/preset_text.h"
#include "engine/preset/schema.h"

namespace mantissa {
namespace {

constexpr std::string_view kOneTrainerMetadataKey = "ot_config";
constexpr std::string_view kDatasetsKey = "ss_datasets";

[[noreturn]] void fail_lines(const std::vector<LineProblem>& problems, std::string_view source) {
  const LineProblem& first = problems.front();
  throw Error(message<"{file}:{line}: {problem}">(source, first.line, first.message));
}

/// Our own preset: the report lists what it sets.
ImportResult import_own(Preset preset) {
  ImportResult result;
  result.preset = std::move(preset);
  for (const Setting& s : settings()) {
    if (!is_default(result.preset, s.key)) {
      ImportRow row;
      row.source = s.key;
      row.value = short_value(get_setting(result.preset, s.key));
      row.fate = ImportFate::mapped;
      row.targets = {std::string(s.key)};
      result.rows.push_back(std::move(row));
    }
  }
  return result;
}

/// The preset within a run's job.json or a run's export; null if there is none.
const JsonNode* own_preset_within(const JsonNode& root) {
  const JsonNode* preset = find_member(root, "preset");
  return preset != nullptr && find_member(*preset, "mantissa_preset") != nullptr ? preset : nullptr;
}

/// By a key that only sd-scripts and its kin have; keys that others share tell nothing.
KohyaKey kohya_likeness(const JsonNode& root, std::string& shared) {
  KohyaKey most = KohyaKey::unknown;
  for (const SourceEntry& entry : kohya_entries(root)) {
    const KohyaKey key = kohya_key(entry.key);
    if (key == KohyaKey::shared && most == KohyaKey::unknown) {
      shared = entry.path;
    }
    most = std::max(most, key);
  }
  return most;
}

/// The first leaf, at any depth, that has one of these names of its own.
const SourceEntry* find_leaf(const std::vector<SourceEntry>& leaves,
                             std::span<const std::string_view> names) {
  const auto found = std::find_if(leaves.begin(), leaves.end(), [&](const SourceEntry& leaf) {
    const std::string_view name = std::string_view(leaf.path).substr(leaf.path.rfind('.') + 1);
    return std::find(names.begin(), names.end(), name) != names.end();
  });
  return found == leaves.end() ? nullptr : &*found;
}

/// Files of trainers that are known but not read, by keys that only they have.
void refuse_other_programs(const JsonNode& root, std::string_view source) {
  static constexpr std::string_view kDiffSynth[] = {
      "model_id_with_origin_paths", "lora_base_model",       "trainable_models",
      "dataset_base_path",          "dataset_metadata_path", "remove_prefix_in_ckpt"};
  static constexpr std::string_view kInvoke[] = {"lora_rank_dim", "base_output_dir",
                                                 "lora_checkpoint_format", "base_embeddings"};
  static constexpr std::string_view kDiffusers[] = {
      "instance_data_dir",       "instance_prompt",   "class_data_dir",
      "with_prior_preservation", "num_class_images",  "snr_gamma",
      "num_validation_images",   "max_train_samples", "checkpointing_steps"};
  static constexpr std::string_view kNetwork[] = {"network_module", "network_dim", "LoRA_type"};
  const std::vector<SourceEntry> leaves = flatten_tree(root);
  if (const SourceEntry* leaf = find_leaf(leaves, kDiffSynth)) {
    refuse_program(source, leaf->line, leaf->path, "DiffSynth-Studio");
  }
  if (const SourceEntry* leaf = find_leaf(leaves, kInvoke)) {
    refuse_program(source, leaf->line, leaf->path, "invoke-training");
  }
  if (const SourceEntry* leaf = find_leaf(leaves, kDiffusers);
      leaf != nullptr && find_leaf(leaves, kNetwork) == nullptr) {
    refuse_program(source, leaf->line, leaf->path, "diffusers");
  }
}

/// An object, or a list of objects: a table of TOML begins like a list.
bool looks_like_json(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos || text[first] == '{') {
    return first != std::string_view::npos;
  }
  const std::size_t second = text.find_first_not_of(kSpace, first + 1);
  return text[first] == '[' && second != std::string_view::npos && text[second] == '{';
}

/// Files that no parser should explain: each of them would only tell what it met first.
void refuse_other_files(std::string_view text, std::string_view source) {
  using namespace std::string_view_literals;
  if (is_utf16(text)) {
    throw Error(message<"{file} is text in UTF-16; save it as UTF-8">(source));
  }
  if (text.starts_with("\x89PNG"sv) || text.starts_with("\xFF\xD8\xFF"sv) ||
      (text.starts_with("RIFF"sv) && text.substr(0, 12).ends_with("WEBP"sv))) {
    throw Error(message<"{file} is an image, not a configuration">(source));
  }
  if (text.find('\0') != std::string_view::npos) {
    throw Error(message<"{file} is not a text file, so it is no configuration">(source));
  }
  const std::size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  if (text.substr(first).starts_with("//") || text.substr(first).starts_with("/*")) {
    throw Error(
        message<"{file} begins with a comment that JSON does not have; remove its comments">(
            source));
  }
}

/// Whether a line runs a trainer, as those of a script do.
bool is_launch(std::string_view line) {
  static constexpr std::string_view kPrograms[] = {"accelerate", "python", "torchrun",
                                                   "deepspeed",  "uv run", "py "};
  const std::size_t first = line.find_first_not_of(" \t&\"");
  line.remove_prefix(std::min(first, line.size()));
  const bool program =
      std::ranges::any_of(kPrograms, [&](std::string_view name) { return line.starts_with(name); });
  return program && (line.find(" launch") != std::string_view::npos ||
                     line.find(".py") != std::string_view::npos);
}

/// A script that gives a trainer its options. Only for text that can't be read otherwise: a
/// configuration may have such a line within a text.
void refuse_script(std::string_view text, std::string_view source) {
  bool script = text.starts_with("#!") || lower_ascii(text.substr(0, 5)) == "@echo";
  for (std::size_t at = 0; at < text.size() && !script;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    script = is_launch(text.substr(at, end - at));
    at = end + 1;
  }
  if (script) {
    throw Error(message<"{file} is a script of commands, which are not read; import the file that "
                        "it names after --config_file or --dataset_config, or the .toml or .json "
                        "that the trainer has saved">(source));
  }
}

[[noreturn]] void fail_unknown(std::string_view source) {
  throw Error(
      message<"{file} is neither a preset nor a configuration of a trainer that can be imported: "
              "none of its keys is known">(source));
}

}  // namespace

ImportResult import_preset_text(std::string_view text, std::string_view source,
                                const FileBeside& beside) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") {
    text.remove_prefix(3);  // Windows editors add a byte-order mark
  }
  if (text.size() > kPresetMaxBytes) {
    throw Error(message<"{file} is larger than 1 MB, so it is no preset">(source));
  }
  refuse_other_files(text, source);
  if (looks_like_simpletuner_env(text)) {
    return import_simpletuner_env(text, source);
  }
  if (looks_like_simpletuner_launch(text)) {
    throw Error(message<"{file} only says how SimpleTuner is launched; import the config.json "
                        "beside it">(source));
  }
  const bool is_json = looks_like_json(text);
  JsonNode root;
  std::vector<LineProblem> problems;
  const bool usable = is_json                 ? parse_json_text(text, root, problems)
                      : looks_like_yaml(text) ? parse_yaml_text(text, root, problems)
                                              : parse_toml_text(text, root, problems);
  if (!usable) {
    refuse_script(text, source);
    fail_lines(problems, source);
  }
  if (is_json && find_member(root, "mantissa_preset") != nullptr) {
    return import_own(parse_preset(text, source));
  }
  if (!problems.empty()) {
    refuse_script(text, source);
    fail_lines(problems, source);  // a duplicate key is ambiguous
  }
  if (const JsonNode* own = is_json ? own_preset_within(root) : nullptr) {
    return import_own(parse_preset(own->value().dump(), source));
  }
  if (looks_like_ai_toolkit(root)) {
    return import_ai_toolkit(root, source);
  }
  if (looks_like_simpletuner(root)) {
    return import_simpletuner(root, source);
  }
  if (is_json && looks_like_onetrainer(root)) {
    return import_onetrainer(root, source);
  }
  if (is_json && looks_like_onetrainer_concepts(root)) {
    return import_onetrainer_concepts(root, source);
  }
  if (looks_like_lycoris(root)) {
    return import_lycoris(root, source);
  }
  if (looks_like_diffusion_pipe(root)) {
    return import_diffusion_pipe(root, source, beside);
  }
  refuse_other_programs(root, source);
  std::string shared;
  const KohyaKey likeness = kohya_likeness(root, shared);
  if (likeness == KohyaKey::shared) {
    throw Error(
        message<"{file}: {key} and its other keys are shared by several trainers; add a key "
                "that tells whose configuration this is, such as network_module of "
                "sd-scripts">(source, shared));
  }
  if (likeness == KohyaKey::unknown) {
    refuse_script(text, source);
    fail_unknown(source);
  }
  return import_kohya(root, source, beside);
}

ImportResult import_preset_metadata(const std::map<std::string, std::string>& metadata,
                                    std::string_view source, bool adapts_text) {
  if (metadata.contains(std::string(kPresetMetadataKey))) {
    return import_own(preset_from_metadata(metadata, source));
  }
  if (const auto config = metadata.find(std::string(kOneTrainerMetadataKey));
      config != metadata.end()) {
    return import_preset_text(config->second,
                              fmt::format("{} ({})", source, kOneTrainerMetadataKey));
  }
  if (!metadata.contains("ss_network_dim") && !metadata.contains("ss_network_module")) {
    throw Error(message<"{file} carries no preset: its metadata has no \"{key}\", and nothing of "
                        "sd-scripts or OneTrainer either">(source, kPresetMetadataKey));
  }
  std::size_t bytes = 0, values = 0;
  std::map<std::string, std::string> limited;
  for (const auto& [key, value] : metadata) {
    // Tag statistics can be long; they don't affect the preset and are truncated rather than
    // refused.
    const std::string kept = key == kDatasetsKey ? without_statistics(value) : value;
    const bool is_short = key.size() + kept.size() <= kPresetMaxString;
    bytes += key.size() + (is_short ? kept.size() : 0);
    if (++values > kPresetMaxValues || bytes > kPresetMaxBytes) {
      throw Error(message<"{file} has more metadata than a preset needs">(source));
    }
    limited.emplace(key, is_short ? kept : std::string("(long)"));
  }
  return import_kohya_metadata(limited, source, adapts_text);
}

}  // namespace mantissa
