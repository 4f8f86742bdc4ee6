#include "engine/caption/caption_text.h"

#include <utility>

#include "engine/caption/caption_images.h"
#include "engine/core/ascii.h"

namespace mantissa {
namespace {

/// Without the thoughts that some models put before their answer.
std::string_view without_thoughts(std::string_view text) {
  constexpr std::string_view kBegin = "<think>", kEnd = "</think>";
  const std::size_t end = text.find(kEnd);
  if (end != std::string_view::npos) {
    return text.substr(end + kEnd.size());
  }
  return trimmed(text).starts_with(kBegin) ? std::string_view() : text;
}

/// On one line, each run of white space a space.
std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : trimmed(text)) {
    const bool space = static_cast<unsigned char>(c) <= ' ';
    if (!space || (!line.empty() && line.back() != ' ')) {
      line += space ? ' ' : c;
    }
  }
  return line;
}

std::string without_quotes(const std::string& text) {
  constexpr std::pair<std::string_view, std::string_view> kQuotes[] = {
      {"\"", "\""}, {"“", "”"}, {"`", "`"}, {"「", "」"}};
  for (const auto& [open, close] : kQuotes) {
    if (text.size() > open.size() + close.size() && text.starts_with(open) &&
        text.ends_with(close) && text.find(close, open.size()) == text.size() - close.size()) {
      return text.substr(open.size(), text.size() - open.size() - close.size());
    }
  }
  return text;
}

}  // namespace

std::string caption_in(std::string_view answer, bool cut, int most_tokens) {
  const std::string text = on_one_line(without_thoughts(answer));
  if (cut) {
    throw CaptionError(
        message<"the answer was cut at {tokens} tokens; allow more, or ask for less">(most_tokens));
  }
  const std::string caption(trimmed(without_quotes(text)));
  if (caption.empty()) {
    throw CaptionError(message<"the answer is empty">());
  }
  return caption;
}

}  // namespace mantissa
