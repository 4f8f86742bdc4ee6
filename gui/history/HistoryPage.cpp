#include "gui/history/HistoryPage.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/run/run_files.h"
#include "gui/base/Text.h"
#include "gui/history/ComparePage.h"
#include "gui/history/RunColumns.h"
#include "gui/history/RunExport.h"
#include "gui/history/RunFilters.h"
#include "gui/history/RunModel.h"
#include "gui/plot/PlotExport.h"
#include "gui/plot/PlotWidget.h"
#include "gui/widgets/EmptyState.h"
#include "gui/widgets/MiddleElide.h"
#include "gui/widgets/Parts.h"
#include "gui/widgets/ToolRow.h"

namespace mantissa::gui {

HistoryPage::HistoryPage(RunLibrary* library, const Theme* theme, QWidget* parent)
    : Page(parent), library_(library), theme_(theme) {
  model_ = new RunModel(
      theme, [this](const RunSummary& run) { return library_->label(run); },
      [this](const RunSummary& run) { return library_->failure(to_qstring(run.id)); }, this);
  filter_ = new RunFilterModel(model_, this);
  filters_ = new RunFilters(model_, filter_, this);
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  stack_ = new QStackedWidget(this);
  outer->addWidget(stack_);
  empty_ = new EmptyState(
      Icon::history,
      tr("No runs yet.\nEach run that you start, here or with the mantissa command, is listed on "
         "this page."),
      theme, stack_);
  stack_->addWidget(empty_);
  auto* page = new QWidget(stack_);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::medium);
  build_actions();
  column->addWidget(new ToolRow(build_tools(), page));
  auto* split = new QSplitter(Qt::Vertical, page);
  split->setHandleWidth(Space::medium);
  split->setChildrenCollapsible(false);
  split->addWidget(build_table());
  compare_ = new ComparePage(library_, theme, split);
  split->addWidget(compare_);
  split->setStretchFactor(0, 2);
  split->setStretchFactor(1, 3);
  split->setSizes({280, 380});
  column->addWidget(split, 1);
  stack_->addWidget(page);

  connect(library_, &RunLibrary::listed, this, &HistoryPage::update_list);
  connect(library_, &RunLibrary::removed, this, &HistoryPage::told_removed);
  connect(library_, &RunLibrary::failed, this, &HistoryPage::problem);
  connect(model_, &RunModel::annotated, library_, &RunLibrary::annotate);
  export_ = new RunExport(library_, compare_, this);
  connect(export_, &RunExport::written, this, &HistoryPage::news);
  connect(export_, &RunExport::problem, this, &HistoryPage::problem);
  connect(compare_, &ComparePage::export_requested, this, &HistoryPage::save_plot);
  connect(compare_, &ComparePage::loaded_runs, this, &HistoryPage::update_actions);
  connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
    if (!(index.flags() & Qt::ItemIsEditable)) {
      actions_.open->trigger();
    }
  });
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    compare_->show_runs(chosen());
    update_actions();
  });
  update_actions();
}

QTableView* HistoryPage::build_table() {
  table_ = new QTableView(this);
  table_->setModel(filter_);
  table_->setAccessibleName(tr("Runs"));
  table_->setProperty("rows", QStringLiteral("true"));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::SelectedClicked |
                          QAbstractItemView::DoubleClicked);
  table_->setItemDelegateForColumn(RunModel::name, new MiddleElide(table_));
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->setContextMenuPolicy(Qt::ActionsContextMenu);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 12);
  QHeaderView* header = table_->horizontalHeader();
  header->setHighlightSections(false);
  header->setSortIndicatorClearable(true);
  header->setSortIndicator(-1, Qt::DescendingOrder);  // database order: newest first
  header->setAccessibleName(tr("Columns of the runs"));
  table_->setSortingEnabled(true);
  new RunColumns(table_);
  for (QAction* action : {actions_.open, actions_.resume, actions_.duplicate, actions_.tags,
                          actions_.note, actions_.verify, actions_.csv, actions_.image,
                          actions_.drawing, actions_.report, actions_.remove}) {
    table_->addAction(action);
  }
  return table_;
}

