#pragma once
// JSON with line numbers, limits and duplicate detection.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/error.h"

namespace mantissa {

/// A JSON value with its line number.
struct JsonNode {
  nlohmann::json scalar;  ///< null, boolean, number or string; unused in containers
  bool is_object = false, is_array = false;
  int line = 1;
  struct Member;
  std::vector<Member> members;  ///< in the order of the text
  std::vector<JsonNode> items;

  nlohmann::json value() const;
};

struct JsonNode::Member {
  std::string key;
  int line = 1;
  JsonNode node;
};

/// A problem, and its line in the text; 0 if none.
struct LineProblem {
  int line = 1;
  Message message;
};

/// Several problems at once: one line each, already printable.
class ProblemList : public Error {
 public:
  /// `source` names the text that the lines refer to.
  explicit ProblemList(std::vector<LineProblem> problems, std::string_view source = {})
      : Error(lines(problems, source)), problems_(std::move(problems)) {}
  const std::vector<LineProblem>& problems() const { return problems_; }

 private:
  static Message lines(const std::vector<LineProblem>& problems, std::string_view source);
  std::vector<LineProblem> problems_;
};

/// Whether the text begins with a byte order mark of UTF-16, as some editors save it.
bool is_utf16(std::string_view text);

/// Parses `text` under the limits of preset_limits.h. Problems with the text as such (syntax,
/// limits, duplicate keys) are appended; after a syntax error or a limit the tree is not usable and
/// false is returned.
bool parse_json_text(std::string_view text, JsonNode& root, std::vector<LineProblem>& problems);

}  // namespace mantissa
