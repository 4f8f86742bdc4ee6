#include "gui/widgets/Parts.h"

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QStyle>
#include <QVBoxLayout>
#include <QVariant>

#include "gui/base/Text.h"
#include "gui/widgets/WrapLabel.h"

namespace mantissa::gui {

QLabel* make_label(const QString& text, const char* role, QWidget* parent) {
  auto* label = new WrapLabel(shown(text), parent);
  label->setTextFormat(Qt::PlainText);
  if (*role != '\0') {
    label->setProperty("role", QString::fromLatin1(role));
  }
  return label;
}

QLabel* make_heading(const QString& text, QWidget* parent) {
  QLabel* label = make_label(text, "", parent);
  QFont font = label->font();
  font.setWeight(QFont::DemiBold);
  label->setFont(font);
  return label;
}

QFrame* make_card(QWidget* parent) {
  auto* card = new QFrame(parent);
  card->setProperty("card", QStringLiteral("true"));
  return card;
}

void bind_icon(QAbstractButton* button, Icon icon, const Theme* theme, ColorOf color) {
  const auto dress = [=] {
    const ThemeColors& c = theme->colors();
    button->setIcon(
        make_icon(icon, color ? color(c) : c.text, button->isCheckable() ? c.accent : QColor()));
  };
  dress();
  QObject::connect(theme, &Theme::changed, button, dress);
}

void bind_icon(QLabel* label, Icon icon, const Theme* theme, ColorOf color, int size) {
  label->setFixedSize(size, size);
  const auto dress = [=] {
    label->setPixmap(make_icon(icon, color(theme->colors()))
                         .pixmap(QSize(size, size), label->devicePixelRatioF()));
  };
  dress();
  QObject::connect(theme, &Theme::changed, label, dress);
}

void explain(QWidget* widget, const QString& lines) {
  widget->setToolTip(wrapped_tip(lines));
  widget->setAccessibleDescription(QString(lines).replace(QLatin1Char('\n'), QLatin1Char(' ')));
}

QString summary_of(const QString& lines) {
  return lines.section(QLatin1Char('\n'), 0, 0);
}

void set_property(QWidget* widget, const char* name, const QVariant& value) {
  if (widget->property(name) != value) {
    widget->setProperty(name, value);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
  }
}

void add_clear_button(QLineEdit* edit, const QString& name) {
  edit->setClearButtonEnabled(true);
  for (QToolButton* clear : edit->findChildren<QToolButton*>()) {
    clear->setAccessibleName(name);
    clear->setToolTip(name.toHtmlEscaped());
  }
}

void keep_room(QWidget* widget) {
  QSizePolicy policy = widget->sizePolicy();
  policy.setRetainSizeWhenHidden(true);
  widget->setSizePolicy(policy);
}

QWidget* chain_tab_stops(QWidget* before, const QWidget* box) {
  for (QWidget* widget : box->findChildren<QWidget*>()) {
    if (widget->focusPolicy() & Qt::TabFocus) {
      QWidget::setTabOrder(before, widget);
      before = widget;
    }
  }
  return before;
}

Section::Section(const QString& title, const Theme* theme, QWidget* parent)
    : QFrame(parent), title_(title), theme_(theme) {
  setProperty("card", QStringLiteral("true"));
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(Space::medium, Space::small, Space::medium, Space::small);
  outer->setSpacing(Space::tiny);
  auto* top = new QHBoxLayout;
  header_ = new QToolButton(this);
  header_->setText(title);
  header_->setProperty("kind", QStringLiteral("section"));
  header_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  header_->setAccessibleName(tr("Section %1").arg(title));
  header_->setCursor(Qt::PointingHandCursor);
  note_ = make_label(QString(), "muted", this);
  top->addWidget(header_);
  top->addStretch();
  top->addWidget(note_);
  outer->addLayout(top);
  content_ = new QWidget(this);
  body_ = new QVBoxLayout(content_);
  body_->setContentsMargins(0, 0, 0, Space::tiny);
  body_->setSpacing(Space::tiny);
  outer->addWidget(content_);
  connect(header_, &QToolButton::clicked, this, [this] { set_open(!open_); });
  connect(theme_, &Theme::changed, this, &Section::update_icon);
  update_icon();
}

void Section::update_icon() {
  header_->setIcon(
      make_icon(open_ ? Icon::chevron_down : Icon::chevron_right, theme_->colors().muted));
}

void Section::set_open(bool open) {
  if (open_ == open) {
    return;
  }
  open_ = open;
  content_->setVisible(open);
  update_icon();
}

void Section::set_note(const QString& note) {
  note_->setText(note);
}

}  // namespace mantissa::gui