QAction* HistoryPage::make_action(const QString& text, const QKeySequence& keys, const QString& tip,
                                  std::function<void()> slot) {
  auto* action = new QAction(text, this);
  action->setShortcut(keys);
  if (keys == QKeySequence(Qt::Key_Delete)) {  // others wherever the focus is
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  }
  action->setToolTip(
      keys.isEmpty() ? tip
                     : QStringLiteral("%1 (%2)").arg(tip, keys.toString(QKeySequence::NativeText)));
  connect(action, &QAction::triggered, this, std::move(slot));
  addAction(action);
  return action;
}

void HistoryPage::build_actions() {
  const auto first = [this] { return chosen().value(0); };
  actions_.open = make_action(tr("Open"), QKeySequence(Qt::CTRL | Qt::Key_Return),
                              tr("Show the run on the Train page; a run in progress is shown live"),
                              [this, first] { emit open_requested(first()); });
  actions_.resume = make_action(tr("Resume"), QKeySequence(Qt::CTRL | Qt::Key_R),
                                tr("Continue from the run's last checkpoint"),
                                [this, first] { emit resume_requested(first()); });
  actions_.duplicate =
      make_action(tr("Duplicate"), QKeySequence(Qt::CTRL | Qt::Key_D),
                  tr("Load the run's preset into Setup for another run, with its latest settings"),
                  [this, first] {
                    const RunDetail* detail = compare_->detail(first());
                    const RunSummary* run = library_->run(first());
                    if (detail != nullptr && detail->preset && run != nullptr) {
                      emit duplicate_requested(*detail->preset, to_qstring(run->name));
                    }
                  });
  const auto edit_cell = [this](RunModel::Column column) {
    const QModelIndexList rows = table_->selectionModel()->selectedRows(column);
    if (!rows.isEmpty()) {
      table_->setCurrentIndex(rows.front());
      table_->edit(rows.front());
    }
  };
  actions_.tags = make_action(tr("Edit tags"), {}, tr("Tags of the run, separated by commas"),
                              [edit_cell] { edit_cell(RunModel::tags); });
  actions_.note = make_action(tr("Edit note"), {}, tr("A note on the run"),
                              [edit_cell] { edit_cell(RunModel::note); });
  actions_.verify = make_action(
      tr("Verify"), {},
      tr("Take the run's first steps again and compare: does this version of Mantissa compute "
         "what the run's version did?"),
      [this, first] { emit verify_requested(first()); });
  build_exports();
  actions_.remove = make_action(tr("Delete"), QKeySequence(Qt::Key_Delete),
                                tr("Move the selected runs to the trash"),
                                [this] { library_->remove(chosen()); });
  auto* find = make_action(tr("Find"), QKeySequence(Qt::CTRL | Qt::Key_F), tr("Search the runs"),
                           [this] { filters_->focus_search(); });
  find->setObjectName(QStringLiteral("find"));
}

void HistoryPage::build_exports() {
  const auto first = [this] { return chosen().value(0); };
  actions_.csv = make_action(tr("Steps as CSV…"), {}, tr("Every number of every step"),
                             [this, first] { export_->write_run(RunExport::File::csv, first()); });
  actions_.image = make_action(tr("Curves as PNG…"), {}, tr("The loss curves of the selected runs"),
                               [this] { save_plot(compare_->loss_plot(), PlotFormat::png); });
  actions_.drawing = make_action(tr("Curves as SVG…"), {},
                                 tr("The loss curves as lines that a drawing program can edit"),
                                 [this] { save_plot(compare_->loss_plot(), PlotFormat::svg); });
  actions_.drawing->setVisible(can_write_svg());
  actions_.report =
      make_action(tr("Report as Markdown…"), QKeySequence(Qt::CTRL | Qt::Key_E),
                  tr("Result, settings, curve and warnings of the run"),
                  [this, first] { export_->write_run(RunExport::File::report, first()); });
}

