#include "gui/run/PartRow.h"

#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>

#include "gui/base/Icons.h"
#include "gui/base/Text.h"
#include "gui/widgets/Parts.h"
#include "gui/widgets/PathEdit.h"

namespace mantissa::gui {
namespace {

constexpr int kIconSize = 14;

/// Paths break at their separators, so that they don't widen the window.
QString breakable(QString text) {
  for (const char separator : {'/', '\\'}) {
    text.replace(QLatin1Char(separator), QLatin1Char(separator) + QString(QChar(0x200B)));
  }
  return text;
}

}  // namespace

PartRow::PartRow(const QString& title, PathEdit* edit, QGridLayout* grid, int at,
                 const Theme* theme, QWidget* parent)
    : QObject(parent),
      edit_(edit),
      title_(make_label(title, "muted", parent)),
      icon_(make_label(QString(), "", parent)),
      status_(make_label(QString(), "muted", parent)),
      theme_(theme) {
  title_->setBuddy(edit_);
  icon_->setFixedSize(kIconSize, kIconSize);
  status_->setWordWrap(true);
  status_->setMinimumWidth(1);
  grid->addWidget(title_, at, 0);
  grid->addWidget(edit_, at, 1, 1, 2);
  grid->addWidget(icon_, at + 1, 1, Qt::AlignTop);
  grid->addWidget(status_, at + 1, 2);
  connect(theme_, &Theme::changed, this, &PartRow::dress);
}

PartRow::~PartRow() {
  for (QWidget* widget : {static_cast<QWidget*>(edit_), static_cast<QWidget*>(title_),
                          static_cast<QWidget*>(icon_), static_cast<QWidget*>(status_)}) {
    widget->hide();
    widget->deleteLater();
  }
}

QString PartRow::path() const {
  return edit_->path();
}

void PartRow::set_status(State state, const QString& text) {
  state_ = state;
  text_ = text;
  status_->setText(breakable(shown(text)));
  set_property(status_, "role",
               state == State::bad ? QStringLiteral("error") : QStringLiteral("muted"));
  edit_->findChild<QLineEdit*>()->setAccessibleDescription(text);
  dress();
}

void PartRow::dress() {
  const ThemeColors& c = theme_->colors();
  const bool good = state_ == State::good, bad = state_ == State::bad;
  icon_->setPixmap(good || bad
                       ? make_icon(good ? Icon::check : Icon::error, good ? c.ok : c.error)
                             .pixmap(QSize(kIconSize, kIconSize), icon_->devicePixelRatioF())
                       : QPixmap());
}

void PartRow::prefill(const QString& path) {
  if (is_prefilled()) {
    prefilled_ = path;
    edit_->set_path(path);
  }
}

}  // namespace mantissa::gui
