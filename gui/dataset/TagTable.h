#pragma once

#include <QStringList>
#include <QTableWidget>
#include <QVector>

#include "gui/dataset/Tags.h"

namespace mantissa::gui {

class CaptionBook;

/// The tags in use, the most frequent first, and in how many captions each is.
class TagTable : public QTableWidget {
  Q_OBJECT

 public:
  explicit TagTable(CaptionBook* book, QWidget* parent = nullptr);

  const TagCounts& counts() const { return counts_; }
  /// Another data set was opened; `tags` are those of its captions.
  void reset(TagCounts tags);
  /// The captions of these items have changed.
  void count_again(const QVector<int>& items);

 signals:
  void tag_selected(const QString& tag);
  /// Its images are wanted.
  void tag_activated(const QString& tag);

 private:
  void update_rows();

  CaptionBook* book_;
  TagCounts counts_;
  QStringList counted_;  ///< the captions in `counts_`, by item
};

}  // namespace mantissa::gui
