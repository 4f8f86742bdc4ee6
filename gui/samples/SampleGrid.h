#pragma once
// defines: SampleGrid, PicturePane

#include <QImage>
#include <QWidget>

#include "gui/app/Theme.h"

class QLabel;
class QStackedLayout;
class QTableView;

namespace mantissa {

class SampleModel;

/// A picture, as large as fits, enlarged four times at most.
class PicturePane : public QWidget {
  Q_OBJECT

 public:
  explicit PicturePane(const QString& empty_text, QWidget* parent = nullptr);
  /// Empty path: shows the empty text. A file that can't be read is named.
  void show_file(const QString& path);
  bool has_picture() const { return !image_.isNull(); }
  QSize sizeHint() const override { return {320, 320}; }
  QSize minimumSizeHint() const override { return {120, 120}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QString empty_text_, text_;
  QImage image_, scaled_;
};

/// The page of samples: prompts down, steps across, and the chosen one large. Arrow keys move.
class SampleGrid : public QWidget {
  Q_OBJECT

 public:
  SampleGrid(SampleModel* model, const Theme* theme, QWidget* parent = nullptr);
  QTableView* table() const { return table_; }
  PicturePane* preview() const { return preview_; }
  /// Chooses the samples of a step, where there are any.
  void show_step(std::int64_t step);

 private:
  void show_current();
  void update_empty();

  SampleModel* model_;
  QStackedLayout* stack_;
  QTableView* table_;
  PicturePane* preview_;
  QLabel *caption_, *prompt_;
};

}  // namespace mantissa
