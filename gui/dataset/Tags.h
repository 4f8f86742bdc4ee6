#pragma once

#include <QHash>
#include <QString>
#include <QStringList>
#include <set>
#include <utility>
#include <vector>

namespace mantissa::gui {

/// The comma-separated parts of a caption, trimmed, without empty ones.
QStringList split_tags(const QString& caption);
QString join_tags(const QStringList& tags);

/// An existing tag stays in place. Tags are compared case-insensitively.
QString add_tag(const QString& caption, const QString& tag, bool in_front);
QString remove_tag(const QString& caption, const QString& tag);
/// `with` may contain several tags, or existing ones: no tag is duplicated.
QString replace_tag(const QString& caption, const QString& tag, const QString& with);

/// How many captions contain each tag, kept up to date as captions come and go: an edit costs as
/// much as its captions, however many there are, and the first tags cost as many as they are.
class TagCounts {
 public:
  void add(const QString& caption) { count(caption, 1); }
  /// One that was added.
  void remove(const QString& caption) { count(caption, -1); }
  /// How many different tags there are.
  qsizetype size() const { return counts_.size(); }
  /// The most used first, then by name; at most `most`.
  std::vector<std::pair<QString, int>> top(qsizetype most) const;
  /// By lowercase tag.
  const QHash<QString, int>& by_tag() const { return counts_; }

 private:
  void count(const QString& caption, int change);
  QHash<QString, int> counts_;
  QHash<QString, QString> spellings_;         ///< as first seen, by lowercase tag
  std::set<std::pair<int, QString>> ranked_;  ///< minus the count, spelling
};
/// The counts of some captions: on any thread.
TagCounts count_tags(const QStringList& captions);
/// The tags of a caption, the most used first.
QString sort_tags(const QString& caption, const QHash<QString, int>& counts);
/// The tags of a caption by name.
QString sort_tags_by_name(const QString& caption);
/// Each tag once, where it stands first; a caption without repeated ones is left unchanged.
QString unique_tags(const QString& caption);

}  // namespace mantissa::gui
