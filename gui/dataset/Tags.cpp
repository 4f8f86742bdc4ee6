#include "gui/dataset/Tags.h"

#include <algorithm>

namespace mantissa::gui {
namespace {

bool same(const QString& a, const QString& b) {
  return a.compare(b, Qt::CaseInsensitive) == 0;
}

qsizetype index_of(const QStringList& tags, const QString& tag) {
  for (qsizetype i = 0; i < tags.size(); ++i) {
    if (same(tags[i], tag)) {
      return i;
    }
  }
  return -1;
}

}  // namespace

QStringList split_tags(const QString& caption) {
  QStringList tags;
  for (const QString& part : caption.split(QLatin1Char(','))) {
    const QString tag = part.trimmed();
    if (!tag.isEmpty()) {
      tags << tag;
    }
  }
  return tags;
}

QString join_tags(const QStringList& tags) {
  return tags.join(QStringLiteral(", "));
}

QString add_tag(const QString& caption, const QString& tag, bool in_front) {
  QStringList tags = split_tags(caption);
  for (const QString& one : split_tags(tag)) {
    if (index_of(tags, one) < 0) {
      if (in_front) {
        tags.prepend(one);
      } else {
        tags.append(one);
      }
    }
  }
  return join_tags(tags);
}

QString remove_tag(const QString& caption, const QString& tag) {
  const QStringList tags = split_tags(caption), unwanted = split_tags(tag);
  QStringList kept;
  for (const QString& one : tags) {
    if (index_of(unwanted, one) < 0) {
      kept << one;
    }
  }
  // A caption without it is left unchanged.
  return kept.size() == tags.size() ? caption : join_tags(kept);
}

QString replace_tag(const QString& caption, const QString& tag, const QString& with) {
  const QStringList tags = split_tags(caption);
  if (index_of(tags, tag.trimmed()) < 0) {
    return caption;
  }
  QStringList out;
  const auto add = [&](const QString& one) {
    if (index_of(out, one) < 0) {
      out << one;
    }
  };
  for (const QString& one : tags) {
    if (!same(one, tag.trimmed())) {
      add(one);
      continue;
    }
    for (const QString& fresh : split_tags(with)) {
      add(fresh);
    }
  }
  return join_tags(out);
}

std::vector<std::pair<QString, int>> count_tags(const QStringList& captions) {
  QHash<QString, std::pair<QString, int>> counts;  // by lowercase tag
  for (const QString& caption : captions) {
    QStringList seen;
    for (const QString& tag : split_tags(caption)) {
      const QString key = tag.toLower();
      if (seen.contains(key)) {
        continue;
      }
      seen << key;
      auto& entry = counts[key];
      if (entry.second++ == 0) {
        entry.first = tag;
      }
    }
  }
  std::vector<std::pair<QString, int>> out(counts.begin(), counts.end());
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  return out;
}

QString sort_tags(const QString& caption, const QHash<QString, int>& counts) {
  QStringList tags = split_tags(caption);
  std::stable_sort(tags.begin(), tags.end(), [&](const QString& a, const QString& b) {
    return counts.value(a.toLower()) > counts.value(b.toLower());
  });
  return join_tags(tags);
}

}  // namespace mantissa::gui
