#pragma once

#include <QHash>
#include <QString>
#include <QStringList>
#include <utility>
#include <vector>

namespace mantissa::gui {

/// The parts of a caption between commas, without white space around them and without empty ones.
QStringList split_tags(const QString& caption);
QString join_tags(const QStringList& tags);

/// A tag that is there already stays where it is. Tags are compared without regard to case.
QString add_tag(const QString& caption, const QString& tag, bool in_front);
QString remove_tag(const QString& caption, const QString& tag);
/// `with` may hold several tags, or be there already: no tag is doubled.
QString replace_tag(const QString& caption, const QString& tag, const QString& with);

/// How many captions hold each tag; the most used first, then by name.
std::vector<std::pair<QString, int>> count_tags(const QStringList& captions);
/// The tags of a caption, those that most captions hold first.
QString sort_tags(const QString& caption, const QHash<QString, int>& counts);

}  // namespace mantissa::gui
