#include "gui/history/ComparePage.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QStackedWidget>
#include <QTableWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "engine/preset/preset_io.h"
#include "engine/preset/schema.h"
#include "engine/store/rows.h"
#include "engine/store/setting_changes.h"
#include "gui/base/Text.h"
#include "gui/history/ComparedRun.h"
#include "gui/history/RunFigures.h"
#include "gui/history/SampleComparison.h"
#include "gui/plot/PlotWidget.h"
#include "gui/preset/SchemaText.h"
#include "gui/result/ResultView.h"
#include "gui/widgets/EmptyState.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

/// A run from its beginning; few steps have a validation loss, which are read each time.
constexpr RunSince kAll{.validation = -1};

constexpr int kRefreshMs = 1000;

QTableWidgetItem* cell(const QString& text) {
  auto* item = new QTableWidgetItem(shown(text));
  item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
  item->setToolTip(item->text().toHtmlEscaped());
  return item;
}

QString curves_explanation() {
  return ComparePage::tr(
      "Loss and gradient norm of the chosen runs.\nOnly losses of one model and loss type "
      "compare.");
}

}  // namespace

ComparePage::ComparePage(RunLibrary* library, const Theme* theme, QWidget* parent)
    : QFrame(parent), library_(library), theme_(theme) {
  setProperty("card", QStringLiteral("true"));
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(Space::small, Space::small, Space::small, Space::small);
  stack_ = new QStackedWidget(this);
  nothing_ = new EmptyState(Icon::history,
                            tr("Select a run above to see its curves, settings and "
                               "samples.\nSelect several with Ctrl or Shift to compare them."),
                            theme, stack_);
  stack_->addWidget(nothing_);
  auto* page = new QWidget(stack_);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::small);
  column->addLayout(build_chips(page));
  views_ = new QStackedWidget(page);
  link_ = new PlotLink(this);
  connect(link_, &PlotLink::axis_changed, this, &ComparePage::update_plots);
  views_->addWidget(build_curves());
  views_->addWidget(build_settings());
  samples_ = new SampleComparison(views_);
  views_->addWidget(samples_);
  result_ = new ResultView(theme, views_);
  views_->addWidget(result_);
  column->addWidget(views_, 1);
  stack_->addWidget(page);
  outer->addWidget(stack_);

  timer_ = new QTimer(this);
  timer_->setInterval(kRefreshMs);
  connect(timer_, &QTimer::timeout, this, &ComparePage::poll);
  connect(library_, &RunLibrary::listed, this, &ComparePage::follow_list);
  show_view(curves);
}

ComparePage::~ComparePage() = default;

QLayout* ComparePage::build_chips(QWidget* page) {
  auto* row = new QHBoxLayout;
  row->setSpacing(Space::small);
  const QString names[] = {tr("Curves"), tr("Settings"), tr("Samples"), tr("Result")};
  const QString tips[] = {
      curves_explanation(),
      tr("The settings in which the runs differ, and their figures.\nRuns that differ in one "
         "setting are judged best."),
      tr("The same prompt in each run.\nGood: the subject of the training with the rest of the "
         "prompt.\nChoose the run by these, not by its loss."),
      tr("Files, figures and samples of the run.\nCopy the adapter to ComfyUI or A1111 here.")};
  for (int i = 0; i < static_cast<int>(std::size(names)); ++i) {
    auto* chip = new QToolButton(page);
    chip->setText(names[i]);
    explain(chip, tips[i]);
    chip->setProperty("kind", QStringLiteral("chip"));
    chip->setCheckable(true);
    chip->setAutoExclusive(true);
    chip->setAccessibleName(tr("Show %1").arg(names[i]));
    connect(chip, &QToolButton::clicked, this, [this, i] { show_view(static_cast<View>(i)); });
    chips_.push_back(chip);
    row->addWidget(chip);
  }
  row->addStretch();
  return row;
}

QWidget* ComparePage::build_curves() {
  auto* page = new QWidget(this);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  loss_ = new PlotWidget(tr("Loss"), link_, theme_, page);
  grad_ = new PlotWidget(tr("Gradient norm"), link_, theme_, page);
  loss_->set_step_labels(false);
  loss_->set_explanation(curves_explanation());
  grad_->set_explanation(curves_explanation());
  for (PlotWidget* plot : {loss_, grad_}) {
    plot->set_empty_text(tr("No steps yet"));
    column->addWidget(plot, plot == loss_ ? 3 : 2);
    connect(plot, &PlotWidget::export_requested, this,
            [this, plot](PlotFormat format) { emit export_requested(plot, format); });
  }
  return page;
}

