#include "gui/app/HeaderBar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QToolButton>

#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {

HeaderBar::HeaderBar(const Theme* theme, QWidget* parent) : QFrame(parent), theme_(theme) {
  setProperty("bar", QStringLiteral("top"));
  row_ = new QHBoxLayout(this);
  row_->setContentsMargins(Space::large, Space::small, Space::medium, Space::small);
  row_->setSpacing(Space::tiny);
  row_->addWidget(make_label(tr("Preset"), "muted", this));
  row_->addSpacing(Space::tiny);
  name_ = new ElideLabel(QString(), this);
  QFont font = name_->font();
  font.setWeight(QFont::DemiBold);
  name_->setFont(font);
  name_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  row_->addWidget(name_);
  changed_ = make_label(tr("● not saved"), "warning", this);
  row_->addSpacing(Space::small);
  row_->addWidget(changed_);
  row_->addStretch(1);
}

void HeaderBar::set_preset(const QString& name, bool changed) {
  name_->set_text(name);
  changed_->setVisible(changed);
}

void HeaderBar::add_button(QAction* action, Icon icon) {
  auto* button = new QToolButton(this);
  const QString name = QString(action->text()).remove(QLatin1Char('&'));
  button->setToolTip(
      QStringLiteral("%1 (%2)").arg(name, action->shortcut().toString(QKeySequence::NativeText)));
  button->setAccessibleName(name);
  bind_icon(button, icon, theme_);
  button->setEnabled(action->isEnabled());
  connect(action, &QAction::changed, button, [=] { button->setEnabled(action->isEnabled()); });
  connect(button, &QToolButton::clicked, action, &QAction::trigger);
  row_->addWidget(button);
}

}  // namespace mantissa::gui
