#include "engine/io/bpe_json.h"

#include "engine/core/error.h"
#include "engine/io/file.h"
#include "engine/io/tokenizer_folder.h"

namespace mantissa {

using nlohmann::json;

namespace {

constexpr std::size_t kDeepest = 64;

/// Receives the parser's events: the long lists go where they belong, the rest becomes JSON.
class ListReader final : public nlohmann::json_sax<json> {
 public:
  ListReader(BpeJson& result, std::string label, bool only_vocab)
      : result_(result), label_(std::move(label)), only_vocab_(only_vocab) {}

  bool null() override { return value(json()); }
  bool boolean(bool v) override { return value(json(v)); }
  bool number_integer(number_integer_t v) override { return value(json(v)); }
  bool number_unsigned(number_unsigned_t v) override { return value(json(v)); }
  bool number_float(number_float_t v, const string_t&) override { return value(json(v)); }
  bool string(string_t& v) override { return value(json(std::move(v))); }
  bool binary(binary_t&) override { return false; }  // not in text
  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& text) override {
    Level& level = levels_.back();
    if (level.kind == Kind::plain && level.node->contains(text)) {
      twice(text);
    }
    level.key = std::move(text);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception&) override {
    throw Error(message<"{file} is not valid JSON: error near byte {byte}">(label_, position));
  }

 private:
  enum class Kind { plain, vocab, merges, merge };
  struct Level {
    Kind kind = Kind::plain;
    json* node = nullptr;  // of a plain level
    std::string key;       // of an object: the last one
  };

  [[noreturn]] void twice(const std::string& key) const {
    throw Error(message<"{file}: the key '{key}' appears twice">(label_, key));
  }
  [[noreturn]] void bad_merge(const std::string& found) const {
    throw Error(message<"{file}: model.merges holds {found}; pairs of symbols are expected">(
        label_, found.substr(0, 80)));
  }

  bool value(json v) {
    if (levels_.empty()) {
      result_.rest = std::move(v);
      return true;
    }
    Level& level = levels_.back();
    switch (level.kind) {
      case Kind::plain:
        put(level, std::move(v));
        break;
      case Kind::vocab:
        if (!result_.vocab.emplace(level.key, token_id_of(v, label_, level.key)).second) {
          twice(level.key);
        }
        break;
      case Kind::merges:
        if (const auto merge =
                v.is_string() ? merge_of(v.get_ref<const std::string&>()) : std::nullopt) {
          result_.merges.push_back(*merge);
        } else {
          bad_merge(v.dump(-1, ' ', false, json::error_handler_t::replace));
        }
        break;
      case Kind::merge:
        if (!v.is_string() || parts_ == 2) {
          bad_merge(v.dump(-1, ' ', false, json::error_handler_t::replace));
        }
        auto& pair = result_.merges.back();
        (parts_++ == 0 ? pair.first : pair.second) = std::move(v.get_ref<std::string&>());
    }
    return true;
  }

  static json* put(Level& level, json v) {
    if (level.node->is_array()) {
      level.node->push_back(std::move(v));
      return &level.node->back();
    }
    return &((*level.node)[level.key] = std::move(v));
  }

  bool open(json container) {
    if (levels_.size() == kDeepest) {
      throw Error(message<"{file} is nested deeper than {count} levels">(label_, kDeepest));
    }
    const bool object = container.is_object();
    const Kind parent = levels_.empty() ? Kind::plain : levels_.back().kind;
    if (parent == Kind::vocab) {
      value(std::move(container));  // throws
    } else if (parent == Kind::merge || (parent == Kind::merges && object)) {
      bad_merge(object ? "{…}" : "[…]");
    } else if (parent == Kind::merges) {
      parts_ = 0;
      result_.merges.emplace_back();
      levels_.push_back({Kind::merge});
    } else {
      const Kind kind = list_kind(object);
      json* node = &result_.rest;
      if (levels_.empty()) {
        result_.rest = std::move(container);
      } else {
        node = put(levels_.back(), std::move(container));
      }
      levels_.push_back({kind, node});
    }
    return true;
  }

  /// Whether the container that opens here is one of the long lists.
  Kind list_kind(bool object) const {
    if (only_vocab_) {
      return levels_.empty() && object ? Kind::vocab : Kind::plain;
    }
    if (levels_.size() != 2 || levels_[0].key != "model") {
      return Kind::plain;
    }
    return levels_[1].key == "vocab" && object     ? Kind::vocab
           : levels_[1].key == "merges" && !object ? Kind::merges
                                                   : Kind::plain;
  }

  bool close() {
    if (levels_.back().kind == Kind::merge && parts_ != 2) {
      bad_merge("[…]");
    }
    levels_.pop_back();
    return true;
  }

  BpeJson& result_;
  std::string label_;
  bool only_vocab_;
  std::vector<Level> levels_;
  int parts_ = 0;  // of the merge that is being read
};

BpeJson read_lists(const std::filesystem::path& path, bool only_vocab) {
  BpeJson result;
  ListReader reader(result, "'" + path_to_utf8(path) + "'", only_vocab);
  const std::string text = read_text(path);
  json::sax_parse(text, &reader);
  return result;
}

}  // namespace

BpeJson read_bpe_json(const std::filesystem::path& path) {
  return read_lists(path, false);
}

TokenIds read_vocab_json(const std::filesystem::path& path) {
  BpeJson result = read_lists(path, true);
  if (!result.rest.is_object()) {
    throw Error(message<"{file}: the vocabulary must be an object of token to id">(
        "'" + path_to_utf8(path) + "'"));
  }
  return std::move(result.vocab);
}

}  // namespace mantissa
