#pragma once

#include <QScrollArea>

class QVBoxLayout;

namespace mantissa::gui {

/// Cards above the content of a page: as high as those that are shown, up to a share of the page,
/// and scrolled beyond it, so that the content keeps its place. Without cards it is hidden.
class CardArea : public QScrollArea {
  Q_OBJECT

 public:
  /// `page`: the widget whose height counts.
  explicit CardArea(QWidget* page);
  void add(QWidget* card);
  /// Scrolls to a card.
  void bring_up(QWidget* card);

  static constexpr double kShare = 0.36;  ///< of the page's height, at most

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fit();

  QWidget *page_, *inner_;
  QVBoxLayout* column_;
  bool fitting_ = false;
};

}  // namespace mantissa::gui
