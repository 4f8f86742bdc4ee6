#pragma once

#include <QString>
#include <vector>

namespace mantissa::gui {

/// A stretch of text that two captions share, or that only one of them has.
struct DiffPart {
  enum Kind { same, removed, added };
  Kind kind = same;
  QString text;
  bool operator==(const DiffPart&) const = default;
};

/// How `before` becomes `after`, by words: the longest common subsequence. Beyond 400 words between
/// their common beginning and end, all of it counts as changed.
std::vector<DiffPart> caption_diff(const QString& before, const QString& after);

}  // namespace mantissa::gui
