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

void TagCounts::count(const QString& caption, int change) {
  QStringList seen;
  for (const QString& tag : split_tags(caption)) {
    const QString key = tag.toLower();
    if (seen.contains(key)) {
      continue;
    }
    seen << key;
    const int before = counts_.value(key), now = before + change;
    const QString spelling = spellings_.value(key, tag);
    ranked_.erase({-before, spelling});
    if (now == 0) {
      counts_.remove(key);
      spellings_.remove(key);
      continue;
    }
    counts_.insert(key, now);
    spellings_.insert(key, spelling);
    ranked_.emplace(-now, spelling);
  }
}

std::vector<std::pair<QString, int>> TagCounts::top(qsizetype most) const {
  std::vector<std::pair<QString, int>> out;
  for (auto it = ranked_.begin(); it != ranked_.end() && std::ssize(out) < most; ++it) {
    out.emplace_back(it->second, -it->first);
  }
  return out;
}

TagCounts count_tags(const QStringList& captions) {
  TagCounts counts;
  for (const QString& caption : captions) {
    counts.add(caption);
  }
  return counts;
}

QString sort_tags(const QString& caption, const QHash<QString, int>& counts) {
  QStringList tags = split_tags(caption);
  std::stable_sort(tags.begin(), tags.end(), [&](const QString& a, const QString& b) {
    return counts.value(a.toLower()) > counts.value(b.toLower());
  });
  return join_tags(tags);
}

QString sort_tags_by_name(const QString& caption) {
  QStringList tags = split_tags(caption);
  std::stable_sort(tags.begin(), tags.end(), [](const QString& a, const QString& b) {
    return a.compare(b, Qt::CaseInsensitive) < 0;
  });
  return join_tags(tags);
}

QString unique_tags(const QString& caption) {
  const QStringList tags = split_tags(caption);
  QStringList kept;
  for (const QString& tag : tags) {
    if (index_of(kept, tag) < 0) {
      kept << tag;
    }
  }
  return kept.size() == tags.size() ? caption : join_tags(kept);
}

}  // namespace mantissa::gui
