#include "engine/io/model_index.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

#include "engine/core/paths.h"
#include "engine/io/config_fields.h"
#include "engine/io/family.h"
#include "engine/io/json_file.h"

namespace mantissa {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// Entries of pipelines that change neither training nor the samples made here.
constexpr std::array<std::string_view, 12> kHarmlessEntries{
    "safety_checker",  // checks finished images
    "requires_safety_checker",
    "feature_extractor",             // prepares images for the two others
    "image_encoder",                 // of image prompts
    "force_zeros_for_empty_prompt",  // of a missing negative prompt; here it is a text, if empty
    // Of modular pipelines: guidance is a setting of each sample here, prompts are used as they
    // are.
    "guider", "prompt_upsampler", "prompt_upsampler_processor", "image_processor",
    "processor",          // of reference images
    "pe", "pe_tokenizer"  // rewrite prompts
};

/// Classes of transformers around the same encoder, whose hidden states are the same.
constexpr std::array<std::array<std::string_view, 2>, 3> kSameEncoder{
    {{"Qwen3Model", "Qwen3ForCausalLM"},
     {"Qwen3VLModel", "Qwen3VLForConditionalGeneration"},
     {"Mistral3Model", "Mistral3ForConditionalGeneration"}}};
/// Classes that do what the tokenizer's own files say.
constexpr std::array<std::string_view, 5> kAnyTokenizer{"AutoTokenizer", "PreTrainedTokenizerFast",
                                                        "TokenizersBackend", "AutoProcessor",
                                                        "Qwen3VLProcessor"};
constexpr std::string_view kFast = "Fast";

bool is_one_of(std::string_view name, std::span<const std::string_view> list) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

bool same_encoder(std::string_view a, std::string_view b) {
  return a == b || std::any_of(kSameEncoder.begin(), kSameEncoder.end(), [&](const auto& names) {
           return is_one_of(a, names) && is_one_of(b, names);
         });
}

bool same_tokenizer(std::string_view a, std::string_view b) {
  const auto plain = [](std::string_view name) {
    return name.ends_with(kFast) ? name.substr(0, name.size() - kFast.size()) : name;
  };
  return plain(a) == plain(b) || is_one_of(a, kAnyTokenizer);
}

/// [library, class] of a part; empty if the pipeline is without it. A modular pipeline adds where
/// it loads the part from.
std::optional<std::pair<std::string, std::string>> class_of(const ConfigFields& f,
                                                            const std::string& key) {
  const json* entry = f.find(key.c_str());
  if (entry == nullptr) {
    return std::nullopt;
  }
  const json& list = *entry;
  if (list.is_array() && list.size() >= 2 && list[0].is_null() && list[1].is_null()) {
    return std::nullopt;
  }
  if (!list.is_array() || list.size() < 2 || list.size() > 3 || !list[0].is_string() ||
      !list[1].is_string()) {
    f.fail(key, message<"is {found}; expected: {expected}">(ConfigFields::start_of(list),
                                                            R"(["library", "class"])"));
  }
  if (list.size() == 3 && list[2].is_object()) {
    const json below = list[2].value("subfolder", json(key));
    if (below != key && !below.is_null()) {
      f.fail(key, message<"loads this part from {found}; only the model's own folder {expected} is "
                          "read">(ConfigFields::start_of(below), key));
    }
  }
  return std::pair(list[0].get<std::string>(), list[1].get<std::string>());
}

template <typename Same>
void check_class(const ConfigFields& f, std::string_view folder, const LibraryClass& wanted,
                 bool held, Same same) {
  const std::string key(folder);
  const auto found = class_of(f, key);
  if (!found) {
    // A modular pipeline's third entry says where it loads a part from that isn't loaded yet.
    const json* entry = f.find(key.c_str());
    const bool left_out = f.is_null(key.c_str()) || (entry != nullptr && entry->size() == 2);
    if (held && left_out) {
      f.fail(key, message<"is null, but the model's folder holds {folder}; remove the folder, or "
                          "name its class">(key));
    }
    return;
  }
  if (found->first != wanted.library || !same(found->second, wanted.name)) {
    f.fail(key, message<"is {found}; only {choices} is supported (a plain model of its family)">(
                    found->first + "." + found->second,
                    std::string(wanted.library) + "." + std::string(wanted.name)));
  }
}

void check_pipeline(const ConfigFields& f, const Family& family) {
  const std::string name = f.text("_class_name", std::string(family.pipeline));
  if (name != family.pipeline && !is_one_of(name, family.other_pipelines)) {
    f.fail("_class_name",
           message<"is {found}, but the folder's weights are those of {family} ({pipeline}); use "
                   "the folder of such a model, or only its weights as one file">(
               name, family.title(), family.pipeline));
  }
}

}  // namespace

json read_model_index(const fs::path& folder, const Family& family) {
  fs::path file = folder / "model_index.json";
  if (!fs::exists(file)) {
    file = folder / "modular_model_index.json";
  }
  if (!fs::exists(file)) {
    return json::object();
  }
  json index = read_json(file);
  const ConfigFields f(index, "'" + path_to_utf8(file) + "'");
  check_pipeline(f, family);
  for (const PartFiles& part : family.parts) {
    check_class(f, part.folder, part.model, fs::is_directory(folder / part.folder), same_encoder);
    if (!part.tokenizer.empty()) {
      check_class(f, part.tokenizer, part.tokenizer_model,
                  fs::is_directory(folder / part.tokenizer), same_tokenizer);
    }
  }
  if (const auto scheduler = class_of(f, "scheduler");
      scheduler && scheduler->first != "diffusers") {
    f.fail("scheduler",
           message<"is {found}; only {choices} is supported (a plain model of its family)">(
               scheduler->first + "." + scheduler->second, "diffusers"));
  }
  std::vector<std::string_view> known(kHarmlessEntries.begin(), kHarmlessEntries.end());
  known.insert(known.end(), family.pipeline_settings.begin(), family.pipeline_settings.end());
  for (const auto& [key, value] : index.items()) {
    if (value.is_array() &&
        std::all_of(value.begin(), value.end(), [](const json& item) { return item.is_null(); })) {
      known.push_back(key);  // [null, null]: a part that this model is without
    }
  }
  f.refuse_others(known);
  return index;
}

json pipeline_settings(const json& index, const Family& family) {
  json settings = json::object();
  for (const std::string_view key : family.pipeline_settings) {
    if (const auto at = index.find(key); at != index.end()) {
      settings[std::string(key)] = *at;
    }
  }
  return settings;
}

std::string scheduler_class(const json& index) {
  const auto entry = index.find("scheduler");
  return entry != index.end() && entry->is_array() && entry->size() >= 2 && (*entry)[1].is_string()
             ? (*entry)[1].get<std::string>()
             : std::string();
}

}  // namespace mantissa
