#include "gui/history/RunFilters.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <algorithm>

#include "gui/base/Text.h"
#include "gui/history/RunModel.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {

RunFilters::RunFilters(RunModel* model, RunFilterModel* filter, QObject* parent)
    : QObject(parent), model_(model), filter_(filter) {}

void RunFilters::add_to(QHBoxLayout* row, QWidget* bar) {
  search_ = new QLineEdit(bar);
  search_->setPlaceholderText(tr("Search runs (Ctrl+F)"));
  search_->setAccessibleName(tr("Search runs"));
  add_clear_button(search_, tr("Clear the search"));
  search_->setMinimumWidth(160);
  row->addWidget(search_, 1);
  state_ = new NoWheelCombo(bar);
  state_->setAccessibleName(tr("Only runs in a state"));
  state_->addItem(tr("All states"), QString());
  state_->addItem(tr("In progress"), QStringLiteral("running"));
  for (const char* state : {"finished", "stopped", "interrupted", "failed"}) {
    state_->addItem(run_state_text(state), QString::fromLatin1(state));
  }
  row->addWidget(state_);
  tag_ = new NoWheelCombo(bar);
  tag_->setAccessibleName(tr("Only runs with a tag"));
  tag_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  tag_->addItem(tr("All tags"), QString());
  row->addWidget(tag_);
  count_ = make_label(QString(), "muted", bar);
  row->addWidget(count_);
  connect_fields();
}

void RunFilters::connect_fields() {
  connect(search_, &QLineEdit::textChanged, filter_, &RunFilterModel::set_text);
  connect(state_, &QComboBox::currentIndexChanged, this,
          [this] { filter_->set_state(state_->currentData().toString()); });
  connect(tag_, &QComboBox::currentIndexChanged, this,
          [this] { filter_->set_tag(tag_->currentData().toString()); });
  for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved}) {
    connect(filter_, signal, this, &RunFilters::update_count);
  }
  connect(filter_, &QAbstractItemModel::modelReset, this, &RunFilters::update_count);
  connect(filter_, &QAbstractItemModel::layoutChanged, this, &RunFilters::update_count);
}

void RunFilters::update_count() {
  const int shown = filter_->rowCount(), all = model_->rowCount(), empty = empty_runs();
  const bool whole = shown == all - empty && filter_->is_open();
  QString text = whole || shown == all ? tr("%n run(s)", nullptr, shown)
                                       : tr("%1 of %2").arg(step_text(shown), step_text(all));
  if (whole && empty > 0) {
    text += QStringLiteral(" · ") + tr("%n cancelled", nullptr, empty);
  }
  count_->setText(text);
  count_->setToolTip(empty > 0 ? tr("Runs cancelled before their first step are listed under the "
                                    "state “Stopped”.")
                               : QString());
}

int RunFilters::empty_runs() const {
  int count = 0;
  for (int row = 0; row < model_->rowCount(); ++row) {
    count += RunFilterModel::is_empty(*model_->at(row)) ? 1 : 0;
  }
  return count;
}

void RunFilters::focus_search() {
  search_->setFocus(Qt::ShortcutFocusReason);
  search_->selectAll();
}

void RunFilters::clear() {
  search_->clear();
  state_->setCurrentIndex(0);
  tag_->setCurrentIndex(0);
}

void RunFilters::update_tags() {
  const QStringList tags = model_->all_tags();
  QStringList offered;
  for (int i = 1; i < tag_->count(); ++i) {
    offered << tag_->itemData(i).toString();
  }
  if (tags == offered) {
    return;
  }
  const QString now = tag_->currentData().toString();
  const QSignalBlocker quiet(tag_);
  while (tag_->count() > 1) {
    tag_->removeItem(1);
  }
  for (const QString& tag : tags) {
    tag_->addItem(shown(tag), tag);
  }
  tag_->setCurrentIndex(std::max(0, tag_->findData(now)));
  filter_->set_tag(tag_->currentData().toString());
}

}  // namespace mantissa::gui
