#pragma once

#include <QTimer>
#include <QVector>
#include <QWidget>
#include <functional>
#include <vector>

#include "gui/base/Theme.h"

class QTextEdit;
class QToolButton;

namespace mantissa::gui {

class CaptionBook;

/// What an edit would do to captions: the first few that change, before and after, and how many.
/// The first kAtOnce captions are tried at once, the others after a pause in typing, a slice at a
/// time, so that the window never waits for them.
class CaptionPreview : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kShown = 4;     ///< changes
  static constexpr int kAtOnce = 400;  ///< captions
  static constexpr int kSlice = 2000;  ///< captions, some milliseconds
  static constexpr int kPauseMs = 150;

  /// A caption's new text.
  using Edit = std::function<QString(const QString& caption)>;

  CaptionPreview(CaptionBook* book, const Theme* theme, QWidget* parent = nullptr);

  /// Shows `edit` of these captions; without one it hides. Read-only captions never change.
  void show_edit(const QVector<int>& items, const Edit& edit);
  bool is_counted() const { return next_ >= items_.size(); }
  /// Changing captions among those tried so far.
  int changing() const { return changing_; }
  int total() const { return static_cast<int>(items_.size()); }

  QTextEdit* text() const { return text_; }
  QToolButton* header() const { return header_; }

 signals:
  /// More are counted, or another edit is shown.
  void counted();

 private:
  struct Change {
    int item;
    QString after;
  };
  void count(qsizetype most);
  void fill();
  void show_captions();
  void update_header();

  CaptionBook* book_;
  const Theme* theme_;
  QToolButton* header_;
  QTextEdit* text_;
  QTimer timer_;
  QVector<int> items_;
  Edit edit_;
  qsizetype next_ = 0;  ///< of items_, to be tried
  int changing_ = 0;
  std::vector<Change> first_;
};

}  // namespace mantissa::gui
