#include "gui/history/HistoryPage.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSaveFile>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/core/error.h"
#include "engine/run/run_files.h"
#include "engine/store/metrics.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/history/ComparePage.h"
#include "gui/history/RunColumns.h"
#include "gui/history/RunModel.h"
#include "gui/history/RunReport.h"
#include "gui/plot/PlotExport.h"
#include "gui/plot/PlotWidget.h"
#include "gui/widgets/EmptyState.h"
#include "gui/widgets/MiddleElide.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/Parts.h"
#include "gui/widgets/ToolRow.h"

namespace mantissa::gui {
namespace {

void write_text(const QString& file, const QByteArray& text) {
  QSaveFile out(file);
  if (!out.open(QIODevice::WriteOnly) || out.write(text) != text.size() || !out.commit()) {
    throw Error(message<"can't write {file}: {reason}; choose a folder you may write to.">(
        file.toStdString(), out.errorString().toStdString()));
  }
}

}  // namespace

HistoryPage::HistoryPage(RunLibrary* library, const Theme* theme, QWidget* parent)
    : Page(parent), library_(library), theme_(theme) {
  choose_file_ = save_chooser(tr("Export"), tr("All files (*)"), QString());
  model_ = new RunModel(
      theme, [this](const RunSummary& run) { return library_->label(run); },
      [this](const RunSummary& run) { return library_->failure(to_qstring(run.id)); }, this);
  filter_ = new RunFilterModel(model_, this);
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
  table_ = new QTableView(split);
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
  split->addWidget(table_);
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

void HistoryPage::build_actions() {
  const auto make = [this](const QString& text, const QKeySequence& keys, const QString& tip,
                           auto slot) {
    auto* action = new QAction(text, this);
    action->setShortcut(keys);
    if (keys == QKeySequence(Qt::Key_Delete)) {  // others wherever the focus is
      action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    }
    action->setToolTip(keys.isEmpty() ? tip
                                      : QStringLiteral("%1 (%2)").arg(
                                            tip, keys.toString(QKeySequence::NativeText)));
    connect(action, &QAction::triggered, this, slot);
    addAction(action);
    return action;
  };
  const auto first = [this] { return chosen().value(0); };
  actions_.open = make(tr("Open"), QKeySequence(Qt::CTRL | Qt::Key_Return),
                       tr("Show the run on the Train page; a run in progress is shown live"),
                       [this, first] { emit open_requested(first()); });
  actions_.resume = make(tr("Resume"), QKeySequence(Qt::CTRL | Qt::Key_R),
                         tr("Continue from the run's last checkpoint"),
                         [this, first] { emit resume_requested(first()); });
  actions_.duplicate = make(tr("Duplicate"), QKeySequence(Qt::CTRL | Qt::Key_D),
                            tr("Load the run's preset into Setup for another run"), [this, first] {
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
  actions_.tags = make(tr("Edit tags"), {}, tr("Tags of the run, separated by commas"),
                       [edit_cell] { edit_cell(RunModel::tags); });
  actions_.note = make(tr("Edit note"), {}, tr("A note on the run"),
                       [edit_cell] { edit_cell(RunModel::note); });
  actions_.verify =
      make(tr("Verify"), {},
           tr("Take the run's first steps again and compare: does this version of Mantissa compute "
              "what the run's version did?"),
           [this, first] { emit verify_requested(first()); });
  actions_.csv = make(tr("Steps as CSV…"), {}, tr("Every number of every step"),
                      [this] { export_file(File::csv); });
  actions_.image = make(tr("Curves as PNG…"), {}, tr("The loss curves of the selected runs"),
                        [this] { save_plot(compare_->loss_plot(), PlotFormat::png); });
  actions_.drawing =
      make(tr("Curves as SVG…"), {}, tr("The loss curves as lines that a drawing program can edit"),
           [this] { save_plot(compare_->loss_plot(), PlotFormat::svg); });
  actions_.drawing->setVisible(can_write_svg());
  actions_.report = make(tr("Report as Markdown…"), QKeySequence(Qt::CTRL | Qt::Key_E),
                         tr("Result, settings, curve and warnings of the run"),
                         [this] { export_file(File::report); });
  actions_.remove =
      make(tr("Delete"), QKeySequence(Qt::Key_Delete), tr("Move the selected runs to the trash"),
           [this] { library_->remove(chosen()); });
  auto* find = make(tr("Find"), QKeySequence(Qt::CTRL | Qt::Key_F), tr("Search the runs"), [this] {
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
  });
  find->setObjectName(QStringLiteral("find"));
}

QWidget* HistoryPage::build_tools() {
  auto* bar = new QWidget(this);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Space::small);
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

  connect(search_, &QLineEdit::textChanged, filter_, &RunFilterModel::set_text);
  connect(state_, &QComboBox::currentIndexChanged, this,
          [this] { filter_->set_state(state_->currentData().toString()); });
  connect(tag_, &QComboBox::currentIndexChanged, this,
          [this] { filter_->set_tag(tag_->currentData().toString()); });
  const auto count = [this] {
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
  };
  for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved}) {
    connect(filter_, signal, this, count);
  }
  connect(filter_, &QAbstractItemModel::modelReset, this, count);
  connect(filter_, &QAbstractItemModel::layoutChanged, this, count);
  return bar;
}

int HistoryPage::empty_runs() const {
  int count = 0;
  for (int row = 0; row < model_->rowCount(); ++row) {
    count += RunFilterModel::is_empty(*model_->at(row)) ? 1 : 0;
  }
  return count;
}

bool HistoryPage::compare_with_another(const QString& id) {
  const RunSummary* run = library_->run(id);
  if (run == nullptr) {
    compared_ = id;  // once it is listed
    return false;
  }
  compared_.clear();
  search_->clear();
  state_->setCurrentIndex(0);
  tag_->setCurrentIndex(0);
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
  const QStringList tags = model_->all_tags();
  QStringList offered;
  for (int i = 1; i < tag_->count(); ++i) {
    offered << tag_->itemData(i).toString();
  }
  if (tags != offered) {
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

void HistoryPage::export_file(File what) {
  const QString id = chosen().value(0);
  const RunSummary* run = library_->run(id);
  if (run == nullptr) {
    return;
  }
  const QString suffix = what == File::csv ? QStringLiteral(".csv") : QStringLiteral(".md");
  choose_file_(this, id + suffix, [this, what, id, suffix](const QString& chosen) {
    write_file(what, id, chosen.endsWith(suffix, Qt::CaseInsensitive) ? chosen : chosen + suffix);
  });
}

void HistoryPage::save_plot(PlotWidget* plot, PlotFormat format) {
  const QString suffix = plot_suffix(format);
  choose_file_(this, chosen().value(0) + suffix, [this, plot, format, suffix](QString file) {
    if (!file.endsWith(suffix, Qt::CaseInsensitive)) {
      file += suffix;
    }
    try {
      compare_->show_view(ComparePage::curves);
      export_plot(*plot, format, file);
      emit news(tr("Written to %1").arg(file));
    } catch (const Error& e) {
      emit problem(error_text(message_of(e)));
    }
  });
}

void HistoryPage::write_file(File what, const QString& id, const QString& file) {
  const RunSummary* run = library_->run(id);
  const RunDetail* detail = compare_->detail(id);
  if (run == nullptr || detail == nullptr) {
    return;
  }
  try {
    if (what == File::csv) {
      write_text(file, QByteArray::fromStdString(metrics_csv(detail->steps, detail->validation)));
    } else {
      write_text(file, run_report(*run, *detail).toUtf8());
    }
    emit news(tr("Written to %1").arg(file));
  } catch (const Error& e) {
    emit problem(error_text(message_of(e)));
  }
}

}  // namespace mantissa::gui
