#include "engine/io/tokenizer_folder.h"

#include <algorithm>
#include <array>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/config_fields.h"
#include "engine/io/file.h"
#include "engine/io/json_file.h"
#include "engine/io/post_processor.h"

namespace mantissa {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::array<const char*, 4> kRoles{"bos_token", "eos_token", "unk_token", "pad_token"};
constexpr std::int64_t kMostTokens = 1 << 22;

/// Fields of tokenizer_config.json that don't change the ids of a caption. Pipelines pass padding
/// and truncation themselves; CLIP's tokenizers write lower case and add BOS and EOS whatever is
/// said. What only Qwen's obey is checked there.
constexpr std::array<std::string_view, 53> kUnreadFields{
    "added_tokens_decoder",  // read with the added tokens
    "additional_special_tokens",
    "add_bos_token",
    "add_eos_token",
    "add_prefix_space",
    "audio_bos_token",
    "audio_eos_token",
    "audio_token",
    "backend",
    "bos_token",
    "chat_template",  // checked by models that use it
    "clean_up_tokenization_spaces",
    "cls_token",
    "decode_with_prefix_space",
    "do_lower_case",
    "eos_token",
    "errors",
    "extra_ids",
    "extra_special_tokens",
    "from_slow",
    "full_tokenizer_file",
    "image_token",
    "is_local",
    "legacy",  // only of ids in front of special tokens, by versions before transformers 5
    "local_files_only",
    "mask_token",
    "max_length",
    "model_input_names",
    "model_specific_special_tokens",
    "name_or_path",
    "pad_to_multiple_of",
    "pad_token",
    "pad_token_type_id",
    "processor_class",
    "response_schema",
    "sep_token",
    "special_tokens_map_file",
    "stride",
    "tokenizer_class",
    "tokenizer_file",
    "tokenizer_type",
    "truncation_strategy",
    "unk_token",
    "use_fast",
    "video_token",
    "vision_bos_token",
    "vision_eos_token",
    "vocab_file",
    "merges_file",
    "vocab_size",
    "device_map",
    "return_token_type_ids",
    "spaces_between_special_tokens"};

std::string label_of(const fs::path& file) {
  return "'" + path_to_utf8(file) + "'";
}

json read_object(const fs::path& file) {
  json object = fs::exists(file) ? read_json(file) : json::object();
  if (!object.is_object()) {
    throw Error(message<"{file} must hold a JSON object; get the model's tokenizer folder again">(
        label_of(file)));
  }
  return object;
}

/// The flags of a token given as an object; `content` and `id` are known.
AddedToken flagged(std::string content, std::int32_t id, const json& flags, bool normalized,
                   const std::string& label) {
  AddedToken token{std::move(content), id};
  const auto flag = [&](const char* key, bool fallback) {
    const json value = flags.is_object() ? flags.value(key, json()) : json();
    if (!value.is_null() && !value.is_boolean()) {
      throw Error(message<"{file}: '{flag}' of the token '{token}' is {found}; true or false is "
                          "expected">(label, key, token.content, ConfigFields::start_of(value)));
    }
    return value.is_null() ? fallback : value.get<bool>();
  };
  token.single_word = flag("single_word", false);
  token.lstrip = flag("lstrip", false);
  token.rstrip = flag("rstrip", false);
  token.normalized = flag("normalized", normalized);
  return token;
}

void put(std::vector<AddedToken>& list, AddedToken token) {
  const auto same = std::find_if(list.begin(), list.end(), [&](const AddedToken& other) {
    return other.content == token.content;
  });
  if (same == list.end()) {
    list.push_back(std::move(token));
  } else {
    *same = std::move(token);
  }
}

std::string text_of(const json& token) {
  const json& content = token.is_object() && token.contains("content") ? token["content"] : token;
  return content.is_string() ? content.get<std::string>() : std::string();
}

/// The text of an entry of a list of added tokens.
std::string content_of(const json& token, const std::string& label) {
  std::string content = text_of(token);
  if (content.empty()) {
    throw Error(message<"{file}: the added token {found} has no text (content)">(
        label, ConfigFields::start_of(token)));
  }
  return content;
}

/// A list in `object`, of the kind of `empty`, which it is where it is missing or null.
json list_of(const json& object, const char* key, json empty, const std::string& label) {
  json list = object.is_object() ? object.value(key, json()) : json();
  if (!list.is_null() && list.type() != empty.type()) {
    throw Error(message<"{file}: {field} is {found}; expected: {expected}">(
        label, key, ConfigFields::start_of(list), empty.dump()));
  }
  return list.is_null() ? empty : list;
}

using Lookup = std::function<std::optional<std::int32_t>(const std::string&)>;

/// BOS, EOS and the others, as named in tokenizer_config.json or special_tokens_map.json. Their ids
/// are the vocabulary's; a token missing there is ignored.
void read_roles(const json& object, const Lookup& id_of, const std::string& label,
                TokenizerNotes& notes) {
  for (const char* role : kRoles) {
    const auto at = object.find(role);
    if (at == object.end() || at->is_null()) {
      continue;
    }
    const std::string content = text_of(*at);
    notes.roles[role] = {content, label};
    if (role == std::string_view("pad_token")) {
      notes.pad_token = content;
    }
    const bool listed = std::any_of(notes.added.begin(), notes.added.end(),
                                    [&](const AddedToken& t) { return t.content == content; });
    const std::optional<std::int32_t> id = id_of(content);
    if (id && (at->is_object() || !listed)) {
      put(notes.added, flagged(content, *id, *at, false, label));
    }
  }
}

void read_settings(const json& config, const std::string& label, TokenizerNotes& notes) {
  const ConfigFields f(config, label);
  f.only("padding_side", "right");
  f.only("truncation_side", "right");
  f.only("split_special_tokens", false);
  f.only("sp_model_kwargs", json::object());
  const json* length = f.find("model_max_length");
  if (length != nullptr && length->is_number() && length->get<double>() < kMostTokens) {
    notes.max_length = f.integer("model_max_length", std::nullopt, 2);
  }
  f.refuse_others(kUnreadFields);
}

/// The steps of a Sequence without the fields that don't change its result.
json steps_of(const json& part, const char* list) {
  json steps = part.is_object() ? part.value(list, json()) : json();
  for (json& step : steps) {
    if (step.is_object()) {
      step.erase("trim_offsets");
      if (step.value("use_regex", json()) == true) {
        step.erase("use_regex");  // the default
      }
    }
  }
  return steps;
}

/// Throws Error unless the listed parts of tokenizer.json are CLIP's own, which are built in.
void require_clip_rules(const json& file, const std::string& label) {
  constexpr const char* kWords = R"('s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+)";
  constexpr const char* kMarks = R"(<\|startoftext\|>|<\|endoftext\|>|)";
  const json normal = {{{"type", "NFC"}},
                       {{"type", "Replace"}, {"pattern", {{"Regex", R"(\s+)"}}}, {"content", " "}},
                       {{"type", "Lowercase"}}};
  const auto splits = [](const std::string& expression) {
    return json{{{"type", "Split"},
                 {"pattern", {{"Regex", expression}}},
                 {"behavior", "Removed"},
                 {"invert", true}},
                {{"type", "ByteLevel"}, {"add_prefix_space", false}}};
  };
  const json normalizer = file.value("normalizer", json());
  const json pre_tokenizer = file.value("pre_tokenizer", json());
  const json split = steps_of(pre_tokenizer, "pretokenizers");
  const auto is_sequence = [](const json& part) {
    return part.is_null() || (part.is_object() && part.value("type", json()) == "Sequence");
  };
  if (!is_sequence(normalizer) || !is_sequence(pre_tokenizer) ||
      (!normalizer.is_null() && steps_of(normalizer, "normalizers") != normal) ||
      (!pre_tokenizer.is_null() && split != splits(kWords) &&
       split != splits(std::string(kMarks) + kWords))) {
    throw Error(message<"{file} normalises or splits text in another way than CLIP's tokenizer "
                        "(normalizer NFC, white space, lower case; pre_tokenizer Split, "
                        "ByteLevel); only CLIP's is supported">(label));
  }
  const ConfigFields model(file["model"], label + " (model)");
  model.only("type", "BPE");
  model.only("end_of_word_suffix", "</w>");
  model.only("continuing_subword_prefix", "");
  model.only("fuse_unk", false);
  model.only("byte_fallback", false);
  model.only("ignore_merges", false);
  model.absent("dropout");
  require_frame(file, {{"<|startoftext|>"}, {"<|endoftext|>"}}, label);
}

void read_tokenizer_json(const fs::path& path, const json& file, BpeFiles& files) {
  files.label = label_of(path);
  const auto model = file.find("model");
  if (model == file.end() || !model->is_object() || !model->contains("vocab") ||
      !model->contains("merges") || !(*model)["merges"].is_array()) {
    throw Error(
        message<"{file} holds no byte-pair model (model.vocab, model.merges)">(files.label));
  }
  require_clip_rules(file, files.label);
  files.vocab = (*model)["vocab"];
  for (const json& entry : (*model)["merges"]) {
    if (entry.is_array() && entry.size() == 2 && entry[0].is_string() && entry[1].is_string()) {
      files.merges.emplace_back(entry[0].get<std::string>(), entry[1].get<std::string>());
      continue;
    }
    const auto merge = entry.is_string() ? merge_of(entry.get<std::string>()) : std::nullopt;
    if (!merge) {
      throw Error(message<"{file}: model.merges holds {found}; pairs of symbols are expected">(
          files.label, entry.dump().substr(0, 80)));
    }
    files.merges.push_back(*merge);
  }
}

}  // namespace

