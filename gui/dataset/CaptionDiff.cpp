#include "gui/dataset/CaptionDiff.h"

#include <QStringList>
#include <algorithm>

namespace mantissa::gui {
namespace {

constexpr qsizetype kMostWords = 400;

/// Words, and single characters between them; joined again they are the text.
QStringList words_of(const QString& text) {
  QStringList words;
  bool in_word = false;
  for (const QChar c : text) {
    const bool letter = c.isLetterOrNumber() || c.isSurrogate() || c.isMark();
    if (letter && in_word) {
      words.back() += c;
    } else {
      words << QString(c);
    }
    in_word = letter;
  }
  return words;
}

void add_part(std::vector<DiffPart>& parts, DiffPart::Kind kind, const QString& text) {
  if (!parts.empty() && parts.back().kind == kind) {
    parts.back().text += text;
  } else if (!text.isEmpty()) {
    parts.push_back({kind, text});
  }
}

/// lengths[i][j]: characters of the longest common subsequence of a from i on and b from j on; a
/// word counts for more than a comma.
std::vector<std::vector<int>> common_lengths(const QStringList& a, const QStringList& b) {
  const auto rows = static_cast<std::size_t>(a.size()),
             columns = static_cast<std::size_t>(b.size());
  std::vector<std::vector<int>> lengths(rows + 1, std::vector<int>(columns + 1));
  for (std::size_t i = rows; i-- > 0;) {
    for (std::size_t j = columns; j-- > 0;) {
      lengths[i][j] =
          a[static_cast<qsizetype>(i)] == b[static_cast<qsizetype>(j)]
              ? lengths[i + 1][j + 1] + static_cast<int>(a[static_cast<qsizetype>(i)].size())
              : std::max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  return lengths;
}

void add_changes(std::vector<DiffPart>& parts, const QStringList& a, const QStringList& b) {
  if (a.size() > kMostWords || b.size() > kMostWords) {
    add_part(parts, DiffPart::removed, a.join(QString()));
    add_part(parts, DiffPart::added, b.join(QString()));
    return;
  }
  const auto lengths = common_lengths(a, b);
  qsizetype i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const auto row = static_cast<std::size_t>(i), column = static_cast<std::size_t>(j);
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      add_part(parts, DiffPart::same, a[i++]);
      ++j;
    } else if (j >= b.size() ||
               (i < a.size() && lengths[row + 1][column] >= lengths[row][column + 1])) {
      add_part(parts, DiffPart::removed, a[i++]);
    } else {
      add_part(parts, DiffPart::added, b[j++]);
    }
  }
}

}  // namespace

std::vector<DiffPart> caption_diff(const QString& before, const QString& after) {
  const QStringList a = words_of(before), b = words_of(after);
  const qsizetype most = std::min(a.size(), b.size());
  qsizetype head = 0, tail = 0;
  while (head < most && a[head] == b[head]) {
    ++head;
  }
  while (tail < most - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) {
    ++tail;
  }
  std::vector<DiffPart> parts;
  add_part(parts, DiffPart::same, a.mid(0, head).join(QString()));
  add_changes(parts, a.mid(head, a.size() - head - tail), b.mid(head, b.size() - head - tail));
  add_part(parts, DiffPart::same, a.mid(a.size() - tail).join(QString()));
  return parts;
}

}  // namespace mantissa::gui
