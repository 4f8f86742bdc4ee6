#include "engine/io/post_processor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/io/config_fields.h"

namespace mantissa {

using nlohmann::json;

namespace {

[[noreturn]] void fail(const std::string& label, const std::string& field, const json& found,
                       const std::string& expected) {
  throw Error(message<"{file}: {field} is {found}; expected: {expected}">(
      label, field, ConfigFields::start_of(found), expected));
}

json field_of(const json& object, const char* key) {
  return object.is_object() ? object.value(key, json()) : json();
}

/// Tokens of a template's "single": [{"SpecialToken": …}, {"Sequence": {"id": "A"}}, …].
FrameTokens template_tokens(const json& object, const std::string& label) {
  const json single = field_of(object, "single");
  FrameTokens frame;
  int texts = 0;
  for (const json& item : single.is_array() ? single : json::array()) {
    if (field_of(field_of(item, "Sequence"), "id") == "A") {
      ++texts;
      continue;
    }
    const json token = field_of(field_of(item, "SpecialToken"), "id");
    if (!token.is_string()) {
      fail(label, "post_processor.single", item, R"({"SpecialToken": {"id": "…"}})");
    }
    (texts == 0 ? frame.before : frame.after).push_back(token.get<std::string>());
  }
  if (texts != 1) {
    fail(label, "post_processor.single", single, R"([{"Sequence": {"id": "A"}}])");
  }
  return frame;
}

/// "cls" or "sep" of RobertaProcessing: ["<|endoftext|>", 49407].
std::string framing_token(const json& object, const char* key, const std::string& label) {
  const json pair = field_of(object, key);
  if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string()) {
    fail(label, std::string("post_processor.") + key, pair, R"(["token", id])");
  }
  return pair[0].get<std::string>();
}

}  // namespace

FrameTokens frame_tokens(const json& post_processor, const std::string& label) {
  const json type = field_of(post_processor, "type");
  if (post_processor.is_null() || type == "ByteLevel") {
    return {};
  }
  if (type == "TemplateProcessing") {
    return template_tokens(post_processor, label);
  }
  if (type == "RobertaProcessing" || type == "BertProcessing") {
    return {{framing_token(post_processor, "cls", label)},
            {framing_token(post_processor, "sep", label)}};
  }
  const json steps = field_of(post_processor, "processors");
  if (type != "Sequence" || !steps.is_array()) {
    fail(label, "post_processor.type", type, R"("ByteLevel" or "TemplateProcessing")");
  }
  FrameTokens frame;
  for (const json& step : steps) {
    if (field_of(step, "type") == "Sequence") {
      fail(label, "post_processor.processors", step, R"({"type": "ByteLevel"})");
    }
    FrameTokens outer = frame_tokens(step, label);
    outer.before.insert(outer.before.end(), frame.before.begin(), frame.before.end());
    frame.after.insert(frame.after.end(), outer.after.begin(), outer.after.end());
    frame.before = std::move(outer.before);
  }
  return frame;
}

void require_frame(const json& file, const FrameTokens& expected, const std::string& label) {
  const FrameTokens found = frame_tokens(field_of(file, "post_processor"), label);
  if (found == expected || found == FrameTokens()) {
    return;
  }
  const auto shown = [](const FrameTokens& frame) {
    return fmt::format("[{}] … [{}]", fmt::join(frame.before, " "), fmt::join(frame.after, " "));
  };
  throw Error(
      message<"{file}: post_processor puts the tokens {found} around a text; expected: {expected}">(
          label, shown(found), shown(expected)));
}

}  // namespace mantissa
