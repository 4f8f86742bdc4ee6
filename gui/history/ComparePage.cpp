#include "gui/history/ComparePage.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSlider>
#include <QStackedWidget>
#include <QTableWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "engine/preset/preset_io.h"
#include "engine/preset/schema.h"
#include "engine/store/checkpoint_choice.h"
#include "engine/store/memorising.h"
#include "engine/store/metrics.h"
#include "engine/store/rows.h"
#include "engine/store/setting_changes.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/history/RunModel.h"
#include "gui/plot/PlotWidget.h"
#include "gui/preset/SchemaText.h"
#include "gui/result/ResultView.h"
#include "gui/samples/ImagePane.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/EmptyState.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

/// A run from its beginning; few steps have a validation loss, which are read each time.
constexpr RunSince kAll{.validation = -1};

constexpr int kRefreshMs = 1000;

QString images_rate_text(const RunDetail& run) {
  if (run.rates) {
    return format_number(run.rates->images_per_second, 3);
  }
  const double seconds = step_figures(run.steps).seconds;
  return run.preset && seconds > 0
             ? format_number(run.preset->data.batch_size *
                                 run.preset->training.gradient_accumulation / seconds,
                             3)
             : QString();
}

/// "0: 12.3, 1: 9.8 slow"
QString process_rates_text(const RunDetail& run) {
  QStringList parts;
  if (run.rates) {
    for (const ProcessRate& p : run.rates->processes) {
      const QString rate = format_number(p.images_per_second, 3);
      const QString host = to_qstring(p.host);
      if (p.is_card()) {
        parts << (p.slow ? ComparePage::tr("%1: %2/s, slow") : ComparePage::tr("%1: %2/s"))
                     .arg(host, rate);
      } else {
        parts << (p.slow ? ComparePage::tr("%1 on %2: %3/s, slow")
                         : ComparePage::tr("%1 on %2: %3/s"))
                     .arg(p.process)
                     .arg(host, rate);
      }
    }
  }
  return parts.join(QStringLiteral("; "));
}

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
  auto* row = new QHBoxLayout;
  row->setSpacing(Space::small);
  views_ = new QStackedWidget(page);
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
  column->addLayout(row);
  link_ = new PlotLink(this);
  connect(link_, &PlotLink::axis_changed, this, &ComparePage::update_plots);
  views_->addWidget(build_curves());

  auto* settings_page = new QWidget(views_);
  auto* settings_column = new QVBoxLayout(settings_page);
  settings_column->setContentsMargins(0, 0, 0, 0);
  settings_column->setSpacing(Space::small);
  settings_note_ = make_label(QString(), "muted", settings_page);
  settings_column->addWidget(settings_note_);
  settings_table_ = new QTableWidget(settings_page);
  settings_table_->setAccessibleName(tr("Results and settings of the selected runs"));
  settings_table_->setProperty("rows", QStringLiteral("true"));
  settings_table_->setShowGrid(false);
  settings_table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  settings_table_->verticalHeader()->hide();
  settings_table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  settings_table_->horizontalHeader()->setHighlightSections(false);
  settings_column->addWidget(settings_table_, 1);
  views_->addWidget(settings_page);
  views_->addWidget(build_samples());
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

