#include "engine/io/unigram.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utf8proc.h>

#include "engine/core/error.h"
#include "engine/io/clip_text.h"
#include "engine/io/config_fields.h"

namespace mantissa {

using nlohmann::json;

namespace {

constexpr std::string_view kSpaceMark = "\u2581";

/// Throws Error unless a tokenizer.json splits text as UnigramModel does.
void require_word_split(json split, const std::string& label) {
  json* const mark = split.is_object() && split.contains("pretokenizers") &&
                             split["pretokenizers"].size() == 2 &&
                             split["pretokenizers"][1].is_object()
                         ? &split["pretokenizers"][1]
                         : nullptr;
  if (mark != nullptr) {
    // Always before the first word: by its present and its former name.
    if (mark->value("prepend_scheme", json()) == "always") {
      mark->erase("prepend_scheme");
    }
    for (const char* usual : {"add_prefix_space", "split"}) {
      if (mark->value(usual, json()) == true) {
        mark->erase(usual);
      }
    }
    mark->erase("str_rep");
  }
  const json known = {
      {"type", "Sequence"},
      {"pretokenizers",
       {{{"type", "WhitespaceSplit"}}, {{"type", "Metaspace"}, {"replacement", kSpaceMark}}}}};
  if (split != known) {
    throw Error(message<"{file}: {field} is {found}; expected: {expected}">(
        label, "pre_tokenizer", ConfigFields::start_of(split), "WhitespaceSplit, Metaspace"));
  }
}

std::string from_base64(const std::string& text, const std::string& label) {
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const int value = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (c == '=') {
      break;
    }
    if (value < 0) {
      throw Error(message<"{file}: precompiled_charsmap must be base64">(label));
    }
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += static_cast<char>(bits >> count & 0xFF);
    }
  }
  return bytes;
}

std::uint32_t read_u32(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  }
  return value;
}

/// Bytes of the extended grapheme cluster that `text` starts with.
std::size_t grapheme_size(std::string_view text) {
  std::size_t size = leading_character(text).bytes;
  utf8proc_int32_t state = 0;
  std::int32_t before = leading_character(text).code;
  while (size < text.size()) {
    const std::int32_t next = leading_character(text.substr(size)).code;
    if (utf8proc_grapheme_break_stateful(before, next, &state)) {
      break;
    }
    size += leading_character(text.substr(size)).bytes;
    before = next;
  }
  return size;
}

/// The charsmap of a normaliser, empty if it has none. Outer and repeated white space is always
/// removed.
CharsMap charsmap_of(const json& normalizer, const std::string& label) {
  if (normalizer.is_null()) {
    return {};
  }
  const auto type = [](const json& step) {
    return step.is_object() ? step.value("type", std::string()) : std::string();
  };
  const json steps = type(normalizer) == "Sequence" ? normalizer.value("normalizers", json::array())
                                                    : json::array({normalizer});
  CharsMap map;
  for (const json& step : steps) {
    if (type(step) == "Precompiled" && step.contains("precompiled_charsmap") &&
        step["precompiled_charsmap"].is_string()) {
      map = CharsMap(from_base64(step["precompiled_charsmap"].get<std::string>(), label), label);
    } else if (type(step) != "Strip" && type(step) != "Replace") {
      throw Error(
          message<"{file}: the normalizer '{found}' is not one of T5's (Precompiled, Strip, "
                  "Replace); put the model's own tokenizer folder there">(label, type(step)));
    }
  }
  return map;
}

}  // namespace

CharsMap::CharsMap(std::string_view bytes, const std::string& label) {
  const std::size_t size = bytes.size() >= 4 ? read_u32(bytes, 0) : 0;
  if (size == 0 || size % 4 != 0 || size + 4 > bytes.size()) {
    throw Error(
        message<"{file}: precompiled_charsmap is damaged; get the model's tokenizer folder again">(
            label));
  }
  for (std::size_t i = 0; i < size / 4; ++i) {
    units_.push_back(read_u32(bytes, 4 + 4 * i));
  }
  texts_ = bytes.substr(4 + size);
}

bool CharsMap::replaced(std::string_view text, std::string& out) const {
  const auto offset = [](std::uint32_t unit) { return (unit >> 10) << ((unit & (1U << 9)) >> 6); };
  std::size_t node = units_.empty() ? 0 : offset(units_[0]);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    node ^= byte;
    if (byte == 0 || node >= units_.size() || (units_[node] & 0x800000FFU) != byte) {
      return false;
    }
    const std::uint32_t unit = units_[node];
    node ^= offset(unit);
    if ((unit >> 8 & 1) != 0 && node < units_.size()) {
      const std::size_t begin = units_[node] & 0x7FFFFFFFU;
      const std::size_t end = std::min(texts_.find('\0', begin), texts_.size());
      out += begin < texts_.size() ? texts_.substr(begin, end - begin) : std::string();
      return true;
    }
  }
  return false;
}