std::optional<std::pair<std::string, std::string>> merge_of(std::string_view line) {
  if (!line.empty() && line.back() == '\r') {
    line.remove_suffix(1);
  }
  const std::size_t space = line.find(' ');
  if (space == 0 || space == std::string_view::npos || space + 1 == line.size() ||
      line.find(' ', space + 1) != std::string_view::npos) {
    return std::nullopt;
  }
  return std::pair(std::string(line.substr(0, space)), std::string(line.substr(space + 1)));
}

std::int32_t token_id_of(const json& value, const std::string& label, const std::string& token) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= kMostTokens) {
    throw Error(message<"{file}: the id of token '{token}' is {found}; a whole number below {most} "
                        "is expected">(label, token, ConfigFields::start_of(value), kMostTokens));
  }
  return value.get<std::int32_t>();
}

std::vector<std::pair<std::string, std::string>> read_merges_text(const fs::path& path) {
  std::vector<std::pair<std::string, std::string>> merges;
  const std::string text = read_text(path);
  std::size_t start = 0, number = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = std::string_view(text).substr(start, end - start);
    start = end + 1;
    ++number;
    if (line.empty() || line == "\r" || (number == 1 && line.starts_with("#version"))) {
      continue;
    }
    const auto merge = merge_of(line);
    if (!merge) {
      throw Error(
          message<"{file}, line {line}: two symbols with one space between them are expected">(
              label_of(path), number));
    }
    merges.push_back(*merge);
  }
  return merges;
}

