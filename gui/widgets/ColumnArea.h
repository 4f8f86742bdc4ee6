#pragma once

#include <QScrollArea>

namespace mantissa::gui {

/// A column that scrolls down only: never narrower than what it holds and its scroll bar.
class ColumnArea : public QScrollArea {
  Q_OBJECT

 public:
  /// `name`: for screen readers.
  explicit ColumnArea(const QString& name, QWidget* parent = nullptr);

  /// Takes ownership; call instead of setWidget.
  void set_column(QWidget* column);
  QSize minimumSizeHint() const override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace mantissa::gui