QWidget* ComparePage::build_settings() {
  auto* page = new QWidget(this);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::small);
  settings_note_ = make_label(QString(), "muted", page);
  column->addWidget(settings_note_);
  settings_table_ = new QTableWidget(page);
  settings_table_->setAccessibleName(tr("Results and settings of the selected runs"));
  settings_table_->setProperty("rows", QStringLiteral("true"));
  settings_table_->setShowGrid(false);
  settings_table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  settings_table_->verticalHeader()->hide();
  settings_table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  settings_table_->horizontalHeader()->setHighlightSections(false);
  column->addWidget(settings_table_, 1);
  return page;
}

void ComparePage::show_view(View view) {
  views_->setCurrentIndex(view);
  chips_[static_cast<std::size_t>(view)]->setChecked(true);
}

void ComparePage::set_smoothing(double beta) {
  if (beta == std::exchange(smoothing_, beta)) {
    return;
  }
  for (const auto& run : runs_) {
    run->set_smoothing(beta);
  }
  update_plots();
}

void ComparePage::show_runs(const QStringList& ids) {
  const QStringList wanted = ids.mid(0, kMaxRuns);
  QStringList present;
  for (const auto& run : runs_) {
    present << run->detail.id;
  }
  if (wanted == present) {
    return;
  }
  // The plots hold pointers into the runs.
  loss_->set_series({});
  grad_->set_series({});
  std::vector<std::unique_ptr<ComparedRun>> kept;
  for (const QString& id : wanted) {
    const auto it = std::find_if(runs_.begin(), runs_.end(), [&](const auto& run) {
      return run != nullptr && run->detail.id == id;
    });
    if (it != runs_.end()) {
      kept.push_back(std::move(*it));
      continue;
    }
    kept.push_back(std::make_unique<ComparedRun>(id, smoothing_));
    library_->load(id, kAll, this, [this](const RunDetail& detail) { take(detail); });
  }
  runs_ = std::move(kept);
  for (auto& run : runs_) {
    const RunSummary* summary = library_->run(run->detail.id);
    run->label = shown(summary != nullptr ? library_->label(*summary) : run->detail.id);
  }
  stack_->setCurrentIndex(runs_.empty() ? 0 : 1);
  link_->reset();
  update_plots();
  update_settings();
  update_samples();
  update_result();
  if (runs_.empty()) {
    timer_->stop();
  } else {
    timer_->start();
  }
}

const RunDetail* ComparePage::detail(const QString& id) const {
  for (const auto& run : runs_) {
    if (run->detail.id == id && run->here) {
      return &run->detail;
    }
  }
  return nullptr;
}

int ComparePage::loaded() const {
  return static_cast<int>(
      std::count_if(runs_.begin(), runs_.end(), [](const auto& run) { return run->here; }));
}

void ComparePage::take(const RunDetail& detail) {
  const auto it = std::find_if(runs_.begin(), runs_.end(),
                               [&](const auto& run) { return run->detail.id == detail.id; });
  if (it == runs_.end() || !detail.found) {
    return;
  }
  const ComparedRun::Change change = (*it)->take(detail);
  if (change.curves) {
    update_plots();
  }
  if (change.figures) {
    update_settings();
  }
  if (change.samples) {
    update_samples();
  }
  if (change.result) {
    update_result();
  }
  if (change.first) {
    emit loaded_runs();
  }
}

void ComparePage::poll() {
  if (!isVisible()) {
    return;
  }
  for (const auto& run : runs_) {
    if (run->here && !is_final_state(run->detail.state.toStdString())) {
      const std::int64_t step = run->detail.steps.empty() ? -1 : run->detail.steps.back().step;
      const std::int64_t event = run->detail.events.empty() ? 0 : run->detail.events.back().id;
      library_->load(run->detail.id, {.step = step, .event = event, .validation = kAll.validation},
                     this, [this](const RunDetail& detail) { take(detail); });
    }
  }
}

/// Runs that had ended and were continued since are read again: polling passes them over.
void ComparePage::follow_list() {
  for (const auto& run : runs_) {
    const RunDetail& seen = run->detail;
    const RunSummary* listed = library_->run(seen.id);
    if (listed == nullptr || !run->here || run->awaited ||
        !is_final_state(seen.state.toStdString())) {
      continue;
    }
    const std::int64_t last = seen.steps.empty() ? 0 : seen.steps.back().step;
    if (to_qstring(listed->state) != seen.state || listed->steps != last) {
      run->awaited = true;  // from the first step: it may have gone back to a checkpoint
      library_->load(seen.id, kAll, this, [this](const RunDetail& detail) { take(detail); });
    }
  }
}

void ComparePage::update_plots() {
  std::vector<PlotSeries> loss, grad;
  std::int64_t last = 1;
  double longest = 0, slowest = 0;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    ComparedRun& run = *runs_[i];
    const PlotSeries line{.name = run.label, .color = static_cast<int>(i), .clock = &run.clock};
    loss.push_back(line);
    loss.back().raw = &run.loss;
    loss.back().smoothed = &run.loss_smooth;
    grad.push_back(line);
    grad.back().raw = &run.grad_norm;
    grad.back().smoothed = &run.grad_smooth;
    if (!run.loss.empty()) {
      last = std::max(last, run.loss.steps().back());
      longest = std::max(longest, run.clock.total());
      slowest = std::max(slowest, run.clock.seconds_per_step());
    }
  }
  loss_->set_series(std::move(loss));
  grad_->set_series(std::move(grad));
  if (link_->by_time()) {
    link_->set_time_range(longest, slowest);
  } else {
    link_->set_data_range(1, last);
  }
  loss_->refresh();
  grad_->refresh();
}