QWidget* HistoryPage::build_tools() {
  auto* bar = new QWidget(this);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Space::small);
  filters_->add_to(row, bar);
  row->addStretch(1);
  const auto button = [&](QAction* action, Icon icon) {
    auto* b = new QToolButton(bar);
    b->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    b->setText(action->text());
    b->setToolTip(action->toolTip());
    b->setAccessibleName(action->text());
    bind_icon(b, icon, theme_);
    const auto follow = [=] {
      b->setEnabled(action->isEnabled());
      b->setText(action->text());
      b->setToolTip(action->toolTip());
      b->setAccessibleName(action->text());
    };
    connect(action, &QAction::changed, b, follow);
    connect(b, &QToolButton::clicked, action, &QAction::trigger);
    row->addWidget(b);
    return b;
  };
  button(actions_.open, Icon::train);
  button(actions_.resume, Icon::play);
  button(actions_.duplicate, Icon::setup);
  button(actions_.verify, Icon::check);
  auto* exports = new QToolButton(bar);
  exports->setText(tr("Export"));
  exports->setAccessibleName(tr("Export"));
  exports->setToolTip(tr("Write the run to a file"));
  exports->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  exports->setPopupMode(QToolButton::InstantPopup);
  bind_icon(exports, Icon::save, theme_);
  auto* menu = new QMenu(exports);
  menu->addActions({actions_.csv, actions_.image, actions_.drawing, actions_.report});
  exports->setMenu(menu);
  // One run can be exported in any format, several as an image of their curves.
  const auto follow = [=, this] {
    exports->setEnabled(actions_.csv->isEnabled() || actions_.image->isEnabled());
  };
  connect(actions_.csv, &QAction::changed, exports, follow);
  connect(actions_.image, &QAction::changed, exports, follow);
  row->addWidget(exports);
  button(actions_.remove, Icon::remove);
  return bar;
}

bool HistoryPage::compare_with_another(const QString& id) {
  const RunSummary* run = library_->run(id);
  if (run == nullptr) {
    compared_ = id;  // once it is listed
    return false;
  }
  compared_.clear();
  filters_->clear();
  // The latest of the same base model, or else the latest.
  int own = -1, like = -1, any = -1;
  for (int i = 0; i < filter_->rowCount(); ++i) {
    const RunSummary* other = filter_->at(filter_->index(i, 0));
    if (other->id == run->id) {
      own = i;
    } else if (other->steps > 0) {
      any = any < 0 ? i : any;
      like = like < 0 && other->base == run->base ? i : like;
    }
  }
  QItemSelection rows;
  for (const int row : {own, like >= 0 ? like : any}) {
    if (row >= 0) {
      rows.select(filter_->index(row, 0), filter_->index(row, 0));
    }
  }
  table_->selectionModel()->select(rows,
                                   QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  if (own >= 0) {
    table_->scrollTo(filter_->index(own, 0));
  }
  compare_->show_view(ComparePage::curves);
  return own >= 0;
}

void HistoryPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  library_->set_watching(true);
}

void HistoryPage::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  compared_.clear();
  library_->set_watching(false);
}

bool HistoryPage::is_loading() const {
  return !library_->is_listed() || compare_->loaded() != chosen().size();
}

std::vector<Page::Look> HistoryPage::looks() {
  return {{QStringLiteral("compare"), [this] { return choose_newest(3) > 0; }}};
}

QStringList HistoryPage::chosen() const {
  QStringList ids;
  QModelIndexList rows = table_->selectionModel()->selectedRows();
  std::sort(rows.begin(), rows.end(),
            [](const QModelIndex& a, const QModelIndex& b) { return a.row() < b.row(); });
  for (const QModelIndex& index : rows) {
    ids << index.data(RunModel::kIdRole).toString();
  }
  return ids;
}

