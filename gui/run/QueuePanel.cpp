#include "gui/run/QueuePanel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include "gui/run/RunQueue.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {

QueuePanel::QueuePanel(RunQueue* queue, const QList<QAction*>& add, const Theme* theme,
                       QWidget* parent)
    : QFrame(parent), queue_(queue) {
  setProperty("card", QStringLiteral("true"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::medium, Space::medium, Space::medium, Space::medium);
  column->setSpacing(Space::small);
  const auto button = [&](const QString& text, const QString& name) {
    auto* b = new QPushButton(text, this);
    b->setAccessibleName(name);
    b->setToolTip(name);
    return b;
  };
  auto* top = new QHBoxLayout;
  top->addWidget(make_heading(tr("Queue"), this));
  waiting_ = make_label(QString(), "muted", this);
  top->addWidget(waiting_);
  top->addStretch();
  for (QAction* action : add) {
    auto* add_button = button(action->text(), action->toolTip());
    bind_icon(add_button, Icon::add, theme);
    connect(add_button, &QPushButton::clicked, action, &QAction::trigger);
    top->addWidget(add_button);
  }
  start_ = button(tr("Start the queue"), tr("Start the queue"));
  start_->setProperty("kind", QStringLiteral("primary"));
  top->addWidget(start_);
  column->addLayout(top);

  body_ = new QStackedWidget(this);
  auto* nothing = make_label(tr("The queue is empty.\nAdd runs from Setup; they start one after "
                                "another, and a failed run doesn't hold up the next."),
                             "muted", body_);
  nothing->setAlignment(Qt::AlignCenter);
  nothing->setWordWrap(true);
  body_->addWidget(nothing);
  table_ = new QTableView(body_);
  table_->setModel(queue_);
  table_->setAccessibleName(tr("Runs of the queue"));
  table_->setProperty("rows", QStringLiteral("true"));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->setCornerButtonEnabled(false);
  table_->setDragDropMode(QAbstractItemView::InternalMove);
  table_->setDragDropOverwriteMode(false);
  table_->verticalHeader()->setDefaultSectionSize(28);
  table_->verticalHeader()->setAccessibleName(tr("Position"));
  table_->horizontalHeader()->setAccessibleName(tr("Columns"));
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->setColumnWidth(RunQueue::name, 180);
  table_->setColumnWidth(RunQueue::base, 140);
  table_->setColumnWidth(RunQueue::adapter, 150);
  table_->setColumnWidth(RunQueue::images, 110);
  table_->setColumnWidth(RunQueue::steps, 80);
  table_->horizontalHeader()->setSectionResizeMode(RunQueue::state, QHeaderView::Stretch);
  body_->addWidget(table_);
  column->addWidget(body_, 1);

  auto* bottom = new QHBoxLayout;
  up_ = button(tr("Up"), tr("Move the selected run up"));
  down_ = button(tr("Down"), tr("Move the selected run down"));
  remove_ = button(tr("Remove"), tr("Remove the selected run from the queue"));
  stop_ = button(tr("Stop && save"), tr("Save and stop the selected run"));
  clear_ = button(tr("Remove ended"), tr("Remove every run that has ended from the queue"));
  for (QPushButton* b : {up_, down_, remove_, stop_}) {
    bottom->addWidget(b);
  }
  bottom->addStretch();
  bottom->addWidget(clear_);
  column->addLayout(bottom);

  const auto chosen = [this] { return table_->currentIndex().row(); };
  connect(up_, &QPushButton::clicked, this, [=, this] { queue_->move(chosen(), -1); });
  connect(down_, &QPushButton::clicked, this, [=, this] { queue_->move(chosen(), 1); });
  connect(remove_, &QPushButton::clicked, this, [=, this] { queue_->remove(chosen()); });
  connect(stop_, &QPushButton::clicked, this, [=, this] { queue_->stop(chosen()); });
  connect(clear_, &QPushButton::clicked, queue_, &RunQueue::remove_ended);
  connect(start_, &QPushButton::clicked, this, [this] { queue_->set_on(!queue_->is_on()); });
  connect(queue_, &RunQueue::changed, this, &QueuePanel::update_buttons);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          &QueuePanel::update_buttons);
  update_buttons();
}

void QueuePanel::update_buttons() {
  const int waiting = queue_->waiting(), row = table_->currentIndex().row();
  const auto& runs = queue_->runs();
  const auto is = [&](int i, QueuedRun::State state) {
    return i >= 0 && i < static_cast<int>(runs.size()) &&
           runs[static_cast<std::size_t>(i)].state == state;
  };
  using State = QueuedRun::State;
  waiting_->setText(waiting > 0 ? tr("%n waiting", nullptr, waiting) : QString());
  body_->setCurrentIndex(runs.empty() ? 0 : 1);
  start_->setText(queue_->is_on() ? tr("Hold the queue") : tr("Start the queue"));
  start_->setAccessibleName(start_->text());
  start_->setToolTip(queue_->is_on() ? tr("The current run finishes, then the queue stops")
                                     : tr("Start the waiting runs one after another"));
  start_->setEnabled(queue_->is_on() || waiting > 0);
  up_->setEnabled(is(row, State::waiting) && is(row - 1, State::waiting));
  down_->setEnabled(is(row, State::waiting) && is(row + 1, State::waiting));
  remove_->setEnabled(row >= 0 && row < static_cast<int>(runs.size()) && !is(row, State::running));
  stop_->setEnabled(is(row, State::running));
  bool ended = false;
  for (const QueuedRun& run : runs) {
    ended = ended || (run.state != State::waiting && run.state != State::running);
  }
  clear_->setEnabled(ended);
}

}  // namespace mantissa::gui
