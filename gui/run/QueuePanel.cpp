#include "gui/run/QueuePanel.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/run/RunQueue.h"
#include "gui/widgets/MiddleElide.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {

namespace {

constexpr std::pair<int, int> kWidths[] = {{RunQueue::name, 180},
                                           {RunQueue::base, 140},
                                           {RunQueue::adapter, 150},
                                           {RunQueue::images, 110},
                                           {RunQueue::steps, 80}};
constexpr int kStateWidth = 150, kLeastName = 120, kAroundName = 24;
/// Which go first where there is no room; the name's tooltip has what they say.
constexpr int kGoing[] = {RunQueue::images, RunQueue::base, RunQueue::adapter};

}  // namespace

QueuePanel::QueuePanel(RunQueue* queue, const QList<QAction*>& add, const Theme* theme,
                       QWidget* parent)
    : QFrame(parent), queue_(queue) {
  setProperty("card", QStringLiteral("true"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::medium, Space::medium, Space::medium, Space::medium);
  column->setSpacing(Space::small);
  auto* top = new QHBoxLayout;
  top->addWidget(make_heading(tr("Queue"), this));
  waiting_ = make_label(QString(), "muted", this);
  top->addWidget(waiting_);
  top->addStretch();
  for (QAction* action : add) {
    auto* add_button = make_button(action->text(), action->toolTip());
    bind_icon(add_button, Icon::add, theme);
    connect(add_button, &QPushButton::clicked, action, &QAction::trigger);
    top->addWidget(add_button);
  }
  start_ = make_button(tr("Start the queue"), tr("Start the queue"));
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
  body_->addWidget(build_table());
  column->addWidget(body_, 1);

  column->addLayout(build_buttons());

  connect_buttons();
  update_buttons();
}

QPushButton* QueuePanel::make_button(const QString& text, const QString& name) {
  auto* button = new QPushButton(text, this);
  button->setAccessibleName(name);
  button->setToolTip(name);
  return button;
}

QTableView* QueuePanel::build_table() {
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
  // What tells the runs of a sweep apart is at the end.
  table_->setItemDelegateForColumn(RunQueue::name, new MiddleElide(table_));
  for (const auto& [which, width] : kWidths) {
    table_->setColumnWidth(which, width);
  }
  table_->viewport()->installEventFilter(this);
  table_->horizontalHeader()->setSectionResizeMode(RunQueue::state, QHeaderView::Stretch);
  return table_;
}

QLayout* QueuePanel::build_buttons() {
  auto* bottom = new QHBoxLayout;
  up_ = make_button(tr("Up"), tr("Move the selected run up"));
  down_ = make_button(tr("Down"), tr("Move the selected run down"));
  remove_ = make_button(tr("Remove"), tr("Remove the selected run from the queue"));
  stop_ = make_button(tr("Stop && save"), tr("Save and stop the selected run"));
  clear_ = make_button(tr("Remove ended"), tr("Remove every run that has ended from the queue"));
  for (QPushButton* b : {up_, down_, remove_, stop_}) {
    bottom->addWidget(b);
  }
  bottom->addStretch();
  bottom->addWidget(clear_);
  return bottom;
}

void QueuePanel::connect_buttons() {
  const auto chosen = [this] { return table_->currentIndex().row(); };
  connect(up_, &QPushButton::clicked, this, [=, this] { queue_->move(chosen(), -1); });
  connect(down_, &QPushButton::clicked, this, [=, this] { queue_->move(chosen(), 1); });
  connect(remove_, &QPushButton::clicked, this, [=, this] { queue_->remove(chosen()); });
  connect(stop_, &QPushButton::clicked, this, [=, this] { queue_->stop(chosen()); });
  connect(clear_, &QPushButton::clicked, queue_, &RunQueue::remove_ended);
  connect(start_, &QPushButton::clicked, this, [this] { queue_->set_on(!queue_->is_on()); });
  connect(queue_, &RunQueue::changed, this, &QueuePanel::update_buttons);
  connect(queue_, &RunQueue::changed, this, &QueuePanel::fit_columns);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          &QueuePanel::update_buttons);
}

bool QueuePanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == table_->viewport() && event->type() == QEvent::Resize) {
    fit_columns();
  }
  return QFrame::eventFilter(watched, event);
}

/// Name, steps and state are always in sight.
void QueuePanel::fit_columns() {
  const int room = table_->viewport()->width();
  int needed = kStateWidth, name = 0;
  for (const auto& [which, width] : kWidths) {
    needed += width;
    name = which == RunQueue::name ? width : name;
  }
  for (const int which : kGoing) {
    const bool goes = needed > room;
    table_->setColumnHidden(which, goes);
    for (const auto& [column, width] : kWidths) {
      needed -= goes && column == which ? width : 0;
    }
  }
  // What is left is shared by the name and the state; a longer name, whose end tells the runs of a
  // sweep apart, takes the whole of it.
  int wanted = 0;
  for (int row = 0; row < queue_->rowCount(); ++row) {
    const QString text = queue_->index(row, RunQueue::name).data().toString();
    wanted = std::max(wanted, table_->fontMetrics().horizontalAdvance(text) + kAroundName - name);
  }
  const int left = room - needed;
  table_->setColumnWidth(RunQueue::name,
                         std::max(kLeastName, name + std::max(left / 2, std::min(left, wanted))));
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