void HistoryPage::choose(const QString& id) {
  for (int i = 0; i < filter_->rowCount(); ++i) {
    if (filter_->index(i, 0).data(RunModel::kIdRole).toString() == id) {
      table_->selectRow(i);
      table_->scrollTo(filter_->index(i, 0));
      return;
    }
  }
}

int HistoryPage::choose_newest(int count) {
  const int there = std::min(count, filter_->rowCount());
  QItemSelection rows;
  if (there > 0) {
    rows.select(filter_->index(0, 0), filter_->index(there - 1, 0));
  }
  table_->selectionModel()->select(rows,
                                   QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  return there;
}

void HistoryPage::update_list() {
  const QStringList before = chosen();
  model_->set_runs(library_->runs());
  stack_->setCurrentIndex(library_->runs().empty() ? 0 : 1);
  if (chosen().isEmpty() && !before.isEmpty()) {
    for (const QString& id : before) {
      choose(id);
    }
  }
  filters_->update_tags();
  update_actions();
  if (!compared_.isEmpty()) {
    compare_with_another(std::exchange(compared_, {}));
  }
}

void HistoryPage::update_actions() {
  const QStringList ids = chosen();
  const RunSummary* run = ids.size() == 1 ? library_->run(ids[0]) : nullptr;
  const bool one = run != nullptr;
  const RunDetail* detail = one ? compare_->detail(ids[0]) : nullptr;
  actions_.open->setEnabled(one);
  actions_.resume->setEnabled(one && can_continue(run->state));
  const bool over = detail != nullptr && can_continue(run->state) && !detail->has_checkpoint;
  actions_.resume->setText(over ? tr("Start over") : tr("Resume"));
  actions_.resume->setToolTip(over ? tr("The run has no checkpoint: trains it again from step 0")
                                   : tr("Continue from the run's last checkpoint (Ctrl+R)"));
  actions_.tags->setEnabled(one);
  actions_.note->setEnabled(one);
  actions_.duplicate->setEnabled(detail != nullptr && detail->preset.has_value());
  actions_.verify->setEnabled(detail != nullptr && detail->has_trace);
  actions_.csv->setEnabled(detail != nullptr);
  actions_.report->setEnabled(detail != nullptr);
  actions_.image->setEnabled(compare_->loaded() > 0);
  actions_.drawing->setEnabled(compare_->loaded() > 0);
  actions_.remove->setEnabled(!ids.isEmpty());
}

void HistoryPage::save_plot(PlotWidget* plot, PlotFormat format) {
  export_->write_plot(plot, format, chosen().value(0));
}

void HistoryPage::set_save_chooser(PathChooser chooser) {
  export_->set_chooser(std::move(chooser));
}

QLineEdit* HistoryPage::search() const {
  return filters_->search();
}

QComboBox* HistoryPage::tag_filter() const {
  return filters_->tag();
}

QComboBox* HistoryPage::state_filter() const {
  return filters_->state();
}

void HistoryPage::told_removed(int count, bool undoable, const QStringList& kept,
                               const QStringList& refused) {
  if (!refused.isEmpty()) {
    emit problem(refused.join(QLatin1Char('\n')));
  }
  if (count == 0) {
    return;
  }
  QString text = tr("%n run(s) deleted.", nullptr, count);
  if (!kept.isEmpty()) {
    text += QLatin1Char(' ') + tr("These folders lie outside the runs folder and stay: %1")
                                   .arg(kept.join(QStringLiteral(", ")));
  }
  if (undoable) {
    emit deleted(text);
  } else {
    emit news(text + QLatin1Char(' ') + tr("The trash holds them."));
  }
}

}  // namespace mantissa::gui