void ComparePage::update_settings() {
  settings_table_->clear();
  settings_table_->setRowCount(0);
  Runs here;
  std::vector<const RunDetail*> details;
  for (const auto& run : runs_) {
    if (run->here) {
      here.push_back(run.get());
      details.push_back(&run->detail);
    }
  }
  const bool alone = here.size() == 1;
  QStringList headers{alone ? tr("Setting") : tr("Difference")};
  for (const ComparedRun* run : here) {
    headers << run->label;
  }
  if (alone) {
    headers << tr("Default");
  }
  settings_table_->setColumnCount(static_cast<int>(headers.size()));
  settings_table_->setHorizontalHeaderLabels(headers);
  for (const FigureRow& figure : run_figures(details)) {
    const int row = add_row(figure.name, figure.values);
    for (int i = 0; i < figure.reasons.size(); ++i) {
      settings_table_->item(row, i + 1)->setToolTip(figure.reasons[i]);
    }
  }
  add_settings(here);
  settings_note_->setVisible(!here.empty());
  settings_table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
}

int ComparePage::add_row(const QString& name, const QStringList& values) {
  const int row = settings_table_->rowCount();
  settings_table_->insertRow(row);
  settings_table_->setItem(row, 0, cell(name));
  for (int i = 0; i < values.size(); ++i) {
    settings_table_->setItem(row, i + 1, cell(values[i]));
  }
  return row;
}

namespace {

/// A setting's value; "3e-3; 2.5e-3 from step 102" where it was changed in mid-run.
QString value_over_time(const Preset& preset, const std::string& key,
                        const std::vector<SettingChange>& changes) {
  QStringList values;
  for (const SettingValue& of_run : values_by_step(changes, key, get_setting(preset, key))) {
    const QString value = value_text(to_qstring(key), of_run.value);
    values << (values.isEmpty() ? value
               : of_run.from_step
                   ? ComparePage::tr("%1 from step %2").arg(value, step_text(*of_run.from_step))
                   : ComparePage::tr("%1 since it was resumed").arg(value));
  }
  return values.join(QStringLiteral("; "));
}

}  // namespace

void ComparePage::add_settings(const Runs& runs) {
  const bool alone = runs.size() == 1;
  std::set<std::string> keys;
  const bool readable = std::all_of(
      runs.begin(), runs.end(), [](const ComparedRun* r) { return r->detail.preset.has_value(); });
  if (readable && !runs.empty()) {
    const Preset& first = *runs.front()->detail.preset;
    for (const ComparedRun* run : runs) {
      for (const PresetChange& change :
           diff_presets(alone ? Preset{} : first, *run->detail.preset)) {
        keys.insert(change.key);
      }
      for (const SettingChange& change : setting_changes(run->detail.events)) {
        keys.insert(change.key);
      }
    }
    for (const Setting& setting : mantissa::settings()) {
      const std::string key(setting.key);
      if (!keys.contains(key)) {
        continue;
      }
      QStringList values;
      for (const ComparedRun* run : runs) {
        values << value_over_time(*run->detail.preset, key, setting_changes(run->detail.events));
      }
      if (alone) {
        values << value_text(to_qstring(key), get_setting(Preset{}, key));
      }
      settings_table_->item(add_row(setting_label(to_qstring(key)), values), 0)
          ->setToolTip(to_qstring(key));
    }
  }
  const int count = static_cast<int>(keys.size());
  settings_note_->setText(!readable ? tr("This version can't read the preset of a selected run.")
                          : alone   ? tr("%n setting(s) differ from the defaults.", nullptr, count)
                          : count == 0
                              ? tr("The presets are identical.")
                              : tr("%n setting(s) differ between the runs.", nullptr, count));
}

void ComparePage::update_samples() {
  std::vector<SampleComparison::Run> shown_runs;
  for (const auto& run : runs_) {
    shown_runs.push_back({run->label, run->detail.samples, run->here});
  }
  samples_->show_runs(std::move(shown_runs));
}

void ComparePage::update_result() {
  const bool alone = runs_.size() == 1;
  chips_[result]->setVisible(alone);
  if (!alone && views_->currentIndex() == result) {
    show_view(curves);
  }
  if (!alone || !runs_.front()->here) {
    result_->clear();
    return;
  }
  EndedRun run = runs_.front()->ended();
  run.reason = library_->failure(runs_.front()->detail.id);
  result_->show_run(run);
}

}  // namespace mantissa::gui
