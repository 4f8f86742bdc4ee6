#include "gui/widgets/ToolRow.h"

#include <QEvent>
#include <QLayout>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>

#include "gui/widgets/ElideLabel.h"

namespace mantissa::gui {

ToolRow::ToolRow(QWidget* row, QWidget* parent) : QScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setWidgetResizable(true);
  setFocusPolicy(Qt::NoFocus);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  row->setProperty("flat", QStringLiteral("true"));
  setWidget(row);
  row->installEventFilter(this);
  for (auto* tool : row->findChildren<QToolButton*>()) {
    if (tool->toolButtonStyle() == Qt::ToolButtonTextBesideIcon) {
      labelled_.push_back(tool);
    }
  }
  fit();
}

QSize ToolRow::sizeHint() const {
  return {widget()->sizeHint().width(), minimumSizeHint().height()};
}

QSize ToolRow::minimumSizeHint() const {
  return {kLeastWidth, widget()->minimumSizeHint().height()};
}

void ToolRow::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  choose_style();
  fit();
}

int ToolRow::needed_width() const {
  return widget()->minimumSizeHint().width();
}

int ToolRow::said_width() const {
  int width = 0;
  for (const ElideLabel* label : widget()->findChildren<ElideLabel*>()) {
    width += label->isHidden() ? 0 : label->sizeHint().width();
  }
  return width;
}

void ToolRow::choose_style() {
  // The names of tools are in their tooltips, too: they go before what the row says.
  const QList<ElideLabel*> labels = widget()->findChildren<ElideLabel*>();
  for (ElideLabel* label : labels) {
    label->setMinimumWidth(label->sizeHint().width());
  }
  for (QToolButton* tool : labelled_) {
    tool->setToolButtonStyle(Qt::ToolButtonIconOnly);
  }
  for (QToolButton* tool : labelled_) {
    tool->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    if (needed_width() > viewport()->width()) {
      tool->setToolButtonStyle(Qt::ToolButtonIconOnly);
    }
  }
  if (needed_width() > viewport()->width()) {
    for (ElideLabel* label : labels) {
      label->setMinimumWidth(0);
    }
  }
  chosen_for_ = needed_width();
  said_ = said_width();
}

bool ToolRow::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::LayoutRequest) {
    if (needed_width() != chosen_for_ ||
        said_width() != said_) {  // a text has changed, or a tool has come or gone
      choose_style();
    }
    fit();
  } else if (event->type() == QEvent::Resize || event->type() == QEvent::Show) {
    // A row that is resized while hidden keeps its tools where they were.
    QTimer::singleShot(0, this, [this] { widget()->layout()->setGeometry(widget()->rect()); });
  }
  return QScrollArea::eventFilter(watched, event);
}

void ToolRow::showEvent(QShowEvent* event) {
  QScrollArea::showEvent(event);
  choose_style();
  fit();
}

void ToolRow::fit() {
  for (const QWidget* tool : widget()->findChildren<QWidget*>()) {
    tool->ensurePolished();  // before it is shown, it doesn't have its final font and height
  }
  const bool scrolls = widget()->minimumSizeHint().width() > width();
  const int border = 2 * viewport()->y();
  setFixedHeight(widget()->minimumSizeHint().height() + border +
                 (scrolls ? horizontalScrollBar()->sizeHint().height() : 0));
}

}  // namespace mantissa::gui
