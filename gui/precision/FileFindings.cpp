#include "gui/precision/FileFindings.h"

#include "engine/core/message.h"

namespace mantissa::gui {

std::vector<Finding> file_findings(const PlanReport& report) {
  constexpr std::size_t kMostLines = 4;
  std::vector<Finding> lines;
  std::size_t more = 0;
  for (const PlanNotice& notice : report.notices) {
    if (notice.level != LogLevel::warning) {
      continue;
    }
    if (lines.size() < kMostLines) {
      lines.push_back({"files", Verdict::warning, {}, notice.text});
    } else {
      ++more;
    }
  }
  if (more > 0) {
    lines.push_back(
        {"files", Verdict::warning, {}, message<"{count} more about images and captions">(more)});
  }
  return lines;
}

}  // namespace mantissa::gui
