#include "engine/io/t5_tokenizer.h"

#include <algorithm>
#include <optional>
#include <sentencepiece_processor.h>
#include <utf8proc.h>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/clip_text.h"
#include "engine/io/file.h"
#include "engine/io/json_file.h"
#include "engine/io/post_processor.h"
#include "engine/io/tokenizer_folder.h"
#include "engine/io/unigram.h"

namespace mantissa {

struct T5Tokenizer::Model {
  sentencepiece::SentencePieceProcessor processor;  ///< of spiece.model
  std::optional<UnigramModel> unigram;              ///< of tokenizer.json
  AddedTokens added;

  std::string normalised(std::string_view text) const { return unigram->normaliser().apply(text); }
};

T5Tokenizer T5Tokenizer::from_folder(const std::filesystem::path& folder) {
  const std::filesystem::path proto = folder / "spiece.model", file = folder / "tokenizer.json";
  const auto no_ids = [](const std::string&) { return std::optional<std::int32_t>(); };
  const auto model = std::make_shared<Model>();
  T5Tokenizer tokenizer;
  tokenizer.model_ = model;
  if (std::filesystem::exists(proto)) {
    const auto status = model->processor.LoadFromSerializedProto(read_text(proto));
    if (!status.ok()) {
      throw Error(message<"'{file}' is no SentencePiece model ({reason}); get the model's "
                          "tokenizer folder again">(path_to_utf8(proto), status.ToString()));
    }
    tokenizer_notes(folder, {}, no_ids);
    return tokenizer;
  }
  if (!std::filesystem::exists(file)) {
    throw Error(
        message<"the T5 tokenizer '{path}' holds neither spiece.model nor tokenizer.json; put the "
                "model's tokenizer folder beside its weights">(path_to_utf8(folder)));
  }
  const std::string label = "'" + path_to_utf8(file) + "'";
  const nlohmann::json json = read_json(file);
  if (!json.is_object() || !json.contains("model")) {
    throw Error(
        message<"{file} holds no unigram model; get the model's tokenizer folder again">(label));
  }
  model->unigram.emplace(json, label);
  require_frame(json, {{}, {"</s>"}}, label);
  model->added = AddedTokens(tokenizer_notes(folder, json, no_ids).added,
                             [&](std::string_view text) { return model->normalised(text); });
  return tokenizer;
}

T5Tokenizer T5Tokenizer::with_words(NewWords words) const {
  T5Tokenizer result = *this;
  result.words_ = std::move(words);
  return result;
}

std::vector<std::int32_t> T5Tokenizer::encode(std::string_view text) const {
  std::vector<std::int32_t> ids;
  words_.encode(text, ids, [&](std::string_view rest) { encode_text(rest, ids); });
  return ids;
}

void T5Tokenizer::encode_text(std::string_view raw, std::vector<std::int32_t>& ids) const {
  if (model_->unigram) {
    model_->added.split(
        repaired_utf8(raw), [&](std::string_view text) { return model_->normalised(text); },
        [&](std::int32_t id) { ids.push_back(id); },
        [&](std::string_view text) { model_->unigram->encode(text, ids); });
    return;
  }
  std::vector<int> pieces;
  const auto status = model_->processor.Encode({raw.data(), raw.size()}, &pieces);
  if (!status.ok()) {
    throw Error(message<"the T5 tokenizer can't read the text ({reason})">(status.ToString()));
  }
  ids.insert(ids.end(), pieces.begin(), pieces.end());
}

std::vector<std::int32_t> T5Tokenizer::encode_padded(std::string_view text, int length, int pad_id,
                                                     int eos_id) const {
  std::vector<std::int32_t> ids = encode(text);
  const auto most = static_cast<std::size_t>(length - 1);
  ids.resize(std::min(ids.size(), most));
  ids.push_back(eos_id);
  ids.resize(static_cast<std::size_t>(length), pad_id);
  return ids;
}

std::string lower_trimmed(std::string_view text) {
  constexpr const char* kSpace = " \t\n\r\f\v";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) {
    return {};
  }
  text = text.substr(first, text.find_last_not_of(kSpace) - first + 1);
  std::string lower;
  while (!text.empty()) {
    const LeadingCharacter c = leading_character(text);
    append_utf8(lower, utf8proc_tolower(c.code));
    text.remove_prefix(c.bytes);
  }
  return lower;
}

int T5Tokenizer::vocab_size() const {
  return model_->unigram ? model_->unigram->size() : model_->processor.GetPieceSize();
}

}  // namespace mantissa
