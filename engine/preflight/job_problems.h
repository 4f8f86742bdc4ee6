#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/message.h"
#include "engine/plan/plan_report.h"
#include "engine/precision/verdict.h"

namespace mantissa {

/// The options of the command line that a problem of a job is about: "--base" for "base".
std::vector<std::string> options_of_problem(std::string_view id);

/// The problems of a job in the order in which they are found, by the ids of preflight.h.
struct JobProblems {
  std::vector<Finding> found;

  void add(const char* id, Verdict verdict, Message message, std::string fix = "{}") {
    found.push_back({id, verdict, options_of_problem(id), std::move(message), std::move(fix)});
  }
  /// Runs `check`, and adds its error as a refusal. True if there was none.
  template <typename Check>
  bool passes(const char* id, Check check) {
    try {
      check();
      return true;
    } catch (const std::exception& e) {
      add(id, Verdict::refused, message_of(e));
      return false;
    }
  }
};

/// The refusal that a start of the job would end with; null if there is none.
const Finding* first_refusal(const PlanReport& report);

/// The kind of error that a refusal ends a command with.
ErrorKind refusal_kind(const Finding& refusal);

}  // namespace mantissa