QWidget* ComparePage::build_samples() {
  auto* page = new QWidget(this);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::small);
  auto* row = new QHBoxLayout;
  row->setSpacing(Space::small);
  row->addWidget(make_label(tr("Prompt"), "muted", page));
  prompt_ = new NoWheelCombo(page);
  prompt_->setAccessibleName(tr("Prompt of the samples"));
  prompt_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  prompt_->setMinimumContentsLength(12);
  prompt_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  row->addWidget(prompt_, 1);
  row->addSpacing(Space::small);
  row->addWidget(make_label(tr("Step"), "muted", page));
  step_ = new QSlider(Qt::Horizontal, page);
  step_->setAccessibleName(tr("Step of the samples"));
  step_->setFixedWidth(180);
  row->addWidget(step_);
  step_text_ = make_label(QString(), "", page);
  step_text_->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("0,000,000")));
  row->addWidget(step_text_);
  column->addLayout(row);
  auto* area = new QWidget(page);
  panes_ = new QHBoxLayout(area);
  panes_->setContentsMargins(0, 0, 0, 0);
  panes_->setSpacing(Space::medium);
  column->addWidget(area, 1);
  connect(prompt_, &QComboBox::currentIndexChanged, this, &ComparePage::update_samples);
  connect(step_, &QSlider::valueChanged, this, &ComparePage::update_samples);
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
    run->loss_smooth.set_beta(beta);
    run->grad_smooth.set_beta(beta);
    run->loss_smooth.update(run->loss);
    run->grad_smooth.update(run->grad_norm);
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
  std::vector<std::unique_ptr<Run>> kept;
  for (const QString& id : wanted) {
    const auto it = std::find_if(runs_.begin(), runs_.end(), [&](const auto& run) {
      return run != nullptr && run->detail.id == id;
    });
    if (it != runs_.end()) {
      kept.push_back(std::move(*it));
      continue;
    }
    auto& run = kept.emplace_back(std::make_unique<Run>());
    run->detail.id = id;
    run->loss_smooth.set_beta(smoothing_);
    run->grad_smooth.set_beta(smoothing_);
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
  update_prompts();
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
  Run& run = **it;
  const bool again = std::exchange(run.awaited, false);
  if (again) {
    run.loss.clear();
    run.grad_norm.clear();
    run.clock.clear();
    run.detail.steps.clear();
    run.detail.events.clear();
  }
  for (const StepRow& s : detail.steps) {
    run.loss.append(s.step, s.loss);
    run.grad_norm.append(s.step, s.grad_norm);
    run.clock.append(s.step, s.seconds);
  }
  const bool first = !run.here;
  const bool samples_changed = first || run.detail.samples.size() != detail.samples.size();
  std::vector<StepRow> steps = std::move(run.detail.steps);
  if (!detail.steps.empty()) {
    // A run resumed from an older checkpoint is rewound first.
    std::erase_if(steps, [&](const StepRow& s) { return s.step >= detail.steps.front().step; });
    steps.insert(steps.end(), detail.steps.begin(), detail.steps.end());
  }
  std::vector<EventRow> events = std::move(run.detail.events);
  events.insert(events.end(), detail.events.begin(), detail.events.end());
  const bool ended = run.here && run.detail.state != detail.state;
  const bool rated =
      detail.rates && (!run.detail.rates || run.detail.rates->step != detail.rates->step);
  run.detail = detail;
  run.detail.steps = std::move(steps);
  run.detail.events = std::move(events);
  run.here = true;
  run.loss_smooth.update(run.loss);
  run.grad_smooth.update(run.grad_norm);
  if (first || again || !detail.steps.empty()) {
    update_plots();
  }
  if (first || again || ended || rated) {
    update_settings();
  }
  if (samples_changed) {
    update_prompts();
  }
  if (first || again || ended || samples_changed) {
    update_result();
  }
  if (first) {
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
    Run& run = *runs_[i];
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
  for (const auto& run : runs_) {
    if (run->here) {
      here.push_back(run.get());
    }
  }
  const bool alone = here.size() == 1;
  QStringList headers{alone ? tr("Setting") : tr("Difference")};
  for (const Run* run : here) {
    headers << run->label;
  }
  if (alone) {
    headers << tr("Default");
  }
  settings_table_->setColumnCount(static_cast<int>(headers.size()));
  settings_table_->setHorizontalHeaderLabels(headers);
  add_results(here);
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

void ComparePage::add_results(const Runs& runs) {
  const auto add = [&](const QString& name, auto value) {
    QStringList values;
    for (const Run* run : runs) {
      values << value(*run);
    }
    add_row(name, values);
  };
  const auto number = [](double value) {
    return std::isnan(value) ? QString() : format_number(value);
  };
  add(tr("State"), [](const Run& r) { return run_state_text(r.detail.state.toStdString()); });
  add(tr("Steps"), [](const Run& r) {
    return r.detail.steps.empty() ? QStringLiteral("0") : step_text(r.detail.steps.back().step);
  });
  add(tr("Loss, mean of the last tenth"),
      [&](const Run& r) { return number(step_figures(r.detail.steps).last_tenth); });
  add(tr("Seconds per step"),
      [&](const Run& r) { return number(step_figures(r.detail.steps).seconds); });
  add(tr("Images per second"), [](const Run& r) { return images_rate_text(r.detail); });
  if (std::any_of(runs.begin(), runs.end(),
                  [](const Run* r) { return r->detail.rates.has_value(); })) {
    add(tr("Cards or processes"), [](const Run& r) { return process_rates_text(r.detail); });
  }
  add_suggestions(runs);
  add_memorising(runs);
  add(tr("Clipped steps"),
      [](const Run& r) { return step_text(step_figures(r.detail.steps).clipped); });
  add(tr("Skipped steps"),
      [](const Run& r) { return step_text(step_figures(r.detail.steps).skipped); });
}

void ComparePage::add_suggestions(const Runs& runs) {
  QStringList steps, reasons;
  for (const Run* run : runs) {
    const auto choice = choose_checkpoint(run->detail.validation, run->detail.checkpoints);
    steps << (!choice                           ? QString()
              : choice->better_than_untrained() ? tr("Step %1").arg(step_text(choice->step))
                                                : tr("None"));
    reasons << (choice ? error_text(choice->text()) : QString());
  }
  if (steps.join(QString()).isEmpty()) {
    return;
  }
  const int row = add_row(tr("Suggested checkpoint"), steps);
  for (int i = 0; i < reasons.size(); ++i) {
    settings_table_->item(row, i + 1)->setToolTip(reasons[i]);
  }
}

void ComparePage::add_memorising(const Runs& runs) {
  QStringList signs, reasons;
  for (const Run* run : runs) {
    // Of the checkpoint that is suggested, if one is.
    const auto choice = choose_checkpoint(run->detail.validation, run->detail.checkpoints);
    const auto memorising =
        memorising_at(run->detail.samples, choice && choice->better_than_untrained()
                                               ? choice->step
                                               : std::numeric_limits<std::int64_t>::max());
    signs << (!memorising          ? QString()
              : memorising->sign() ? tr("A sign at step %1").arg(step_text(memorising->step))
                                   : tr("No sign"));
    reasons << (memorising ? error_text(memorising->text()) : QString());
  }
  if (signs.join(QString()).isEmpty()) {
    return;
  }
  const int row = add_row(tr("Memorising"), signs);
  for (int i = 0; i < reasons.size(); ++i) {
    settings_table_->item(row, i + 1)->setToolTip(reasons[i]);
  }
}

namespace {

/// A setting's value; "3e-3; 2.5e-3 from step 102" where it was changed in mid-run.
QString value_over_time(const Preset& preset, const std::string& key,
                        const std::vector<SettingChange>& changes) {
  const QString name = to_qstring(key);
  const nlohmann::json now = get_setting(preset, key);
  const std::vector<SettingChange> own = changes_of(changes, key);
  if (own.empty()) {
    return value_text(name, now);
  }
  QStringList values{value_text(name, own.front().before)};
  for (const SettingChange& change : own) {
    values << ComparePage::tr("%1 from step %2")
                  .arg(value_text(name, change.after), step_text(change.step + 1));
  }
  if (own.back().after != now) {
    values << ComparePage::tr("%1 since it was resumed").arg(value_text(name, now));
  }
  return values.join(QStringLiteral("; "));
}

}  // namespace

void ComparePage::add_settings(const Runs& runs) {
  const bool alone = runs.size() == 1;
  std::set<std::string> keys;
  const bool readable = std::all_of(runs.begin(), runs.end(),
                                    [](const Run* r) { return r->detail.preset.has_value(); });
  if (readable && !runs.empty()) {
    const Preset& first = *runs.front()->detail.preset;
    for (const Run* run : runs) {
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
      for (const Run* run : runs) {
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

void ComparePage::update_prompts() {
  QStringList prompts;
  std::set<std::int64_t> steps;
  for (const auto& run : runs_) {
    for (const SampleRow& s : run->detail.samples) {
      const QString prompt = to_qstring(s.prompt);
      if (!prompts.contains(prompt)) {
        prompts << prompt;
      }
      steps.insert(s.step);
    }
  }
  const QString before = prompt_->currentData().toString();
  const bool at_end = step_->value() == step_->maximum();
  {
    const QSignalBlocker quiet(prompt_), quiet_step(step_);
    prompt_->clear();
    for (const QString& prompt : prompts) {
      prompt_->addItem(shown(prompt), prompt);
    }
    prompt_->setCurrentIndex(std::max(0, prompt_->findData(before)));
    sample_steps_.assign(steps.begin(), steps.end());
    step_->setRange(0, std::max(0, static_cast<int>(sample_steps_.size()) - 1));
    if (at_end) {
      step_->setValue(step_->maximum());
    }
    step_->setEnabled(sample_steps_.size() > 1);
    prompt_->setEnabled(prompts.size() > 1);
  }
  update_samples();
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
  const RunDetail& detail = runs_.front()->detail;
  EndedRun run;
  run.folder = detail.folder;
  run.title = QStringLiteral("%1 · %2").arg(runs_.front()->label,
                                            run_state_text(detail.state.toStdString()));
  run.complete = detail.state == QLatin1String("finished");
  run.failed = detail.state == QLatin1String("failed");
  run.reason = library_->failure(detail.id);
  run.preset = detail.preset.value_or(Preset{});
  run.steps = detail.steps.empty() ? 0 : detail.steps.back().step;
  run.seconds = runs_.front()->clock.total();
  run.last_tenth = step_figures(detail.steps).last_tenth;
  if (const ValidationRow* best = best_validation(detail.validation)) {
    run.best = *best;
  }
  for (const SampleRow& sample : detail.samples) {
    run.samples.push_back(
        {sample.step, sample.prompt_index, sample.prompt, to_path(to_qstring(sample.path))});
  }
  result_->show_run(run);
}

void ComparePage::update_samples() {
  while (QLayoutItem* item = panes_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  const auto at = static_cast<std::size_t>(step_->value());
  const std::int64_t step = at < sample_steps_.size() ? sample_steps_[at] : 0;
  step_text_->setText(sample_steps_.empty() ? QString() : step_text(step));
  for (const auto& run : runs_) {
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Space::tiny);
    auto* pane = new ImagePane(
        run->here ? tr("No sample of this prompt up to this step") : tr("Reading…"), box);
    // The latest sample up to the step: runs need not sample at the same steps.
    const SampleRow* found = nullptr;
    for (const SampleRow& s : run->detail.samples) {
      if (to_qstring(s.prompt) == prompt_->currentData().toString() && s.step <= step &&
          (found == nullptr || s.step >= found->step)) {
        found = &s;
      }
    }
    auto* caption = new ElideLabel(
        found == nullptr ? run->label : tr("%1 · step %2").arg(run->label, step_text(found->step)),
        box);
    column->addWidget(caption);
    column->addWidget(pane, 1);
    if (found != nullptr) {
      pane->show_file(to_qstring(found->path));
    }
    panes_->addWidget(box, 1);
  }
}

}  // namespace mantissa::gui
