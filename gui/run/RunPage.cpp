#include "gui/run/RunPage.h"

#include <QApplication>
#include <QButtonGroup>
#include <QClipboard>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSlider>
#include <QSplitter>
#include <QStackedWidget>
#include <QSysInfo>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/core/error.h"
#include "engine/precision/catalogue.h"
#include "engine/store/metrics.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/precision/FindingCard.h"
#include "gui/precision/HealthView.h"
#include "gui/run/DiskCard.h"
#include "gui/run/LogView.h"
#include "gui/run/MarkerCard.h"
#include "gui/run/NewestLine.h"
#include "gui/run/PlotsPanel.h"
#include "gui/run/ProcessCard.h"
#include "gui/run/RunData.h"
#include "gui/samples/ImagePane.h"
#include "gui/samples/SampleModel.h"
#include "gui/widgets/CardArea.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/EmptyState.h"
#include "gui/widgets/Parts.h"
#include "gui/widgets/SciSpin.h"

namespace mantissa::gui {

RunPage::RunPage(RunData* data, SampleModel* samples, AppSettings* settings, const Theme* theme,
                 QWidget* parent)
    : Page(parent), data_(data), samples_(samples), theme_(theme) {
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->setSpacing(Space::small);
  build_cards();
  marker_card_ = new MarkerCard(data_, samples_, theme, this);
  cards_ = new CardArea(this);
  for (QWidget* card : std::initializer_list<QWidget*>{disk_, failure_, phases_, marker_card_}) {
    cards_->add(card);
  }
  outer->addWidget(cards_);

  auto* across = new QSplitter(Qt::Horizontal, this);
  across->setHandleWidth(Space::medium);
  across->setChildrenCollapsible(false);
  auto* main = new QWidget(across);
  auto* rows = new QVBoxLayout(main);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(Space::small);
  view_row_ = new QHBoxLayout;
  view_row_->setSpacing(Space::tiny);
  view_row_->addStretch();
  view_buttons_ = new QButtonGroup(this);
  rows->addLayout(view_row_);
  views_ = new QStackedWidget(main);
  rows->addWidget(views_, 1);
  curves_ = new QStackedWidget(views_);
  empty_ = new EmptyState(
      Icon::train, tr("No run yet.\nOnce it trains, its curves are drawn here."), theme, curves_);
  plots_ = new PlotsPanel(data_, settings, theme, curves_);
  curves_->addWidget(empty_);
  curves_->addWidget(plots_);
  add_view(tr("Curves"),
           tr("Loss, gradients, learning rate and updates over the steps.\nGood: the loss falls, "
              "the others stay steady.\nA plot's title says what it shows and what to do; a click "
              "on a marker, what happened there."),
           curves_);
  auto* health_area = new QScrollArea(views_);  // taller than what a small window leaves
  health_ = new HealthView(&data_->health, theme, health_area->viewport());
  health_area->setWidgetResizable(true);
  health_area->setFrameShape(QFrame::NoFrame);
  health_area->setWidget(health_);
  add_view(tr("Numerics"),
           tr("Underflow, overflow and rounding error of every layer.\nGood: a pale map.\nA layer "
              "that stands out is pinned to BF16 or FP32 in Setup."),
           health_area);
  log_ = new LogView(theme, views_);
  add_view(tr("Log"),
           tr("What the run reported, with times.\nGood: no warning; each says what to change."),
           log_);
  show_view(curves_);
  across->addWidget(main);
  across->addWidget(build_side());
  across->setStretchFactor(0, 1);
  across->setStretchFactor(1, 0);
  across->setSizes({900, 280});
  outer->addWidget(across, 1);
  newest_line_ = new NewestLine(this);
  outer->addWidget(newest_line_);
  connect(log_, &LogView::line_added, newest_line_, &NewestLine::show_line);
  connect(newest_line_, &NewestLine::clicked, this, [this] { show_view(log_); });

  connect(plots_, &PlotsPanel::export_failed, this, &RunPage::problem);
  connect(plots_, &PlotsPanel::marker_activated, this, &RunPage::show_marker);
  connect(marker_card_, &MarkerCard::fix_requested, this, &RunPage::fix_requested);
  connect(marker_card_, &MarkerCard::field_requested, this, &RunPage::field_requested);
  connect(marker_card_, &MarkerCard::samples_requested, this, &RunPage::samples_requested);
  connect(samples_, &SampleModel::sample_added, this, [this](const SampleRecord& sample) {
    newest_sample_->show_file(path_text(sample.path));
    newest_heading_->setText(tr("Newest sample · step %1").arg(step_text(sample.step)));
  });
  connect(samples_, &QAbstractItemModel::modelReset, this, [this] {
    newest_sample_->show_file(QString());
    newest_heading_->setText(tr("Newest sample"));
  });
  on_labels();
}

QToolButton* RunPage::add_view(const QString& name, const QString& tip, QWidget* view) {
  views_->addWidget(view);
  auto* button = new QToolButton(this);
  button->setText(name);
  explain(button, tip);
  button->setCheckable(true);
  button->setProperty("kind", QStringLiteral("chip"));
  button->setAccessibleName(tr("View: %1").arg(name));
  view_buttons_->addButton(button, views_->indexOf(view));
  view_row_->insertWidget(view_row_->count() - 1, button);
  connect(button, &QToolButton::clicked, this, [this, view] { show_view(view); });
  return button;
}

std::vector<Page::Look> RunPage::looks() {
  std::vector<Look> all;
  for (QAbstractButton* button : view_buttons_->buttons()) {
    const int view = view_buttons_->id(button);
    all.push_back({QStringLiteral("train-%1").arg(view), [this, view] {
                     show_view(views_->widget(view));
                     return true;
                   }});
  }
  std::rotate(all.begin(), all.begin() + 1, all.end());  // the curves again at the end
  return all;
}

void RunPage::show_view(QWidget* view) {
  while (views_->indexOf(view) < 0) {
    view = view->parentWidget();  // the area that it scrolls in
  }
  views_->setCurrentWidget(view);
  view_buttons_->button(views_->indexOf(view))->setChecked(true);
}

void RunPage::leave_view(QWidget* view) {
  if (views_->currentWidget() == view) {
    show_view(curves_);
  }
}

void RunPage::show_marker(const PlotMarker& marker) {
  marker_card_->show_marker(marker);
  cards_->bring_up(marker_card_);
}

PlotLink* RunPage::link() const {
  return plots_->link();
}
PlotWidget* RunPage::loss_plot() const {
  return plots_->plot(RunPlot::loss);
}
PlotWidget* RunPage::grad_plot() const {
  return plots_->plot(RunPlot::grad_norm);
}
QSlider* RunPage::smoothing() const {
  return plots_->smoothing();
}

QWidget* RunPage::build_side() {
  auto* side = new QWidget(this);
  side->setMinimumWidth(220);
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::medium);

