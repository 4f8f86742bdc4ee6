// Every field of a tokenizer's files, changed: honoured, harmless for the reason given here, or
// refused by file and name. None is ignored.
#include <functional>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/core/error.h"
#include "engine/io/bpe_tokenizer.h"
#include "engine/io/json_file.h"
#include "engine/io/tokenizer.h"
#include "engine/io/tokenizer_folder.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Ids = std::vector<std::int32_t>;

const fs::path kKindFolders = fs::path(MANTISSA_TEST_DATA) / "golden/tokenizers";
// " watercolor" is a token of Qwen's test vocabulary that no merge makes.
constexpr const char* kText = "A cat's  photo, 12 of <|endoftext|> them in watercolor\n";

/// A kind of tokenizer, with what it makes of a text.
struct KindOfTokenizer {
  const char* folder;
  std::function<Ids(const fs::path&)> encode;
  /// Places in tokenizer.json, as JSON pointers, whose value changes no id.
  std::set<std::string> harmless;
};

/// With the length and padding that the model takes from the folder.
Ids clip_ids(const fs::path& folder) {
  const ClipTokenizer tokenizer = ClipTokenizer::from_folder(folder);
  const TokenizerNotes notes = read_bpe_folder(folder).notes;
  Ids ids = tokenizer.encode_padded(kText, notes.max_length.value_or(77),
                                    tokenizer.encode(notes.pad_token.value_or("!")).at(0));
  return ids;
}
Ids qwen_ids(const fs::path& folder) {
  const BpeTokenizer tokenizer = BpeTokenizer::from_folder(folder);
  Ids ids = tokenizer.encode(kText);
  ids.push_back(tokenizer.pad_id().value_or(-1));
  return ids;
}

const KindOfTokenizer kKinds[] = {
    {"clip",
     clip_ids,
     {"/version",                                        // the file's format
      "/truncation", "/padding",                         // pipelines pass their own
      "/decoder/type", "/decoder/add_prefix_space",      // of ids back to text
      "/decoder/trim_offsets", "/decoder/use_regex",     //
      "/pre_tokenizer/pretokenizers/1/trim_offsets",     // offsets aren't used
      "/post_processor/trim_offsets",                    //
      "/post_processor/add_prefix_space",                // only trims offsets
      "/post_processor/sep/1", "/post_processor/cls/1",  // ids are the vocabulary's
      "/model/unk_token"}},                              // every byte has a token
    {"qwen",
     qwen_ids,
     {"/version", "/truncation", "/padding", "/decoder", "/model/fuse_unk", "/model/unk_token",
      "/pre_tokenizer/pretokenizers/1/trim_offsets"}},
};

json changed_value(const json& value) {
  return value.is_boolean()  ? json(!value.get<bool>())
         : value.is_number() ? json(value.get<double>() + 1)
         : value.is_string() ? json(value.get<std::string>() + "x")
                             : json("x");
}

/// Leaves of tokenizer.json, without the long lists, whose entries other tests change.
std::vector<std::string> places(const json& file) {
  std::vector<std::string> list;
  const json flat = file.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    if (!pointer.starts_with("/model/vocab/") && !pointer.starts_with("/model/merges/") &&
        !pointer.starts_with("/added_tokens/")) {
      list.push_back(pointer);
    }
  }
  return list;
}

class TokenizerKeys : public ::testing::TestWithParam<KindOfTokenizer> {
 protected:
  TokenizerKeys() {
    fs::copy(kKindFolders / GetParam().folder, path(), fs::copy_options::recursive);
  }
  fs::path path() const { return folder_ / "tokenizer"; }

  /// Whether the ids of a text are others than `usual` with this file, or a refusal names `key`.
  bool matters(const char* file, const json& content, const Ids& usual, const std::string& key) {
    test::write_file(path() / file, content.dump());
    try {
      return GetParam().encode(path()) != usual;
    } catch (const Error& e) {
      const std::string text = e.what();
      EXPECT_NE(text.find(file), std::string::npos) << text;
      EXPECT_NE(text.find(key), std::string::npos) << text;
      return true;
    }
  }

 private:
  test::TempFolder folder_;
};

TEST_P(TokenizerKeys, OfTokenizerJson) {
  const json file = read_json(path() / "tokenizer.json");
  const Ids usual = GetParam().encode(path());
  for (const std::string& place : places(file)) {
    SCOPED_TRACE(place);
    json changed = file;
    json& value = changed[json::json_pointer(place)];
    // The alternatives that an expression ends in are seldom reached.
    value = place.ends_with("/Regex") ? json("[a-z]") : changed_value(value);
    const std::string part = place.substr(1, place.find('/', 1) - 1);
    EXPECT_EQ(matters("tokenizer.json", changed, usual, part), !GetParam().harmless.contains(place))
        << value;
  }
}

TEST_P(TokenizerKeys, OfTokenizerConfig) {
  const json config = read_json(path() / "tokenizer_config.json");
  const Ids usual = GetParam().encode(path());
  const bool qwen = std::string_view(GetParam().folder) == "qwen";
  const struct {
    const char* key;
    json value;
    bool matters;
  } rows[] = {
      {"padding_side", "left", true},
      {"truncation_side", "left", true},
      {"split_special_tokens", true, true},
      {"sp_model_kwargs", {{"nbest_size", -1}}, true},
      {"a_new_field", 3, true},
      {"add_prefix_space", true, qwen},
      {"add_bos_token", true, qwen},
      {"add_eos_token", true, qwen},
      {"model_max_length", 20, !qwen},  // models with Qwen's pass their own
      {"bos_token", "x<|startoftext|>", !qwen},
      {"pad_token", "a", true},
      {"clean_up_tokenization_spaces", true, false},
      {"do_lower_case", true, false},
      {"errors", "ignore", false},
      {"tokenizer_file", "x", false},
      {"name_or_path", "x", false},
      {"use_fast", true, false},
      {"processor_class", "X", false},
      {"is_local", true, false},
      {"backend", "x", false},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(std::string(row.key) + " = " + row.value.dump());
    json changed = config;
    changed[row.key] = row.value;
    EXPECT_EQ(matters("tokenizer_config.json", changed, usual, row.key), row.matters);
  }
}

INSTANTIATE_TEST_SUITE_P(Golden, TokenizerKeys, ::testing::ValuesIn(kKinds),
                         [](const auto& info) { return std::string(info.param.folder); });

}  // namespace
}  // namespace mantissa
