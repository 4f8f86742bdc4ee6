#include "gui/run/RunPage.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSlider>
#include <QSplitter>
#include <QSysInfo>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "engine/core/error.h"
#include "gui/app/AppSettings.h"
#include "gui/app/Text.h"
#include "gui/plot/PlotExport.h"
#include "gui/plot/PlotWidget.h"
#include "gui/run/LogView.h"
#include "gui/run/RunData.h"
#include "gui/samples/SampleGrid.h"
#include "gui/samples/SampleModel.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/Parts.h"
#include "gui/widgets/PathEdit.h"
#include "gui/widgets/SciSpin.h"

namespace mantissa {
namespace {

constexpr int kSliderSteps = 100;

/// The slider runs over the length of the average: 1 step at the left, 1000 at the right.
double beta_of(int position) {
  return position <= 0 ? 0 : 1 - std::pow(10.0, -3.0 * position / kSliderSteps);
}

int position_of(double beta) {
  return beta <= 0 ? 0 : static_cast<int>(std::lround(-std::log10(1 - beta) / 3.0 * kSliderSteps));
}

/// The engine's word for what it is doing, for people.
QString phase_name(const QString& phase) {
  if (phase == QLatin1String("loading")) {
    return RunPage::tr("Loading the base model");
  }
  if (phase == QLatin1String("caching")) {
    return RunPage::tr("Preparing images and captions");
  }
  if (phase == QLatin1String("sampling")) {
    return RunPage::tr("Rendering samples");
  }
  if (phase == QLatin1String("saving")) {
    return RunPage::tr("Saving");
  }
  return phase;
}

}  // namespace

RunPage::RunPage(RunData* data, SampleModel* samples, AppSettings* settings, const Theme* theme,
                 QWidget* parent)
    : QWidget(parent), data_(data), samples_(samples), settings_(settings), theme_(theme) {
  link_ = new PlotLink(this);
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->setSpacing(Space::medium);
  build_cards();
  outer->addWidget(failure_);
  outer->addWidget(phases_);

  auto* across = new QSplitter(Qt::Horizontal, this);
  across->setHandleWidth(Space::medium);
  across->setChildrenCollapsible(false);
  auto* down = new QSplitter(Qt::Vertical, across);
  down->setHandleWidth(Space::medium);
  down->setChildrenCollapsible(false);

  auto* card = make_card(down);
  auto* plots = new QVBoxLayout(card);
  plots->setContentsMargins(Space::small, Space::small, Space::small, Space::small);
  plots->setSpacing(0);
  plots->addWidget(build_tools());
  loss_ = new PlotWidget(tr("Loss"), link_, theme, card);
  grad_ = new PlotWidget(tr("Gradient norm"), link_, theme, card);
  scale_ = new PlotWidget(tr("Loss scale"), link_, theme, card);
  loss_->set_empty_text(tr("The loss of every step appears here."));
  loss_->set_step_labels(false);
  grad_->set_step_labels(false);
  plots->addWidget(loss_, 5);
  plots->addWidget(grad_, 3);
  plots->addWidget(scale_, 2);
  for (PlotWidget* plot : {loss_, grad_, scale_}) {
    offer_export(plot);
  }
  down->addWidget(card);
  log_ = new LogView(theme, down);
  down->addWidget(log_);
  down->setStretchFactor(0, 4);
  down->setStretchFactor(1, 1);
  down->setSizes({560, 150});
  across->addWidget(down);
  across->addWidget(build_side());
  across->setStretchFactor(0, 1);
  across->setStretchFactor(1, 0);
  across->setSizes({900, 280});
  outer->addWidget(across, 1);

  update_series();
  set_smoothing(position_of(settings_->smoothing()));
  smoothing_->setValue(position_of(settings_->smoothing()));
  connect(smoothing_, &QSlider::valueChanged, this, &RunPage::set_smoothing);
  connect(samples_, &SampleModel::sample_added, this, [this](const SampleRecord& sample) {
    picture_->show_file(path_text(sample.path));
    picture_caption_->setText(tr("Newest sample · step %1").arg(step_text(sample.step)));
  });
  connect(samples_, &QAbstractItemModel::modelReset, this, [this] {
    picture_->show_file(QString());
    picture_caption_->setText(tr("Newest sample"));
  });
  on_labels();
}

void RunPage::update_series() {
  loss_->set_series(
      {{.name = tr("loss"), .color = 0, .raw = &data_->loss, .smoothed = &data_->loss_smooth}});
  grad_->set_series(
      {{.name = tr("norm"), .color = 2, .raw = &data_->grad_norm, .smoothed = &data_->grad_smooth},
       {.name = tr("clip"), .color = 1, .raw = &data_->clip_norm, .dashed = true}});
  scale_->set_series(
      {{.name = tr("scale"), .color = 3, .raw = &data_->loss_scale, .stepped = true}});
}

QWidget* RunPage::build_tools() {
  auto* bar = new QWidget(this);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(Space::small, 0, Space::tiny, Space::tiny);
  row->setSpacing(Space::tiny);
  row->addWidget(make_label(tr("Smoothing"), "muted", bar));
  smoothing_ = new QSlider(Qt::Horizontal, bar);
  smoothing_->setRange(0, kSliderSteps);
  smoothing_->setFixedWidth(130);
  smoothing_->setAccessibleName(tr("Smoothing"));
  smoothing_->setToolTip(
      tr("Steps that the smoothed line averages over; at the left end there is "
         "none"));
  row->addWidget(smoothing_);
  smoothing_text_ = make_label(QString(), "muted", bar);
  smoothing_text_->setMinimumWidth(fontMetrics().horizontalAdvance(tr("≈ %1 steps").arg(1000)));
  row->addWidget(smoothing_text_);
  row->addStretch();
  const auto toggle = [&](Icon icon, const QString& text, const QString& tip, bool checkable) {
    auto* button = new QToolButton(bar);
    button->setCheckable(checkable);
    button->setText(text);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setToolTip(tip);
    button->setAccessibleName(text);
    bind_icon(button, icon, theme_);
    row->addWidget(button);
    return button;
  };
  log_y_ =
      toggle(Icon::log_scale, tr("Log y"), tr("Logarithmic axis for loss and gradient norm"), true);
  clip_ = toggle(Icon::clip, tr("Ignore outliers"),
                 tr("Fit the axis to most of the values; lines still run out at its edge"), true);
  fit_ = toggle(Icon::fit, tr("Whole run"), tr("Show the whole run and follow it (double click)"),
                false);
  connect(log_y_, &QToolButton::toggled, this, [this](bool on) {
    loss_->set_log_y(on);
    grad_->set_log_y(on);
  });
  connect(clip_, &QToolButton::toggled, this, [this](bool on) {
    loss_->set_clip_outliers(on);
    grad_->set_clip_outliers(on);
  });
  connect(fit_, &QToolButton::clicked, this, [this] {
    for (PlotWidget* plot : {loss_, grad_, scale_}) {
      plot->reset_view();
    }
  });
  return bar;
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
  const QString names[] = {tr("Step"),          tr("Loss, smoothed"), tr("Gradient norm"),
                           tr("Learning rate"), tr("Lost updates"),   tr("Time a step")};
  for (int i = 0; i < 6; ++i) {
    grid->addWidget(make_label(names[i], "muted", facts), i + 1, 0);
    figures_[i] = make_label(QStringLiteral("–"), "", facts);
    figures_[i]->setAlignment(Qt::AlignRight);
    figures_[i]->setAccessibleDescription(names[i]);
    grid->addWidget(figures_[i], i + 1, 1);
  }
  grid->setColumnStretch(1, 1);
  column->addWidget(facts);

  auto* card = make_card(side);
  auto* in = new QVBoxLayout(card);
  in->setContentsMargins(Space::medium, Space::medium, Space::medium, Space::medium);
  in->setSpacing(Space::small);
  picture_caption_ = make_heading(tr("Newest sample"), card);
  in->addWidget(picture_caption_);
  picture_ = new PicturePane(tr("No sample yet"), card);
  in->addWidget(picture_, 1);
  column->addWidget(card, 1);
  return side;
}

void RunPage::build_cards() {
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
  column->addLayout(top);
  failure_text_ = make_label(QString(), "", failure_);
  failure_text_->setWordWrap(true);
  failure_text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(failure_text_);
  failure_saved_ = new ElideLabel(QString(), failure_);
  failure_saved_->set_muted(true);
  column->addWidget(failure_saved_);
  failure_->hide();
  connect(copy_, &QPushButton::clicked, this,
          [this] { QApplication::clipboard()->setText(failure_report()); });
  connect(resume_, &QPushButton::clicked, this, [this] { emit resume_requested(last_saved_); });

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

void RunPage::set_smoothing(int position) {
  const double beta = beta_of(position);
  settings_->set_smoothing(beta);
  data_->loss_smooth.set_beta(beta);
  data_->grad_smooth.set_beta(beta);
  smoothing_text_->setText(beta <= 0 ? tr("off")
                                     : tr("≈ %1 steps").arg(std::lround(1 / (1 - beta))));
  loss_->update();
  grad_->update();
}

void RunPage::offer_export(PlotWidget* plot) {
  const auto run = [this, plot](const QString& filter, const QString& suffix, auto write) {
    const PathChooser choose = save_chooser(tr("Save %1").arg(plot->title()), filter, suffix);
    choose(this, QDir(settings_->last_folder()).filePath(plot->title() + suffix),
           [this, write](const QString& file) {
             try {
               write(file);
             } catch (const Error& e) {
               emit export_failed(QString::fromUtf8(e.what()));
             }
           });
  };
  connect(plot, &PlotWidget::export_image_requested, this, [=] {
    run(tr("Pictures (*.png)"), QStringLiteral(".png"),
        [plot](const QString& file) { export_plot_png(*plot, file); });
  });
  connect(plot, &PlotWidget::export_csv_requested, this, [=] {
    run(tr("Tables (*.csv)"), QStringLiteral(".csv"),
        [plot](const QString& file) { export_plot_csv(*plot, file); });
  });
}

void RunPage::begin() {
  hide_failure();
  link_->reset();
  link_->set_data_range(0, 0);
  on_frame();
  on_labels();
}

void RunPage::on_frame() {
  if (data_->has_steps()) {
    link_->set_data_range(data_->loss.steps().front(), data_->loss.steps().back());
  }
  if (markers_seen_ != data_->markers_version()) {
    markers_seen_ = data_->markers_version();
    std::vector<PlotMarker> skipped, kept;
    for (const PlotMarker& m : data_->markers()) {
      (m.kind == PlotMarker::Kind::skipped ? skipped : kept).push_back(m);
    }
    loss_->set_markers(kept);
    scale_->set_markers(skipped);
  }
  loss_->refresh();
  grad_->refresh();
  scale_->refresh();
}

void RunPage::on_labels() {
  const StepRecord& r = data_->last();
  if (!data_->has_steps()) {
    for (QLabel* label : figures_) {
      label->setText(QStringLiteral("–"));
    }
    return;
  }
  data_->loss_smooth.update(data_->loss);
  double lr = 0;
  for (const double rate : r.lr) {
    lr = std::max(lr, rate);
  }
  figures_[0]->setText(data_->total_steps() > 0
                           ? tr("%1 of %2").arg(step_text(r.step), step_text(data_->total_steps()))
                           : step_text(r.step));
  figures_[1]->setText(format_number(data_->loss_smooth.store().values().back()));
  figures_[2]->setText(r.clipped ? tr("%1, clipped").arg(format_number(r.grad_norm))
                                 : format_number(r.grad_norm));
  figures_[3]->setText(format_exact(QString::number(lr, 'g', 4).toDouble()));
  figures_[4]->setText(QStringLiteral("%1 %").arg(100 * r.lost_update, 0, 'f', 2));
  figures_[5]->setText(r.seconds >= 1 ? tr("%1 s").arg(r.seconds, 0, 'f', 2)
                                      : tr("%1 ms").arg(1000 * r.seconds, 0, 'f', 1));
}

void RunPage::on_state(RunState shown) {
  if (shown != RunState::preparing) {
    phases_->hide();
  }
  if (shown == RunState::training) {
    hide_failure();
  }
}

void RunPage::show_progress(const QString& phase, qint64 done, qint64 total) {
  phases_->show();
  phase_->setText(
      total > 0 ? tr("%1 · %2 of %3").arg(phase_name(phase), step_text(done), step_text(total))
                : phase_name(phase));
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
  switch (end.kind) {
    case ErrorKind::precision:
      title = tr("Refused by precision check %1").arg(end.id);
      break;
    case ErrorKind::non_finite:
      title = tr("Stopped: values were no longer finite");
      break;
    case ErrorKind::out_of_memory:
      title = tr("Out of memory");
      break;
    case ErrorKind::out_of_disk:
      title = tr("Out of disk space");
      break;
    case ErrorKind::input:
    case ErrorKind::interrupted:
      title = tr("The run could not go on");
      break;
  }
  failure_title_->setText(title);
  failure_text_->setText(end.message);
  failure_saved_->setVisible(!last_saved.isEmpty());
  resume_->setVisible(!last_saved.isEmpty());
  failure_saved_->set_text(
      tr("Last good checkpoint: step %1, %2").arg(step_text(last_saved_step), last_saved));
  failure_->show();
}

void RunPage::hide_failure() {
  failure_->hide();
}

QString RunPage::failure_report() const {
  QString report = tr("Mantissa run report") + QLatin1Char('\n');
  report += failure_title_->text() + QLatin1Char('\n') + end_.message + QLatin1Char('\n');
  if (!end_.id.isEmpty()) {
    report += tr("Finding: %1").arg(end_.id) + QLatin1Char('\n');
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

}  // namespace mantissa