  auto* facts = make_card(side);
  auto* grid = new QGridLayout(facts);
  grid->setContentsMargins(Space::medium, Space::medium, Space::medium, Space::medium);
  grid->setVerticalSpacing(Space::tiny);
  grid->addWidget(make_heading(tr("Now"), facts), 0, 0, 1, 2);
  const QString names[] = {
      tr("Step"),         tr("Loss, smoothed"), tr("Gradient norm"),    tr("Learning rate"),
      tr("Lost updates"), tr("Time per step"),  tr("Images per second")};
  for (int i = 0; i < 7; ++i) {
    grid->addWidget(make_label(names[i], "muted", facts), i + 1, 0);
    figures_[i] = make_label(QStringLiteral("–"), "", facts);
    figures_[i]->setAlignment(Qt::AlignRight);
    figures_[i]->setAccessibleDescription(names[i]);
    grid->addWidget(figures_[i], i + 1, 1);
  }
  grid->setColumnStretch(1, 1);
  column->addWidget(facts);
  processes_ = new ProcessCard(theme_, side);
  column->addWidget(processes_);

  auto* card = make_card(side);
  auto* in = new QVBoxLayout(card);
  in->setContentsMargins(Space::medium, Space::medium, Space::medium, Space::medium);
  in->setSpacing(Space::small);
  newest_heading_ = make_heading(tr("Newest sample"), card);
  in->addWidget(newest_heading_);
  newest_sample_ = new ImagePane(tr("No sample yet"), card);
  in->addWidget(newest_sample_, 1);
  column->addWidget(card, 1);
  return side;
}

