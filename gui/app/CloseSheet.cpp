#include "gui/app/CloseSheet.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/base/Text.h"
#include "gui/base/Theme.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kSheetWidth = 440;

}  // namespace

CloseSheet::CloseSheet(const QString& text, bool may_go_on, QWidget* parent) : QDialog(parent) {
  setAttribute(Qt::WA_DeleteOnClose);
  setObjectName(QStringLiteral("CloseSheet"));
  setWindowTitle(tr("Close the window"));
  setMinimumWidth(kSheetWidth);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::large, Space::large, Space::large, Space::large);
  column->setSpacing(Space::tiny);
  QLabel* question = make_label(shown(text), "heading", this);
  question->setWordWrap(true);
  column->addWidget(question);
  const auto add = [&](const QString& name, const QString& then) {
    auto* button = new QPushButton(name, this);
    button->setAccessibleName(name);
    button->setAccessibleDescription(then);
    button->setAutoDefault(true);
    column->addSpacing(Space::small);
    column->addWidget(button);
    QLabel* what = make_label(then, "muted", this);
    what->setWordWrap(true);
    column->addWidget(what);
    return button;
  };
  apart_ = add(tr("Save and continue without the window"),
               may_go_on ? tr("The run is saved and continues in a process of its own, exactly "
                              "where it was. The next start of the studio shows it again.")
                         : tr("Only a single run can continue in a process of its own."));
  apart_->setEnabled(may_go_on);
  stop_ = add(tr("Stop, save and quit"), tr("Nothing is lost: the next start offers to resume."));
  keep_ = add(tr("Keep the window"), tr("The run goes on as before."));
  QPushButton* first = may_go_on ? apart_ : stop_;
  first->setProperty("kind", QStringLiteral("primary"));
  first->setDefault(true);
  first->setFocus();
  connect(apart_, &QPushButton::clicked, this, [this] { choose(Closing::apart); });
  connect(stop_, &QPushButton::clicked, this, [this] { choose(Closing::stop); });
  connect(keep_, &QPushButton::clicked, this, &QDialog::reject);
}

void CloseSheet::choose(Closing how) {
  accept();
  emit chosen(how);
}

}  // namespace mantissa::gui
