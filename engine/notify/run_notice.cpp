#include "engine/notify/run_notice.h"

#include <cmath>
#include <fmt/format.h>

namespace mantissa {
namespace {

std::string loss_text(double loss) {
  return std::isfinite(loss) ? fmt::format("{:.4g}", loss) : std::string();
}

/// Whether the user can mend it and start again.
bool is_refusal(ErrorKind kind) {
  return kind == ErrorKind::input || kind == ErrorKind::precision ||
         kind == ErrorKind::out_of_memory || kind == ErrorKind::out_of_disk;
}

}  // namespace

std::string outcome_name(RunOutcome outcome) {
  switch (outcome) {
    case RunOutcome::finished:
      return "finished";
    case RunOutcome::stopped:
      return "stopped";
    case RunOutcome::failed:
      return "failed";
    case RunOutcome::refused:
      return "refused";
  }
  return {};
}

void set_failure(RunNotice& notice, const RunFailure& failure) {
  notice.outcome = failure.kind == ErrorKind::interrupted          ? RunOutcome::stopped
                   : notice.steps == 0 && is_refusal(failure.kind) ? RunOutcome::refused
                                                                   : RunOutcome::failed;
  notice.reason = failure.message;
}

Message notice_title(const RunNotice& notice) {
  switch (notice.outcome) {
    case RunOutcome::finished:
      return message<"Run finished: {run}">(notice.name);
    case RunOutcome::stopped:
      return message<"Run stopped: {run}">(notice.name);
    case RunOutcome::failed:
      return message<"Run failed: {run}">(notice.name);
    case RunOutcome::refused:
      return message<"Run refused: {run}">(notice.name);
  }
  return {};
}

std::vector<Message> notice_lines(const RunNotice& notice) {
  std::vector<Message> lines;
  if (!notice.reason.empty()) {
    lines.push_back(notice.reason);
  }
  if (notice.steps > 0) {
    lines.push_back(std::isfinite(notice.loss)
                        ? message<"step {step}, loss {loss}">(notice.steps, loss_text(notice.loss))
                        : message<"step {step}">(notice.steps));
  }
  if (!notice.adapter.empty()) {
    lines.push_back(Message::verbatim(notice.adapter));
  } else if (!notice.folder.empty()) {
    lines.push_back(Message::verbatim(notice.folder));
  }
  return lines;
}

std::vector<std::pair<std::string, std::string>> notice_variables(const RunNotice& notice) {
  return {{"MANTISSA_STATE", outcome_name(notice.outcome)},
          {"MANTISSA_NAME", notice.name},
          {"MANTISSA_RUN", notice.run_id},
          {"MANTISSA_FOLDER", notice.folder},
          {"MANTISSA_RESULT", notice.adapter},
          {"MANTISSA_STEPS", std::to_string(notice.steps)},
          {"MANTISSA_LOSS", loss_text(notice.loss)},
          {"MANTISSA_MESSAGE", notice.reason.text()}};
}

}  // namespace mantissa