TokenizerNotes tokenizer_notes(const fs::path& folder, const json& file, const Lookup& id_of) {
  TokenizerNotes notes;
  std::map<std::string, std::int32_t> ids;  // of added tokens
  const auto add = [&](AddedToken token) {
    if (ids.insert_or_assign(token.content, token.id).second) {
      notes.added.push_back(std::move(token));
    } else {
      put(notes.added, std::move(token));
    }
  };
  const json config = read_object(folder / "tokenizer_config.json");
  const std::string label = label_of(folder / "tokenizer_config.json"),
                    old_label = label_of(folder / "added_tokens.json"),
                    file_label = label_of(folder / "tokenizer.json"),
                    map_label = label_of(folder / "special_tokens_map.json");
  const json old = read_object(folder / "added_tokens.json");
  for (const auto& [content, id] : old.items()) {
    add(flagged(content, token_id_of(id, old_label, content), {}, true, old_label));
  }
  const json decoder = list_of(config, "added_tokens_decoder", json::object(), label);
  for (const auto& [number, token] : decoder.items()) {
    const std::string content = content_of(token, label);
    const json id = json::parse(number, nullptr, false);
    add(flagged(content, token_id_of(id, label, content), token, true, label));
  }
  for (const json& token : list_of(file, "added_tokens", json::array(), file_label)) {
    const std::string content = content_of(token, file_label);
    const json id = token.is_object() ? token.value("id", json()) : json();
    add(flagged(content, token_id_of(id, file_label, content), token, true, file_label));
  }
  read_settings(config, label, notes);
  const Lookup find = [&](const std::string& token) {
    const auto at = ids.find(token);
    return at == ids.end() ? id_of(token) : at->second;
  };
  read_roles(config, find, label, notes);
  read_roles(read_object(folder / "special_tokens_map.json"), find, map_label, notes);
  return notes;
}

BpeFiles read_bpe_folder(const fs::path& folder) {
  BpeFiles files;
  json file;
  if (fs::exists(folder / "tokenizer.json")) {
    file = read_object(folder / "tokenizer.json");
    read_tokenizer_json(folder / "tokenizer.json", file, files);
  } else if (fs::exists(folder / "vocab.json") && fs::exists(folder / "merges.txt")) {
    files.vocab = read_json(folder / "vocab.json");
    files.label = label_of(folder / "merges.txt");
    files.merges = read_merges_text(folder / "merges.txt");
  } else {
    throw Error(message<"{path} holds neither vocab.json with merges.txt nor tokenizer.json; get "
                        "the model's tokenizer folder again">(label_of(folder)));
  }
  if (!files.vocab.is_object()) {
    throw Error(message<"{file}: the vocabulary must be an object of token to id">(files.label));
  }
  for (const auto& [token, id] : files.vocab.items()) {
    token_id_of(id, files.label, token);
  }
  files.notes = tokenizer_notes(folder, file, [&](const std::string& token) {
    const auto at = files.vocab.find(token);
    return at == files.vocab.end() ? std::optional<std::int32_t>() : at->get<std::int32_t>();
  });
  return files;
}

}  // namespace mantissa
