#include "engine/preflight/job_problems.h"

#include <algorithm>
#include <array>
#include <span>

namespace mantissa {
namespace {

/// Of the job's problems: first those that a start meets before it refuses a precision.
constexpr std::array<std::string_view, 15> kJobIds{
    "resume",     "base",       "parts",    "training-adapter", "device",
    "split",      "cards",      "settings", "images",           "prior",
    "validation", "references", "output",   "replay",           "continue-from"};
constexpr std::size_t kEarlyIds = 8;

}  // namespace

std::vector<std::string> options_of_problem(std::string_view id) {
  return id == "output"                       ? std::vector<std::string>{"--out"}
         : id == "parts"                      ? std::vector<std::string>{"--base"}
         : id == "settings" || id == "memory" ? std::vector<std::string>()
         : id == "nccl"                       ? std::vector<std::string>{"--device"}
         : id == "split"                      ? std::vector<std::string>{"--split-cards"}
         : id == "cards" ? std::vector<std::string>{"training.gradient_accumulation"}
                         : std::vector<std::string>{"--" + std::string(id)};
}

const Finding* first_refusal(const PlanReport& report) {
  const auto place = [](const Finding& refusal) {
    const auto early = std::span(kJobIds).first(kEarlyIds);
    return std::ranges::find(early, refusal.id) != early.end() ? 0
           : refusal_kind(refusal) == ErrorKind::precision     ? 1
                                                               : 2;
  };
  const Finding* first = nullptr;
  for (const Finding& finding : report.findings) {
    if (finding.verdict == Verdict::refused &&
        (first == nullptr || place(finding) < place(*first))) {
      first = &finding;
    }
  }
  return first;
}

ErrorKind refusal_kind(const Finding& refusal) {
  return refusal.id == "memory" ? ErrorKind::out_of_memory
         : std::find(kJobIds.begin(), kJobIds.end(), refusal.id) != kJobIds.end()
             ? ErrorKind::input
             : ErrorKind::precision;
}

}  // namespace mantissa