void RunPage::build_cards() {
  disk_ = new DiskCard(theme_, this);
  failure_ = make_card(this);
  failure_->setProperty("card", QStringLiteral("error"));
  auto* column = new QVBoxLayout(failure_);
  column->setContentsMargins(Space::medium, Space::medium, Space::medium, Space::medium);
  column->setSpacing(Space::small);
  auto* top = new QHBoxLayout;
  auto* icon = new QLabel(failure_);
  bind_icon(icon, Icon::error, theme_, [](const ThemeColors& c) { return c.error; });
  top->addWidget(icon);
  failure_title_ = make_heading(QString(), failure_);
  top->addWidget(failure_title_);
  top->addStretch();
  copy_ = new QPushButton(tr("Copy report"), failure_);
  copy_->setAccessibleName(tr("Copy a report of the failure"));
  top->addWidget(copy_);
  resume_ = new QPushButton(tr("Resume from checkpoint"), failure_);
  resume_->setAccessibleName(tr("Resume from the last good checkpoint"));
  top->addWidget(resume_);
  fix_ = new QPushButton(tr("Apply the fix to the draft"), failure_);
  fix_->setAccessibleName(fix_->text());
  top->addWidget(fix_);
  connect(fix_, &QPushButton::clicked, this,
          [this] { emit fix_requested(patch_, to_qstring(end_.failure.id)); });
  accept_ = new QPushButton(failure_);
  accept_->setAccessibleName(tr("Continue with the changed files"));
  top->addWidget(accept_);
  column->addLayout(top);
  failure_text_ = make_label(QString(), "", failure_);
  failure_text_->setWordWrap(true);
  failure_text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(failure_text_);
  failure_fields_ = new QHBoxLayout;
  failure_fields_->setSpacing(Space::small);
  column->addLayout(failure_fields_);
  failure_saved_ = new ElideLabel(QString(), failure_);
  failure_saved_->set_muted(true);
  column->addWidget(failure_saved_);
  failure_->hide();
  connect(copy_, &QPushButton::clicked, this,
          [this] { QApplication::clipboard()->setText(failure_report()); });
  connect(resume_, &QPushButton::clicked, this, [this] { emit resume_requested(last_saved_); });
  connect(accept_, &QPushButton::clicked, this, [this] { emit accept_requested(end_); });

  phases_ = make_card(this);
  auto* row = new QHBoxLayout(phases_);
  row->setContentsMargins(Space::medium, Space::small, Space::medium, Space::small);
  row->setSpacing(Space::medium);
  phase_ = make_label(QString(), "", phases_);
  row->addWidget(phase_);
  phase_bar_ = new QProgressBar(phases_);
  phase_bar_->setTextVisible(false);
  phase_bar_->setAccessibleName(tr("Progress of this phase"));
  row->addWidget(phase_bar_, 1);
  phases_->hide();
}

void RunPage::begin() {
  hide_failure();
  marker_card_->hide();
  plots_->begin();
  update_empty();
  on_report();
  on_labels();
}

bool RunPage::is_loading() const {
  return samples_->is_loading();
}

void RunPage::brought_up() {
  on_frame();
  on_labels();
}

void RunPage::on_frame() {
  plots_->on_frame();
  update_empty();
}

void RunPage::update_empty() {
  curves_->setCurrentIndex(shown_ == RunState::idle && !data_->has_steps() ? 0 : 1);
}

void RunPage::on_report() {
  const NonFiniteReport* report = data_->last_report();
  health_->show_report(report != nullptr ? std::optional(*report) : std::nullopt);
  marker_card_->refresh();
}

void RunPage::on_labels() {
  health_->refresh();
  processes_->show_rates(data_->process_rates());
  const StepRecord& r = data_->last();
  if (!data_->has_steps()) {
    for (QLabel* label : figures_) {
      label->setText(QStringLiteral("–"));
    }
    return;
  }
  data_->loss_smooth.update(data_->loss);
  figures_[0]->setText(data_->total_steps() > 0
                           ? tr("%1 of %2").arg(step_text(r.step), step_text(data_->total_steps()))
                           : step_text(r.step));
  figures_[1]->setText(format_number(data_->loss_smooth.store().values().back()));
  figures_[2]->setText(r.clipped ? tr("%1, clipped").arg(format_number(r.grad_norm))
                                 : format_number(r.grad_norm));
  figures_[3]->setText(format_exact(QString::number(largest_rate(r), 'g', 4).toDouble()));
  figures_[4]->setText(percent_text(r.lost_update, 2));
  figures_[5]->setText(format_step_time(r.seconds));
  figures_[6]->setText(data_->images_rate() > 0 ? format_number(data_->images_rate(), 3)
                                                : QStringLiteral("–"));
}

void RunPage::on_state(RunState shown) {
  shown_ = shown;
  update_empty();
  if (shown != RunState::preparing) {
    phases_->hide();
  }
  if (shown != RunState::paused) {
    disk_->hide();
  }
  if (shown == RunState::training) {
    hide_failure();
  }
}

void RunPage::show_progress(const QString& text, qint64 done, qint64 total) {
  phases_->show();
  phase_->setText(text);
  phase_bar_->setRange(0, total > 0 ? 1000 : 0);
  if (total > 0) {
    phase_bar_->setValue(
        static_cast<int>(1000.0 * static_cast<double>(done) / static_cast<double>(total)));
  }
}

