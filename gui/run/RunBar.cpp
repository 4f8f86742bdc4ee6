#include "gui/run/RunBar.h"

#include <QAction>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/base/Text.h"
#include "gui/run/RunActions.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {

QString run_state_text(RunState state) {
  switch (state) {
    case RunState::idle:
      return QCoreApplication::translate("RunState", "Ready");
    case RunState::preparing:
      return QCoreApplication::translate("RunState", "Preparing");
    case RunState::training:
      return QCoreApplication::translate("RunState", "Training");
    case RunState::pausing:
      return QCoreApplication::translate("RunState", "Pausing");
    case RunState::paused:
      return QCoreApplication::translate("RunState", "Paused");
    case RunState::stopping:
      return QCoreApplication::translate("RunState", "Stopping");
    case RunState::finished:
      return QCoreApplication::translate("RunState", "Finished");
    case RunState::failed:
      return QCoreApplication::translate("RunState", "Failed");
  }
  return {};
}

RunBar::RunBar(RunActions* actions, const Theme* theme, QWidget* parent)
    : QFrame(parent), theme_(theme), actions_(actions) {
  setProperty("bar", QStringLiteral("bottom"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  progress_ = new QProgressBar(this);
  progress_->setProperty("thin", QStringLiteral("true"));
  progress_->setTextVisible(false);
  progress_->setRange(0, 1000);
  progress_->setValue(0);
  progress_->setAccessibleName(tr("Progress of the run"));
  column->addWidget(progress_);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(Space::large, Space::small, Space::medium, Space::small + 2);
  row->setSpacing(Space::small);
  lamp_ = new QLabel(this);
  lamp_->setFixedSize(16, 16);
  lamp_->setAccessibleName(tr("State"));
  row->addWidget(lamp_);
  state_ = make_heading(run_state_text(RunState::idle), this);
  state_->setAccessibleDescription(tr("State of the run"));
  row->addWidget(state_);
  row->addSpacing(Space::small);
  details_ = new ElideLabel(QString(), this);
  details_->set_mode(Qt::ElideRight);
  row->addWidget(details_, 1);
  memory_ = make_label(QString(), "muted", this);
  row->addWidget(memory_);
  row->addSpacing(Space::small);
  add_button(actions->open_folder, Icon::open, "");
  add_button(actions->compare, Icon::train, "");
  add_button(actions->go_on, Icon::pause, "");
  add_button(actions->apply_live, Icon::check, "");
  add_button(actions->sample, Icon::sample, "");
  add_button(actions->save, Icon::save, "");
  add_button(actions->stop, Icon::stop, "danger");
  add_button(actions->stop_save, Icon::stop_save, "");
  add_button(actions->pause, Icon::pause, "");
  add_button(actions->fix_all, Icon::check, "");
  add_button(actions->start, Icon::play, "primary");
  for (const Button& b : buttons_) {
    row->addWidget(b.widget);
  }
  column->addLayout(row);
  connect(theme_, &Theme::changed, this, &RunBar::style_state);
  set_state(RunState::idle, {});
}

QPushButton* RunBar::add_button(QAction* action, Icon icon, const char* kind) {
  auto* button = new QPushButton(this);
  button->setProperty("kind", QString::fromLatin1(kind));
  const auto mirror = [button, action] {
    button->setText(action->text());
    button->setToolTip(action->toolTip());
    button->setEnabled(action->isEnabled());
    button->setAccessibleName(QString(action->text()).remove(QLatin1Char('&')));
  };
  mirror();
  connect(action, &QAction::changed, button, mirror);
  connect(button, &QPushButton::clicked, action, &QAction::trigger);
  buttons_.push_back({action, button, icon});
  return button;
}

QPushButton* RunBar::button(const QAction* action) const {
  const auto it = std::find_if(buttons_.begin(), buttons_.end(),
                               [&](const Button& b) { return b.action == action; });
  return it == buttons_.end() ? nullptr : it->widget;
}

void RunBar::set_state(RunState shown, const QString& state_text) {
  shown_ = shown;
  given_text_ = state_text;
  const bool blocked = blocked_ && shown == RunState::idle;
  state_->setText(!state_text.isEmpty() ? state_text
                  : blocked             ? tr("Not ready")
                                        : run_state_text(shown));
  state_->setAccessibleName(state_->text());
  const bool over =
      shown == RunState::idle || shown == RunState::finished || shown == RunState::failed;
  // Unavailable commands would only crowd the bar; the order of the rest never changes.
  for (const Button& b : buttons_) {
    const bool outcome = b.action == actions_->open_folder || b.action == actions_->compare ||
                         b.action == actions_->go_on;
    b.widget->setVisible(b.action == actions_->start     ? over
                         : outcome                       ? over && b.action->isEnabled()
                         : b.action == actions_->fix_all ? over && blocked_ && b.action->isEnabled()
                         : b.action == actions_->apply_live ? b.action->isEnabled()
                                                            : !over);
  }
  style_state();
  share_room();
}

void RunBar::set_blocked(bool blocked) {
  blocked_ = blocked;
  set_state(shown_, given_text_);
}

void RunBar::set_stopped(bool stopped) {
  stopped_ = stopped;
  style_state();
}

void RunBar::style_state() {
  const ThemeColors& c = theme_->colors();
  QColor color = c.muted;
  Icon icon = Icon::info;
  switch (shown_) {
    case RunState::idle:
      icon = blocked_ ? Icon::warning : Icon::check;
      color = blocked_ ? c.warning : c.ok;
      break;
    case RunState::preparing:
    case RunState::training:
      color = c.accent;
      icon = Icon::play;
      break;
    case RunState::pausing:
    case RunState::paused:
      color = c.warning;
      icon = Icon::pause;
      break;
    case RunState::stopping:
      color = c.warning;
      icon = Icon::stop;
      break;
    case RunState::finished:
      color = stopped_ ? c.muted : c.ok;
      icon = stopped_ ? Icon::stop : Icon::check;
      break;
    case RunState::failed:
      color = c.error;
      icon = Icon::error;
      break;
  }
  for (const Button& b : buttons_) {
    const bool paused =
        (b.action == actions_->pause && shown_ == RunState::paused) || b.action == actions_->go_on;
    const QColor ink = b.action == actions_->start  ? c.on_accent
                       : b.action == actions_->stop ? c.error
                                                    : c.text;
    b.widget->setIcon(make_icon(paused ? Icon::play : b.icon, ink));
  }
  lamp_->setPixmap(make_icon(icon, color).pixmap(QSize(16, 16), devicePixelRatioF()));
  keep_widths();
}

void RunBar::keep_widths() {
  for (const Button& b : buttons_) {
    const QString now = b.widget->text();
    b.widget->ensurePolished();
    int width = 0;
    for (const QString& text : actions_->texts(b.action)) {
      b.widget->setText(text);
      width = std::max(width, b.widget->sizeHint().width());
    }
    b.widget->setText(now);
    b.widget->setMinimumWidth(width);
  }
}

void RunBar::set_details(const QString& text) {
  details_->set_text(text);
  share_room();
}

/// Where there is room for one of both, the step is told rather than the memory.
void RunBar::share_room() {
  const bool had = !memory_->isHidden();
  layout()->activate();
  const int gap = had ? 2 * Space::small : Space::small;
  const int room = details_->width() + (had ? memory_->width() + gap : 0);
  const int both = details_->sizeHint().width() + memory_->sizeHint().width() + 2 * Space::small;
  memory_->setVisible(!memory_->text().isEmpty() && both <= room);
}

void RunBar::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  share_room();
}

void RunBar::set_memory(std::uint64_t need, std::uint64_t available) {
  const QString plain =
      need > 0 ? tr("Memory %1").arg(format_bytes(need)) : QString();  // 0: unknown
  memory_->setText(available > 0 && need > 0
                       ? tr("Memory %1 of %2").arg(format_bytes(need), format_bytes(available))
                       : plain);
  set_property(
      memory_, "role",
      available > 0 && need > available ? QStringLiteral("error") : QStringLiteral("muted"));
  share_room();
}

void RunBar::set_progress(qint64 done, qint64 total) {
  if (done < 0) {
    progress_->setRange(0, 1000);
    progress_->setValue(0);
  } else if (total <= 0) {
    progress_->setRange(0, 0);
  } else {
    progress_->setRange(0, 1000);
    progress_->setValue(static_cast<int>(
        std::min<double>(1000, 1000.0 * static_cast<double>(done) / static_cast<double>(total))));
  }
}

QString RunBar::state_text() const {
  return state_->text();
}
QString RunBar::details() const {
  return details_->text();
}

}  // namespace mantissa::gui
