#include "engine/io/bpe_folder.h"

#include <map>
#include <string_view>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/config_fields.h"
#include "engine/io/json_file.h"

namespace mantissa {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// What transformers' Qwen2Tokenizer splits with where no tokenizer.json says it.
constexpr const char* kQwen2Words =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
    R"(|\s*[\r\n]+|\s+(?!\S)|\s+)";

std::string file_label(const fs::path& file) {
  return "'" + path_to_utf8(file) + "'";
}

/// An object of the file by its path there: "pre_tokenizer.pretokenizers[0]".
class JsonPart {
 public:
  JsonPart(const json& object, const std::string& label, std::string path)
      : object_(object), label_(label), path_(std::move(path)) {
    if (!object_.is_object()) {
      fail(path_, object_, "{…}");
    }
  }
  const json& value(const char* key) const {
    static const json null;
    const auto at = object_.find(key);
    return at == object_.end() ? null : *at;
  }
  void require(const char* key, const json& expected) const {
    if (value(key) != expected) {
      fail(path_ + "." + key, value(key), expected.dump());
    }
  }
  /// Missing and null are the default, false or "".
  void require_default(const char* key, const json& expected) const {
    if (!value(key).is_null()) {
      require(key, expected);
    }
  }
  JsonPart part(const char* key) const { return {value(key), label_, path_ + "." + key}; }
  [[noreturn]] void fail(const char* key, const std::string& expected) const {
    fail(path_ + "." + key, value(key), expected);
  }

 private:
  [[noreturn]] void fail(const std::string& field, const json& found,
                         const std::string& expected) const {
    throw Error(message<"{file}: {field} is {found}; expected: {expected}">(
        label_, field, ConfigFields::start_of(found), expected));
  }
  const json& object_;
  const std::string& label_;
  std::string path_;
};

/// Whether text is composed.
bool read_normalizer(const json& file, const std::string& label) {
  const json normalizer = file.value("normalizer", json());
  if (normalizer.is_null()) {
    return false;
  }
  JsonPart(normalizer, label, "normalizer").require("type", "NFC");
  return true;
}

std::vector<std::string> read_pre_tokenizer(const json& file, const std::string& label) {
  const json object = file.value("pre_tokenizer", json());
  const JsonPart sequence(object, label, "pre_tokenizer");
  sequence.require("type", "Sequence");
  const json& steps = sequence.value("pretokenizers");
  if (!steps.is_array() || steps.size() < 2) {
    sequence.fail("pretokenizers", R"([{"type": "Split", …}, {"type": "ByteLevel", …}])");
  }
  std::vector<std::string> expressions;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const JsonPart step(steps[i], label, "pre_tokenizer.pretokenizers[" + std::to_string(i) + "]");
    if (i + 1 == steps.size()) {
      step.require("type", "ByteLevel");
      step.require("add_prefix_space", false);
      step.require("use_regex", false);
      continue;
    }
    step.require("type", "Split");
    step.require("behavior", "Isolated");
    step.require_default("invert", false);
    const JsonPart pattern = step.part("pattern");
    if (!pattern.value("Regex").is_string()) {
      step.fail("pattern", R"({"Regex": "…"})");
    }
    expressions.push_back(pattern.value("Regex").get<std::string>());
  }
  return expressions;
}

void read_model(const json& file, const std::string& label, BpeDefinition& result) {
  const json object = file.value("model", json());
  const JsonPart model(object, label, "model");
  model.require("type", "BPE");
  model.require_default("dropout", 0.0);
  model.require_default("continuing_subword_prefix", "");
  model.require_default("end_of_word_suffix", "");
  model.require_default("byte_fallback", false);
  if (!model.value("vocab").is_object()) {
    model.fail("vocab", R"({"token": id, …})");
  }
  if (!model.value("merges").is_array()) {
    model.fail("merges", R"([["a", "b"], …])");
  }
  result.ignore_merges = model.value("ignore_merges") == true;
  if (!result.ignore_merges) {
    model.require_default("ignore_merges", false);
  }
}