std::string CharsMap::apply(std::string_view text) const {
  if (units_.empty()) {
    return std::string(text);
  }
  constexpr std::size_t kShortGrapheme = 6;  // bytes
  std::string result;
  while (!text.empty()) {
    std::string_view grapheme = text.substr(0, grapheme_size(text));
    text.remove_prefix(grapheme.size());
    if (grapheme.size() < kShortGrapheme && replaced(grapheme, result)) {
      continue;
    }
    while (!grapheme.empty()) {
      const std::string_view one = grapheme.substr(0, leading_character(grapheme).bytes);
      if (!replaced(one, result)) {
        result += one;
      }
      grapheme.remove_prefix(one.size());
    }
  }
  return result;
}

UnigramModel::UnigramModel(const json& file, const std::string& label)
    : normaliser_(charsmap_of(file.value("normalizer", json()), label)) {
  require_word_split(file.value("pre_tokenizer", json()), label);
  const ConfigFields f(file["model"], label + " (model)");
  f.only("type", "Unigram");
  f.only("byte_fallback", false);
  const json* vocab = f.find("vocab");
  if (vocab == nullptr || !vocab->is_array() || vocab->empty()) {
    f.fail("vocab", message<"must be a list of pieces with their scores">());
  }
  double least = 0;
  for (const json& entry : *vocab) {
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() || !entry[1].is_number()) {
      f.fail("vocab", message<"holds {found}; a piece and its score are expected">(
                          ConfigFields::start_of(entry)));
    }
    const auto piece = entry[0].get<std::string>();
    pieces_[piece] = static_cast<std::int32_t>(scores_.size());
    scores_.push_back(entry[1].get<double>());
    longest_ = std::max(longest_, piece.size());
    least = std::min(least, scores_.back());
  }
  unknown_ = f.integer("unk_id", std::nullopt, 0);
  if (unknown_ >= size()) {
    f.fail("unk_id", message<"is {found}, beyond the vocabulary">(unknown_));
  }
  constexpr double kUnknownPenalty = 10;
  unknown_score_ = least - kUnknownPenalty;
}

void UnigramModel::encode_word(std::string_view word, std::vector<std::int32_t>& ids) const {
  struct Best {
    double score = -std::numeric_limits<double>::infinity();
    std::size_t from = 0;
    std::int32_t id = 0;
  };
  std::vector<Best> best(word.size() + 1);  // of the paths that end before a byte
  best[0].score = 0;
  const auto consider = [&](std::size_t from, std::size_t to, double score, std::int32_t id) {
    if (best[from].score + score > best[to].score) {
      best[to] = {best[from].score + score, from, id};
    }
  };
  for (std::size_t at = 0; at < word.size();) {
    const std::size_t one = leading_character(word.substr(at)).bytes;
    bool known = false;
    for (std::size_t size = one; size <= longest_ && at + size <= word.size();) {
      if (const auto piece = pieces_.find(word.substr(at, size)); piece != pieces_.end()) {
        consider(at, at + size, scores_[static_cast<std::size_t>(piece->second)], piece->second);
        known = known || size == one;
      }
      size += at + size < word.size() ? leading_character(word.substr(at + size)).bytes : 1;
    }
    if (!known) {
      consider(at, at + one, unknown_score_, unknown_);
    }
    at += one;
  }
  const auto begin = static_cast<std::ptrdiff_t>(ids.size());
  for (std::size_t end = word.size(); end > 0; end = best[end].from) {
    const bool again =
        best[end].id == unknown_ && std::ssize(ids) > begin && ids.back() == unknown_;
    if (!again) {
      ids.push_back(best[end].id);
    }
  }
  std::reverse(ids.begin() + begin, ids.end());
}

void UnigramModel::encode(std::string_view text, std::vector<std::int32_t>& ids) const {
  while (!text.empty()) {
    if (is_white_space(leading_character(text).code)) {
      text.remove_prefix(leading_character(text).bytes);
      continue;
    }
    std::string word;
    while (!text.empty() && !is_white_space(leading_character(text).code)) {
      word += text.substr(0, leading_character(text).bytes);
      text.remove_prefix(leading_character(text).bytes);
    }
    if (!word.starts_with(kSpaceMark)) {
      word.insert(0, kSpaceMark);
    }
    // A "▁" inside a word begins another one.
    for (std::size_t begin = 0; begin < word.size();) {
      const std::size_t end =
          std::min(word.find(kSpaceMark, begin + kSpaceMark.size()), word.size());
      encode_word(std::string_view(word).substr(begin, end - begin), ids);
      begin = end;
    }
  }
}

}  // namespace mantissa
