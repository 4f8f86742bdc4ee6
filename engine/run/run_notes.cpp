#include "engine/run/run_notes.h"

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

namespace mantissa {
namespace {

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
  if (p.is_card()) {
    return p.slow ? message<"{card} {rate} images/s, computing {share}% of the time, slow">(
                        p.host, rate, share)
                  : message<"{card} {rate} images/s, computing {share}% of the time">(p.host, rate,
                                                                                      share);
  }
  return p.slow ? message<
                      "process {number} on {host} {rate} images/s, computing {share}% of the time, "
                      "slow">(p.process, p.host, rate, share)
                : message<
                      "process {number} on {host} {rate} images/s, computing {share}% of the time">(
                      p.process, p.host, rate, share);
}

}  // namespace

Message pause_note(std::int64_t step) {
  return message<"Paused after step {step}; the model stays loaded">(step);
}

Message disk_wait_note(std::int64_t step, std::chrono::duration<double> waited,
                       const std::string& folder) {
  return message<"After step {step}: waited {seconds} s for disk space in the folder {folder}">(
      step, std::llround(waited.count()), folder);
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
  return message<"Step {step}: {rate} images/s together: {processes}">(
      rates.step, rate_text(rates.images_per_second), joined<"; ">(std::move(processes)));
}

}  // namespace mantissa
