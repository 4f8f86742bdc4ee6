#include "engine/train/run_notes.h"

#include <charconv>
#include <cmath>

namespace mantissa {
namespace {

constexpr Literal kPauseNote{"Paused after step {step}; the model stays loaded"};
constexpr Literal kDiskNote{
    "After step {step}: waited {seconds} s for disk space in the folder {folder}"};

}  // namespace

Message pause_note(std::int64_t step) {
  return message<kPauseNote>(step);
}

Message disk_wait_note(std::int64_t step, std::chrono::duration<double> waited,
                       const std::string& folder) {
  return message<kDiskNote>(step, std::llround(waited.count()), folder);
}

Message saved_note(std::int64_t step, const std::string& path) {
  return message<"Step {step}: saved to {path}">(step, path);
}

Message sample_note(std::int64_t step, int prompt_index) {
  return message<"Step {step}: sample of prompt {number} rendered">(step, prompt_index + 1);
}

std::optional<std::int64_t> paused_step(const Message& line) {
  const bool known = line.source() == kPauseNote.text || line.source() == kDiskNote.text;
  if (line.kind() != Message::Kind::filled || !known || line.values().empty()) {
    return std::nullopt;
  }
  const std::string text = line.values()[0].text();
  std::int64_t step = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), step);
  return bad == std::errc{} && end == text.data() + text.size() ? std::optional(step)
                                                                : std::nullopt;
}

}  // namespace mantissa