void read_settings_of(const json& file, const FrameTokens& frame, BpeDefinition& result) {
  if (!file.is_object()) {
    throw Error(message<"{file} must hold a JSON object; get the model's tokenizer folder again">(
        result.label));
  }
  read_model(file, result.label, result);
  result.compose = read_normalizer(file, result.label);
  result.expressions = read_pre_tokenizer(file, result.label);
  // transformers overrides the file's truncation and padding at every call, so they are ignored.
  require_frame(file, frame, result.label);
}

/// What tokenizer_config.json may ask for beyond tokenizer_notes.
void check_config(const fs::path& path, bool from_tokenizer_json, const FrameTokens& frame) {
  if (!fs::exists(path)) {
    return;
  }
  const json object = read_json(path);
  const std::string label = file_label(path);
  const ConfigFields config(object, label);
  constexpr std::string_view kAddsBegin = "add_bos_token";
  for (const char* key :
       {"add_prefix_space", "split_special_tokens", "add_bos_token", "add_eos_token"}) {
    const json* value = config.find(key);
    const bool in_frame = key == kAddsBegin && !frame.before.empty();
    if (value != nullptr && *value != false && !(in_frame && *value == true)) {
      config.fail(key, message<"is {found}; expected: {expected}">(ConfigFields::start_of(*value),
                                                                   "false"));
    }
  }
  if (!from_tokenizer_json) {
    // Another class splits words in another way, which only tokenizer.json would tell.
    config.one_of("tokenizer_class", "Qwen2Tokenizer", {"Qwen2Tokenizer", "Qwen2TokenizerFast"});
  }
}

void check_ids(const BpeDefinition& definition, const std::string& added_label) {
  std::map<std::int32_t, const std::string*> added;
  for (const AddedToken& token : definition.notes.added) {
    const auto [at, first] = added.emplace(token.id, &token.content);
    const auto known = definition.vocab.find(token.content);
    if (!first) {
      throw Error(message<"{file}: the tokens '{first}' and '{second}' have the same id {id}">(
          added_label, *at->second, token.content, token.id));
    }
    if (known != definition.vocab.end() && known->second != token.id) {
      throw Error(
          message<"{file}: the added token '{token}' has the id {found}; expected: {expected}, its "
                  "id in the vocabulary">(added_label, token.content, token.id, known->second));
    }
  }
  std::vector<const std::string*> by_id;
  for (const auto& [token, id] : definition.vocab) {
    const auto at = static_cast<std::size_t>(id);
    by_id.resize(std::max(by_id.size(), at + 1));
    const auto clash = added.find(id);
    const std::string* other =
        clash != added.end() && *clash->second != token ? clash->second : by_id[at];
    if (other != nullptr) {
      throw Error(message<"{file}: the tokens '{first}' and '{second}' have the same id {id}">(
          definition.label, std::min(token, *other), std::max(token, *other), id));
    }
    by_id[at] = &token;
  }
}

}  // namespace

BpeDefinition read_bpe_definition(const fs::path& folder, const FrameTokens& frame) {
  BpeDefinition result;
  const fs::path whole = folder / "tokenizer.json", vocab = folder / "vocab.json",
                 merges = folder / "merges.txt";
  json file;
  if (fs::exists(whole)) {
    BpeJson content = read_bpe_json(whole);
    result.label = file_label(whole);
    result.vocab = std::move(content.vocab);
    result.merges = std::move(content.merges);
    file = std::move(content.rest);
    read_settings_of(file, frame, result);
  } else if (fs::exists(vocab) && fs::exists(merges)) {
    result.label = file_label(vocab);
    result.vocab = read_vocab_json(vocab);
    result.merges = read_merges_text(merges);
    result.expressions = {kQwen2Words};
  } else {
    throw Error(message<"{path} holds neither vocab.json with merges.txt nor tokenizer.json; get "
                        "the model's tokenizer folder again">(file_label(folder)));
  }
  check_config(folder / "tokenizer_config.json", !file.is_null(), frame);
  result.notes = tokenizer_notes(folder, file, [&](const std::string& token) {
    const auto at = result.vocab.find(token);
    return at == result.vocab.end() ? std::optional<std::int32_t>() : at->second;
  });
  check_ids(result, file.is_null() ? file_label(folder / "tokenizer_config.json") : result.label);
  return result;
}

}  // namespace mantissa
