#include "gui/widgets/CardArea.h"

#include <QEvent>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/base/Theme.h"

namespace mantissa::gui {

CardArea::CardArea(QWidget* page) : QScrollArea(page), page_(page) {
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setWidgetResizable(true);
  setFocusPolicy(Qt::NoFocus);
  setAccessibleName(tr("Messages of the run"));
  inner_ = new QWidget(viewport());
  inner_->setProperty("flat", QStringLiteral("true"));
  column_ = new QVBoxLayout(inner_);
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(Space::medium);
  setWidget(inner_);
  inner_->installEventFilter(this);
  page_->installEventFilter(this);
  hide();
}

void CardArea::add(QWidget* card) {
  column_->addWidget(card);
  card->installEventFilter(this);
}

void CardArea::bring_up(QWidget* card) {
  fit();
  verticalScrollBar()->setValue(card->y());
}

bool CardArea::eventFilter(QObject* watched, QEvent* event) {
  const QEvent::Type type = event->type();
  const bool of_card = type == QEvent::ShowToParent || type == QEvent::HideToParent;
  const bool of_inner = type == QEvent::LayoutRequest || type == QEvent::Resize;
  const bool filtered = QScrollArea::eventFilter(watched, event);
  if (of_card || (watched == inner_ && of_inner) || (watched == page_ && type == QEvent::Resize)) {
    fit();
  }
  return filtered;
}

void CardArea::fit() {
  if (fitting_) {
    return;
  }
  fitting_ = true;
  bool any = false;
  for (int i = 0; i < column_->count(); ++i) {
    any = any || !column_->itemAt(i)->widget()->isHidden();
  }
  column_->activate();
  const int width = page_->width();
  const int all = column_->hasHeightForWidth() ? column_->totalHeightForWidth(width)
                                               : column_->totalSizeHint().height();
  const int most = std::max(120, static_cast<int>(kShare * page_->height()));
  const int whole = all + 2 * viewport()->y();  // with the theme's border
  const bool scrolls = whole > most;
  setVerticalScrollBarPolicy(scrolls ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
  setFixedHeight(std::min(whole, most));
  setVisible(any);
  fitting_ = false;
}

}  // namespace mantissa::gui
