#include "engine/run/run_notes.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <utility>

namespace mantissa {
namespace {

constexpr Literal kPauseNote{"Paused after step {step}; the model stays loaded"};
constexpr Literal kDiskNote{
    "After step {step}: waited {seconds} s for disk space in the folder {folder}"};
constexpr Literal kRatesNote{"Step {step}: {rate} images/s together: {processes}"};
constexpr Literal kProcessRate{
    "process {number} on {host} {rate} images/s, computing {share}% of the time"};
constexpr Literal kSlowProcessRate{
    "process {number} on {host} {rate} images/s, computing {share}% of the time, slow"};

bool is_filled(const Message& line, const char* source, std::size_t values) {
  return line.kind() == Message::Kind::filled && line.source() == source &&
         line.values().size() == values;
}

template <typename Number>
std::optional<Number> number_of(const Message& value) {
  const std::string text = value.text();
  Number number{};
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), number);
  return bad == std::errc{} && end == text.data() + text.size() ? std::optional(number)
                                                                : std::nullopt;
}

std::string rounded(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}
std::string rate_text(double rate) {
  return rounded("%.3g", rate);
}

Message process_note(const ProcessRate& p) {
  const std::string rate = rate_text(p.images_per_second), share = rounded("%.0f", 100 * p.share);
  return p.slow ? message<kSlowProcessRate>(p.process, p.host, rate, share)
                : message<kProcessRate>(p.process, p.host, rate, share);
}

std::optional<ProcessRate> process_rate(const Message& note) {
  const bool slow = is_filled(note, kSlowProcessRate.text, 4);
  if (!slow && !is_filled(note, kProcessRate.text, 4)) {
    return std::nullopt;
  }
  const auto process = number_of<int>(note.values()[0]);
  const auto rate = number_of<double>(note.values()[2]),
             share = number_of<double>(note.values()[3]);
  if (!process || !rate || !share) {
    return std::nullopt;
  }
  return ProcessRate{*process, note.values()[1].text(), *rate, *share / 100, slow};
}

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

Message rates_note(const RunRates& rates) {
  std::vector<Message> processes;
  for (const ProcessRate& p : rates.processes) {
    processes.push_back(process_note(p));
  }
  return message<kRatesNote>(rates.step, rate_text(rates.images_per_second),
                             joined<"; ">(std::move(processes)));
}

std::optional<RunRates> rates_of(const Message& line) {
  if (!is_filled(line, kRatesNote.text, 3)) {
    return std::nullopt;
  }
  const auto step = number_of<std::int64_t>(line.values()[0]);
  const auto rate = number_of<double>(line.values()[1]);
  if (!step || !rate) {
    return std::nullopt;
  }
  RunRates rates{*step, *rate, {}};
  for (const Message& note : line.values()[2].values()) {
    const std::optional<ProcessRate> process = process_rate(note);
    if (!process) {
      return std::nullopt;
    }
    rates.processes.push_back(*process);
  }
  return rates;
}

std::optional<std::int64_t> paused_step(const Message& line) {
  const bool known = line.source() == kPauseNote.text || line.source() == kDiskNote.text;
  if (line.kind() != Message::Kind::filled || !known || line.values().empty()) {
    return std::nullopt;
  }
  return number_of<std::int64_t>(line.values()[0]);
}

}  // namespace mantissa
