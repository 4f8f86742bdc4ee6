#pragma once

#include <QHash>
#include <QString>
#include <QStringList>
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

/// How many captions contain each tag; the most used first, then by name.
std::vector<std::pair<QString, int>> count_tags(const QStringList& captions);
/// The tags of a caption, the most used first.
QString sort_tags(const QString& caption, const QHash<QString, int>& counts);

}  // namespace mantissa::gui
