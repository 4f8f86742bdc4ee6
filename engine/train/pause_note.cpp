#include "engine/train/pause_note.h"

#include <charconv>

namespace mantissa {
namespace {

constexpr Literal kNote{"Paused after step {step}; the model stays loaded"};

}  // namespace

Message pause_note(std::int64_t step) {
  return message<kNote>(step);
}

std::optional<std::int64_t> paused_step(const Message& line) {
  if (line.kind() != Message::Kind::filled || line.source() != kNote.text ||
      line.values().size() != 1) {
    return std::nullopt;
  }
  const std::string text = line.values()[0].text();
  std::int64_t step = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), step);
  return bad == std::errc{} && end == text.data() + text.size() ? std::optional(step)
                                                                : std::nullopt;
}

}  // namespace mantissa
