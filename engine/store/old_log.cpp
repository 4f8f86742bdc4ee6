#include "engine/store/old_log.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace mantissa {
namespace {

// As those versions wrote them: never to be reworded.
constexpr std::string_view kPause = "Paused after step {step}; the model stays loaded",
                           kDiskWait =
                               "After step {step}: waited {seconds} s for disk space in the "
                               "folder {folder}",
                           kRates = "Step {step}: {rate} images/s together: {processes}",
                           kProcess =
                               "process {number} on {host} {rate} images/s, computing {share}% of "
                               "the time",
                           kSlowProcess =
                               "process {number} on {host} {rate} images/s, computing {share}% of "
                               "the time, slow";

bool is_filled(const Message& line, std::string_view source, std::size_t values) {
  return line.kind() == Message::Kind::filled && line.source() == source &&
         line.values().size() == values;
}

template <typename Number>
std::optional<Number> number_in(const Message& value) {
  const std::string text = value.text();
  Number number{};
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), number);
  return bad == std::errc{} && end == text.data() + text.size() ? std::optional(number)
                                                                : std::nullopt;
}

std::optional<ProcessRate> process_rate(const Message& note) {
  const bool slow = is_filled(note, kSlowProcess, 4);
  if (!slow && !is_filled(note, kProcess, 4)) {
    return std::nullopt;
  }
  const auto process = number_in<int>(note.values()[0]);
  const auto rate = number_in<double>(note.values()[2]),
             per_cent = number_in<double>(note.values()[3]);
  if (!process || !rate || !per_cent) {
    return std::nullopt;
  }
  return ProcessRate{*process, note.values()[1].text(), *rate, *per_cent / 100, slow};
}

std::optional<RunRates> rates_in(const Message& line) {
  const auto step = number_in<std::int64_t>(line.values()[0]);
  const auto rate = number_in<double>(line.values()[1]);
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

}  // namespace

const char* const kIsOldRow =
    "(message LIKE '{\"template\":\"Paused after step%' OR "
    "message LIKE '{\"template\":\"After step%' OR message LIKE '{\"template\":\"Step {step}: "
    "{rate}%')";

void add_row_of_line(const Message& line, LogRows& rows) {
  const bool waited = is_filled(line, kDiskWait, 3);
  if (waited || is_filled(line, kPause, 1)) {
    if (const auto step = number_in<std::int64_t>(line.values()[0])) {
      rows.pauses.push_back({*step, waited});
    }
  } else if (is_filled(line, kRates, 3)) {
    if (auto rates = rates_in(line)) {
      rows.rates.push_back(std::move(*rates));
    }
  }
}

}  // namespace mantissa