void RunPage::show_failure(const RunEnd& end, const QString& last_saved, qint64 last_saved_step) {
  end_ = end;
  last_saved_ = last_saved;
  QString title;
  switch (end.failure.kind) {
    case ErrorKind::precision:
      title = tr("Refused by precision check %1").arg(to_qstring(end.failure.id));
      break;
    case ErrorKind::non_finite:
      title = tr("Stopped: NaN/Inf");
      break;
    case ErrorKind::out_of_memory:
      title = tr("Out of memory");
      break;
    case ErrorKind::out_of_disk:
      title = tr("Out of disk space");
      break;
    case ErrorKind::input:
    case ErrorKind::device_lost:
    case ErrorKind::rank_lost:
    case ErrorKind::interrupted:
    case ErrorKind::internal:
      title = data_->has_steps() ? tr("The run could not continue") : tr("The run could not start");
      break;
  }
  failure_title_->setText(title);
  const std::optional<ToldFinding> told = told_finding(end.failure.message);
  QString text = plain_text(end.failure.message);
  if (told) {
    text = plain_text(told->what);
    if (!told->fix.empty()) {
      text += QLatin1Char('\n') + plain_text(told->fix);
    }
  }
  failure_text_->setText(text);
  patch_ = told ? to_qstring(told->patch) : QString();
  fix_->setVisible(!patch_.isEmpty());
  while (QLayoutItem* item = failure_fields_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  // The finding's settings, one click away.
  if (const CatalogueEntry* entry = find_catalogue_entry(end.failure.id)) {
    for (const std::string_view field : entry->fields) {
      if (field.empty()) {
        continue;
      }
      const QString key = to_qstring(field);
      auto* link = new QToolButton(failure_);
      link->setProperty("kind", QStringLiteral("disclosure"));
      link->setText(field_label(key));
      link->setAccessibleName(tr("Show the setting “%1”").arg(link->text()));
      connect(link, &QToolButton::clicked, this, [this, key] { emit field_requested(key); });
      failure_fields_->addWidget(link);
    }
    failure_fields_->addStretch();
  }
  failure_saved_->setVisible(!last_saved.isEmpty());
  const bool refused = end.failure.start_over || !end.failure.changed.empty();
  accept_->setText(end.failure.start_over ? tr("Start over, set the damaged checkpoints aside")
                                          : tr("Continue with the changed files"));
  accept_->setAccessibleName(accept_->text());
  accept_->setVisible(refused);
  resume_->setVisible(!refused && !last_saved.isEmpty());
  failure_saved_->set_text(
      tr("Last good checkpoint: step %1, %2").arg(step_text(last_saved_step), last_saved));
  failure_->show();
  cards_->bring_up(failure_);
  if (end.failure.kind == ErrorKind::non_finite) {
    mark_fatal_step();
  }
}

void RunPage::mark_fatal_step() {
  const NonFiniteReport* report = data_->last_report();
  const std::int64_t step =
      report != nullptr ? std::max(report->step, data_->step()) : data_->step();
  const auto& markers = data_->markers();
  const bool known = std::any_of(markers.begin(), markers.end(), [&](const PlotMarker& m) {
    return m.kind == PlotMarker::Kind::nan && m.step == step;
  });
  if (!known) {
    data_->add_marker(PlotMarker::Kind::nan, step, tr("NaN/Inf ended the run"));
    on_frame();
  }
}

void RunPage::hide_failure() {
  failure_->hide();
}

QString RunPage::failure_report() const {
  QString report = tr("Mantissa run report") + QLatin1Char('\n');
  report += failure_title_->text() + QLatin1Char('\n') + message_text(end_.failure.message) +
            QLatin1Char('\n');
  if (!end_.failure.id.empty()) {
    report += tr("Finding: %1").arg(to_qstring(end_.failure.id)) + QLatin1Char('\n');
  }
  report += tr("Last step: %1, loss %2")
                .arg(step_text(data_->step()), format_number(data_->last().loss, 8)) +
            QLatin1Char('\n');
  if (!last_saved_.isEmpty()) {
    report += tr("Last good checkpoint: %1").arg(last_saved_) + QLatin1Char('\n');
  }
  report +=
      tr("System: %1, %2").arg(QSysInfo::prettyProductName(), QSysInfo::currentCpuArchitecture()) +
      QStringLiteral("\n\n") + log_->text() + QLatin1Char('\n');
  return report;
}

}  // namespace mantissa::gui
