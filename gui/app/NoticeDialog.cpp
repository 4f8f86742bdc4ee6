#include "gui/app/NoticeDialog.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "engine/core/error.h"
#include "engine/notify/notice_post.h"
#include "gui/app/Notifier.h"
#include "gui/base/EngineText.h"
#include "gui/base/Theme.h"
#include "gui/engine/AppSettings.h"
#include "gui/engine/NoticeTask.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

enum Form { nowhere, ntfy, webhook };
const QLatin1String kNtfy("ntfy:");

}  // namespace

NoticeDialog::NoticeDialog(AppSettings* settings, Notifier* notifier, QWidget* parent)
    : QDialog(parent), settings_(settings), notifier_(notifier), task_(new NoticeTask(this)) {
  setAttribute(Qt::WA_DeleteOnClose);
  setObjectName(QStringLiteral("NoticeDialog"));
  setWindowTitle(tr("Notifications"));
  desktop_ = new QCheckBox(tr("Show a notification of the desktop when a run ends or fails"), this);
  desktop_->setAccessibleName(desktop_->text());
  desktop_->setToolTip(tr("While this window is behind others"));
  form_ = new NoWheelCombo(this);
  form_->addItems({tr("Nowhere"), tr("To ntfy"), tr("To a webhook, as JSON")});
  form_->setAccessibleName(tr("Where a run's end is posted"));
  address_ = new QLineEdit(this);
  address_->setAccessibleName(tr("Address"));
  status_ = make_label(QString(), "muted", this);
  test_ = new QPushButton(tr("Send a test"), this);
  test_->setAccessibleName(test_->text());
  close_ = new QPushButton(tr("Close"), this);
  close_->setAccessibleName(tr("Close the dialog"));
  lay_out();
  recall();
  connect(desktop_, &QCheckBox::toggled, this, &NoticeDialog::take_changes);
  connect(form_, &QComboBox::currentIndexChanged, this, &NoticeDialog::take_changes);
  connect(address_, &QLineEdit::textChanged, this, &NoticeDialog::take_changes);
  connect(test_, &QPushButton::clicked, this, &NoticeDialog::send_test);
  connect(close_, &QPushButton::clicked, this, &QDialog::accept);
  connect(task_, &ThreadTask::changed, this, [this] { test_->setEnabled(!task_->is_busy()); });
  connect(task_, &NoticeTask::delivered, this, [this] { say(tr("The test was delivered.")); });
  connect(task_, &ThreadTask::failed, this,
          [this](const Message& why) { say(plain_text(why), true); });
  take_changes();
}

void NoticeDialog::lay_out() {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::large, Space::large, Space::large, Space::large);
  column->setSpacing(Space::medium);
  column->addWidget(desktop_);
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(Space::medium);
  grid->setVerticalSpacing(Space::small);
  const auto add = [&](const QString& name, QWidget* field, int row) {
    auto* label = make_label(name, "muted", this);
    label->setBuddy(field);
    grid->addWidget(label, row, 0);
    grid->addWidget(field, row, 1);
  };
  add(tr("Post it"), form_, 0);
  add(tr("Address"), address_, 1);
  grid->setColumnStretch(1, 1);
  column->addLayout(grid);
  auto* what = make_label(
      tr("A notice holds the run's name and outcome, its last step and loss, the reason of a "
         "failure and the paths of its files. The address stays in this program's settings on this "
         "computer: no preset and no run holds it."),
      "muted", this);
  what->setWordWrap(true);
  column->addWidget(what);
  status_->setWordWrap(true);
  status_->setMinimumHeight(2 * fontMetrics().lineSpacing());  // nothing below it moves
  status_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  column->addWidget(status_);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(test_);
  buttons->addStretch(1);
  buttons->addWidget(close_);
  column->addLayout(buttons);
  resize(560, sizeHint().height());
}

void NoticeDialog::recall() {
  desktop_->setChecked(settings_->desktop_notices());
  QString address = settings_->notice_address();
  const bool text = address.startsWith(kNtfy);
  form_->setCurrentIndex(address.isEmpty() ? nowhere : text ? ntfy : webhook);
  address_->setText(text ? address.mid(kNtfy.size()) : address);
}

QString NoticeDialog::whole_address() const {
  const QString address = address_->text().trimmed();
  if (form_->currentIndex() == nowhere || address.isEmpty()) {
    return {};
  }
  return form_->currentIndex() == ntfy ? kNtfy + address : address;
}

void NoticeDialog::take_changes() {
  const bool posts = form_->currentIndex() != nowhere;
  address_->setEnabled(posts);
  address_->setPlaceholderText(form_->currentIndex() == webhook
                                   ? QStringLiteral("https://…")
                                   : QStringLiteral("https://ntfy.sh/my-topic"));
  settings_->set_desktop_notices(desktop_->isChecked());
  const QString address = whole_address();
  settings_->set_notice_address(address);
  say({});
  bool valid = !address.isEmpty();
  if (valid) {
    try {
      parse_notice_address(address.toStdString());
    } catch (const Error& e) {
      valid = false;
      say(plain_text(e.message()), true);
    }
  }
  test_->setEnabled(valid || (!posts && desktop_->isChecked()));
}

void NoticeDialog::send_test() {
  const RunNotice notice{.name = tr("a test").toStdString(), .steps = 1, .loss = 0.1};
  const QString title = message_text(notice_title(notice));
  const bool shown = desktop_->isChecked() && notifier_->show_on_desktop(title, false);
  if (const QString address = whole_address(); !address.isEmpty()) {
    say(tr("Sending…"));
    task_->start(address, notice);
  } else {
    say(shown ? tr("The desktop was asked to show it.")
              : tr("This desktop shows no notifications of programs."),
        !shown);
  }
}

void NoticeDialog::say(const QString& text, bool error) {
  set_property(status_, "role", error ? QStringLiteral("error") : QStringLiteral("muted"));
  status_->setText(text);
}

QString NoticeDialog::status() const {
  return status_->text();
}

}  // namespace mantissa::gui
