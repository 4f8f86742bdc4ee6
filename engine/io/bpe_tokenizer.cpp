#include "engine/io/bpe_tokenizer.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <unordered_map>

#include "engine/core/error.h"
#include "engine/io/added_tokens.h"
#include "engine/io/bpe_folder.h"
#include "engine/io/bpe_merges.h"
#include "engine/io/byte_alphabet.h"
#include "engine/io/clip_text.h"
#include "engine/io/word_cache.h"
#include "engine/io/word_splitter.h"

namespace mantissa {

namespace {

std::string unchanged(std::string_view text) {
  return std::string(text);
}

}  // namespace

struct BpeTokenizer::Tables {
  AddedTokens::Normalise normalise;
  AddedTokens added;
  WordSplitter words;
  BpeMerges merges;
  TokenIds ids;        // of the vocabulary
  TokenIds added_ids;  // apart: a word is never looked up in them
  std::array<std::int32_t, 256> byte_id{};
  bool ignore_merges = false;
  std::optional<std::int32_t> pad;
  int size = 0;
  mutable std::once_flag texts_made;       // few read texts back
  mutable std::vector<std::string> texts;  // by id, in bytes; empty: none
  mutable WordCache cache;

  explicit Tables(BpeDefinition definition);
  void add_merges(const BpeDefinition& definition);
  void make_texts() const;
  std::optional<std::int32_t> find(std::string_view token) const;
  void encode_word(std::string_view word, std::vector<std::int32_t>& out) const;
};

BpeTokenizer::Tables::Tables(BpeDefinition definition)
    : normalise(definition.compose ? nfc : unchanged),
      added(definition.notes.added, normalise),
      words(definition.expressions, definition.label),
      ids(std::move(definition.vocab)),
      ignore_merges(definition.ignore_merges) {
  for (std::size_t byte = 0; byte < byte_id.size(); ++byte) {
    const std::string& symbol = byte_alphabet().symbol[byte];
    const auto at = ids.find(symbol);
    if (at == ids.end()) {
      throw Error(
          message<
              "{file}: the vocabulary lacks '{symbol}', the symbol of byte {byte}; a byte-level "
              "vocabulary has all 256">(definition.label, symbol, byte));
    }
    byte_id[byte] = at->second;
  }
  add_merges(definition);
  for (const AddedToken& token : definition.notes.added) {
    added_ids.emplace(token.content, token.id);
  }
  for (const TokenIds* list : {&ids, &added_ids}) {
    for (const auto& [token, id] : *list) {
      size = std::max(size, id + 1);
    }
  }
  if (const auto& token = definition.notes.pad_token) {
    pad = find(*token);
    if (!pad) {
      throw Error(message<"{file}: the padding token '{token}' is not in the vocabulary">(
          definition.label, *token));
    }
  }
}

void BpeTokenizer::Tables::add_merges(const BpeDefinition& definition) {
  merges.reserve(definition.merges.size());
  std::int32_t rank = 0;
  std::string both;
  for (const auto& [left, right] : definition.merges) {
    both.assign(left).append(right);
    const auto a = ids.find(left), b = ids.find(right), merged = ids.find(both);
    if (a == ids.end() || b == ids.end() || merged == ids.end()) {
      throw Error(
          message<"{file}: the merge '{merge}' uses a token that the vocabulary lacks; the "
                  "tokenizer's files don't belong together">(definition.label, left + " " + right));
    }
    if (!merges.add(a->second, b->second, rank++, merged->second)) {
      throw Error(message<"{file}: the merge '{merge}' appears twice">(definition.label,
                                                                       left + " " + right));
    }
  }
}

void BpeTokenizer::Tables::make_texts() const {
  std::unordered_map<std::string, char> bytes;  // by symbol
  for (std::size_t byte = 0; byte < byte_id.size(); ++byte) {
    bytes.emplace(byte_alphabet().symbol[byte], static_cast<char>(byte));
  }
  texts.resize(static_cast<std::size_t>(size));
  for (const auto& [token, id] : ids) {
    std::string& text = texts[static_cast<std::size_t>(id)];
    for (std::size_t i = 0; i < token.size();) {
      std::size_t end = i + 1;
      while (end < token.size() && (static_cast<unsigned char>(token[end]) & 0xC0) == 0x80) {
        ++end;
      }
      const std::string symbol = token.substr(i, end - i);
      const auto byte = bytes.find(symbol);
      text += byte == bytes.end() ? symbol : std::string(1, byte->second);
      i = end;
    }
  }
  for (const auto& [token, id] : added_ids) {
    const bool control = token.starts_with("<|") && token.ends_with("|>");
    texts[static_cast<std::size_t>(id)] = control ? std::string() : token;
  }
}

std::optional<std::int32_t> BpeTokenizer::Tables::find(std::string_view token) const {
  for (const TokenIds* list : {&added_ids, &ids}) {
    if (const auto at = list->find(token); at != list->end()) {
      return at->second;
    }
  }
  return std::nullopt;
}

void BpeTokenizer::Tables::encode_word(std::string_view word,
                                       std::vector<std::int32_t>& out) const {
  if (cache.find(word, out)) {
    return;
  }
  std::vector<std::int32_t> tokens;
  if (ignore_merges) {
    std::string symbols;
    for (const char byte : word) {
      symbols += byte_alphabet().symbol[static_cast<unsigned char>(byte)];
    }
    if (const auto at = ids.find(symbols); at != ids.end()) {
      tokens = {at->second};
    }
  }
  if (tokens.empty()) {
    for (const char byte : word) {
      tokens.push_back(byte_id[static_cast<unsigned char>(byte)]);
    }
    merges.apply(tokens);
  }
  cache.put(word, tokens);
  out.insert(out.end(), tokens.begin(), tokens.end());
}

BpeTokenizer BpeTokenizer::from_folder(const std::filesystem::path& folder,
                                       const FrameTokens& frame) {
  BpeTokenizer tokenizer;
  tokenizer.tables_ = std::make_shared<const Tables>(read_bpe_definition(folder, frame));
  return tokenizer;
}

BpeTokenizer BpeTokenizer::with_words(NewWords words) const {
  BpeTokenizer result = *this;
  result.words_ = std::move(words);
  return result;
}

std::vector<std::int32_t> BpeTokenizer::encode(std::string_view raw) const {
  std::vector<std::int32_t> ids;
  words_.encode(repaired_utf8(raw), ids, [&](std::string_view rest) {
    tables_->added.split(
        rest, tables_->normalise, [&](std::int32_t id) { ids.push_back(id); },
        [&](std::string_view part) {
          tables_->words.split(part,
                               [&](std::string_view word) { tables_->encode_word(word, ids); });
        });
  });
  return ids;
}

std::string BpeTokenizer::decode(std::span<const std::int32_t> ids) const {
  std::call_once(tables_->texts_made, [this] { tables_->make_texts(); });
  std::string text;
  for (const std::int32_t id : ids) {
    if (id >= 0 && id < tables_->size) {
      text += tables_->texts[static_cast<std::size_t>(id)];
    }
  }
  return repaired_utf8(text);
}

std::optional<std::int32_t> BpeTokenizer::id_of(std::string_view token) const {
  return tables_->find(token);
}

std::optional<std::int32_t> BpeTokenizer::pad_id() const {
  return tables_->pad;
}

int BpeTokenizer::vocab_size() const {
  return tables_->size;
}

}  // namespace mantissa
