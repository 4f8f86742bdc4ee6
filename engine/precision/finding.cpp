#include "engine/precision/finding.h"

namespace mantissa {

std::string_view verdict_name(Verdict v) {
  switch (v) {
    case Verdict::works:
      return "works";
    case Verdict::adjusted:
      return "adjusted";
    case Verdict::warning:
      return "warning";
    case Verdict::refused:
      return "refused";
  }
  return "?";
}

Message with_changes(const Message& sentence, const std::string& changes) {
  return changes.empty() ? sentence : message<"{message} ({changes})">(sentence, changes);
}

}  // namespace mantissa
