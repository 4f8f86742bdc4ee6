#include "gui/run/PlotsPanel.h"

#include <QDir>
#include <QHBoxLayout>
#include <QMenu>
#include <QScrollArea>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/engine/AppSettings.h"
#include "gui/plot/PlotExport.h"
#include "gui/run/RunData.h"
#include "gui/widgets/Parts.h"
#include "gui/widgets/PathEdit.h"
#include "gui/widgets/ToolRow.h"

namespace mantissa::gui {
namespace {

constexpr int kSliderSteps = 100;
constexpr int kLeastLoss = 120;  ///< px; the others may be as low as a plot can be

/// The slider sets the length of the average: 1 step at the left, 1000 at the right.
double beta_of(int position) {
  return position <= 0 ? 0 : 1 - std::pow(10.0, -3.0 * position / kSliderSteps);
}

int position_of(double beta) {
  return beta <= 0 ? 0 : static_cast<int>(std::lround(-std::log10(1 - beta) / 3.0 * kSliderSteps));
}

struct PlotKind {
  const char* key;  ///< in the settings file
  const char* title;
  const char* tip;  ///< what it is, what good looks like, what to do
};
constexpr PlotKind kKinds[kRunPlots] = {
    {"loss", QT_TRANSLATE_NOOP("mantissa::gui::PlotsPanel", "Loss"),
     QT_TRANSLATE_NOOP("mantissa::gui::PlotsPanel",
                       "How far the prediction is from the target, at every step and smoothed.\n"
                       "Good: it falls fast, then slowly; single steps are noisy.\n"
                       "If it rises, halve the learning rate; if only the validation loss rises, "
                       "use an earlier checkpoint.")},
    {"grad_norm", QT_TRANSLATE_NOOP("mantissa::gui::PlotsPanel", "Gradient norm"),
     QT_TRANSLATE_NOOP("mantissa::gui::PlotsPanel",
                       "Length of the gradient before clipping, and the clipping limit.\n"
                       "Good: a steady band, mostly below the limit.\n"
                       "If most steps are above it, lower the learning rate.")},
    {"loss_scale", QT_TRANSLATE_NOOP("mantissa::gui::PlotsPanel", "Loss scale"),
     QT_TRANSLATE_NOOP("mantissa::gui::PlotsPanel",
                       "Factor that keeps small FP16 gradients from becoming zero, and the steps "
                       "that were skipped.\n"
                       "Good: it doubles now and then, followed by a skip at times.\n"
                       "If it only falls, Numerics shows which layer overflows.")},
    {"learning_rate", QT_TRANSLATE_NOOP("mantissa::gui::PlotsPanel", "Learning rate"),
     QT_TRANSLATE_NOOP("mantissa::gui::PlotsPanel",
                       "Of every trained part, with warm-up and schedule.\n"
                       "Good: a short rise, then the shape of the schedule.\n"
                       "To change it during the run, edit it in Setup and apply the changes.")},
    {"lost_update", QT_TRANSLATE_NOOP("mantissa::gui::PlotsPanel", "Lost updates, %"),
     QT_TRANSLATE_NOOP("mantissa::gui::PlotsPanel",
                       "Share of adapter weights that the update was too small to change.\n"
                       "Good: near 0.\n"
                       "If it isn't, keep the adapter in FP32 or turn on stochastic rounding.")},
    {"update_ratio", QT_TRANSLATE_NOOP("mantissa::gui::PlotsPanel", "Update / weight"),
     QT_TRANSLATE_NOOP("mantissa::gui::PlotsPanel",
                       "How far a step moves the adapter, relative to its size.\n"
                       "Good: large at the start, then falling with the learning rate.\n"
                       "If it stays large, lower the learning rate.")},
};

/// "text encoder 2" for "te2", as in a plot's legend.
QString part_title(Part part) {
  const QString name = QString::fromLatin1(part.name().data());
  return part_called(part.name()) == kDenoiser  ? PlotsPanel::tr("denoiser")
         : name.startsWith(QLatin1String("te")) ? PlotsPanel::tr("text encoder %1").arg(name.mid(2))
                                                : name.toUpper();
}

}  // namespace

PlotsPanel::PlotsPanel(RunData* data, AppSettings* settings, const Theme* theme, QWidget* parent)
    : QFrame(parent), data_(data), settings_(settings), theme_(theme) {
  setProperty("card", QStringLiteral("true"));
  link_ = new PlotLink(this);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::small, Space::small, Space::small, Space::small);
  column->setSpacing(0);
  auto* area = new QScrollArea(this);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setAccessibleName(tr("Plots of the run"));
  auto* stack = new QWidget(area->viewport());
  stack->setProperty("flat", QStringLiteral("true"));
  auto* rows = new QVBoxLayout(stack);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(0);
  const QStringList hidden = settings_->hidden_plots();
  for (std::size_t i = 0; i < kRunPlots; ++i) {
    auto* plot = new PlotWidget(tr(kKinds[i].title), link_, theme, stack);
    plots_[i] = plot;
    plot->set_explanation(tr(kKinds[i].tip));
    wanted_[i] = !hidden.contains(QLatin1String(kKinds[i].key));
    rows->addWidget(plot, i == 0 ? 5 : 3);
    offer_export(plot);
    connect(plot, &PlotWidget::marker_activated, this, &PlotsPanel::marker_activated);
  }
  plot(RunPlot::loss)->setMinimumHeight(kLeastLoss);
  plot(RunPlot::loss)->set_empty_text(tr("The loss of every step appears here."));
  column->addWidget(new ToolRow(build_tools(), this));
  area->setWidget(stack);
  column->addWidget(area, 1);

  make_series();
  update_shown();
  smoothing_->setValue(position_of(settings_->smoothing()));
  set_smoothing(smoothing_->value());
  connect(smoothing_, &QSlider::valueChanged, this, &PlotsPanel::set_smoothing);
}

void PlotsPanel::make_series() {
  RunData& d = *data_;
  std::vector<PlotSeries> losses{
      {.name = tr("loss"), .color = 0, .raw = &d.loss, .smoothed = &d.loss_smooth}};
  validation_seen_ = !d.validation.empty();
  if (validation_seen_) {
    losses.push_back({.name = tr("validation"), .color = 1, .raw = &d.validation});
  }
  show_series(RunPlot::loss, std::move(losses));
  show_series(RunPlot::grad_norm,
              {{.name = tr("norm"), .color = 2, .raw = &d.grad_norm, .smoothed = &d.grad_smooth},
               {.name = tr("clip"), .color = 1, .raw = &d.clip_norm, .dashed = true}});
  show_series(RunPlot::loss_scale,
              {{.name = tr("scale"), .color = 3, .raw = &d.loss_scale, .stepped = true}});
  std::vector<PlotSeries> rates;
  for (const RunData::Rate& rate : d.learning_rates) {
    if (rate.series.empty()) {
      continue;
    }
    const int i = static_cast<int>(rates.size());
    rates.push_back({.name = part_title(rate.part),
                     .color = i == 0 ? 4 : i,
                     .raw = &rate.series,
                     .stepped = true});
  }
  if (rates.size() == 1) {
    rates.front().name = tr("rate");  // for any trained part
  }
  rates_seen_ = rates.size();
  show_series(RunPlot::learning_rate, std::move(rates));
  show_series(
      RunPlot::lost_update,
      {{.name = tr("lost"), .color = 1, .raw = &d.lost_update, .smoothed = &d.lost_smooth}});
  show_series(
      RunPlot::update_ratio,
      {{.name = tr("ratio"), .color = 5, .raw = &d.update_ratio, .smoothed = &d.update_smooth}});
}

void PlotsPanel::show_series(RunPlot which, std::vector<PlotSeries> series) {
  for (PlotSeries& s : series) {
    s.clock = &data_->clock;
  }
  plot(which)->set_series(std::move(series));
}

QWidget* PlotsPanel::build_tools() {
  auto* bar = new QWidget(this);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(Space::small, 0, Space::tiny, Space::tiny);
  row->setSpacing(Space::tiny);
  row->addWidget(make_label(tr("Smoothing"), "muted", bar));
  smoothing_ = new QSlider(Qt::Horizontal, bar);
  smoothing_->setRange(0, kSliderSteps);
  smoothing_->setMinimumWidth(70);
  smoothing_->setMaximumWidth(130);
  smoothing_->setAccessibleName(tr("Smoothing"));
  smoothing_->setToolTip(tr("Steps averaged by the smoothed line; none at the left end"));
  row->addWidget(smoothing_, 1);
  smoothing_text_ = make_label(QString(), "muted", bar);
  smoothing_text_->setMinimumWidth(fontMetrics().horizontalAdvance(tr("≈ %1 steps").arg(1000)));
  row->addWidget(smoothing_text_);
  row->addStretch(1);
  const auto tool = [&](Icon icon, const QString& text, const QString& tip) {
    auto* button = new QToolButton(bar);
    button->setText(text);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setToolTip(tip);
    button->setAccessibleName(text);
    bind_icon(button, icon, theme_);
    row->addWidget(button);
    return button;
  };
  const auto toggle = [&](Icon icon, const QString& text, const QString& tip, auto apply) {
    QToolButton* button = tool(icon, text, tip);
    button->setCheckable(true);
    connect(button, &QToolButton::toggled, this, [this, apply](bool on) {
      for (const RunPlot which : {RunPlot::loss, RunPlot::grad_norm, RunPlot::update_ratio}) {
        (plot(which)->*apply)(on);
      }
    });
  };
  toggle(Icon::log_scale, tr("Log y"),
         tr("Logarithmic axis for loss, gradient norm and update / weight"),
         &PlotWidget::set_log_y);
  toggle(Icon::clip, tr("Ignore outliers"),
         tr("Fit the axis to most values; outliers run off the plot"),
         &PlotWidget::set_clip_outliers);
  QToolButton* fit =
      tool(Icon::fit, tr("Whole run"), tr("Show the whole run and follow it (double click)"));
  connect(fit, &QToolButton::clicked, this, [this] {
    for (PlotWidget* plot : plots_) {
      plot->reset_view();
    }
  });
  QToolButton* choose = tool(Icon::chevron_down, tr("Plots"), tr("Choose which plots are shown"));
  choose->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(choose);
  menu->setToolTipsVisible(true);
  for (std::size_t i = 0; i < kRunPlots; ++i) {
    QAction* action = menu->addAction(tr(kKinds[i].title));
    action->setCheckable(true);
    action->setChecked(wanted_[i]);
    action->setToolTip(wrapped_tip(tr(kKinds[i].tip)));
    choices_[i] = action;
    connect(action, &QAction::toggled, this,
            [this, i](bool on) { set_shown(static_cast<RunPlot>(i), on); });
  }
  menu->addSeparator();
  QAction* timed = menu->addAction(tr("Training time instead of steps"));
  timed->setCheckable(true);
  timed->setToolTip(tr("The axis counts the time that the steps took; pauses are left out"));
  connect(timed, &QAction::toggled, link_, &PlotLink::set_by_time);
  connect(link_, &PlotLink::axis_changed, this, [this, timed] {
    timed->setChecked(link_->by_time());
    settings_->set_plots_by_time(link_->by_time());
    on_frame();
  });
  timed->setChecked(settings_->plots_by_time());
  choose->setMenu(menu);
  return bar;
}

bool PlotsPanel::is_shown(RunPlot which) const {
  return !plot(which)->isHidden();
}

void PlotsPanel::set_shown(RunPlot which, bool on) {
  const auto at = static_cast<std::size_t>(which);
  wanted_[at] = on;
  choices_[at]->setChecked(on);
  QStringList hidden;
  for (std::size_t i = 0; i < kRunPlots; ++i) {
    if (!wanted_[i]) {
      hidden << QLatin1String(kKinds[i].key);
    }
  }
  settings_->set_hidden_plots(hidden);
  update_shown();
}

/// Only FP16 has a loss scale: without one its plot would be a line at 1.
bool PlotsPanel::has_loss_scale() const {
  const auto values = data_->loss_scale.values();
  return !values.empty() && (values.front() != 1 || values.back() != 1);
}

void PlotsPanel::update_shown() {
  scale_seen_ = has_loss_scale();
  const auto scale = static_cast<std::size_t>(RunPlot::loss_scale);
  for (std::size_t i = 0; i < kRunPlots; ++i) {
    plots_[i]->setVisible(wanted_[i] && (i != scale || scale_seen_));
  }
  choices_[scale]->setEnabled(scale_seen_);
  markers_seen_ = 0;
  update_step_labels();
}

void PlotsPanel::update_step_labels() {
  bool lowest = true;
  for (std::size_t i = kRunPlots; i-- > 0;) {
    const bool shown = !plots_[i]->isHidden();
    plots_[i]->set_step_labels(shown && lowest);
    lowest = lowest && !shown;
  }
}

void PlotsPanel::set_smoothing(int position) {
  const double beta = beta_of(position);
  settings_->set_smoothing(beta);
  for (SmoothedSeries* s :
       {&data_->loss_smooth, &data_->grad_smooth, &data_->update_smooth, &data_->lost_smooth}) {
    s->set_beta(beta);
  }
  emit smoothing_changed(beta);
  smoothing_text_->setText(beta <= 0 ? tr("Off")
                                     : tr("≈ %1 steps").arg(std::lround(1 / (1 - beta))));
  for (PlotWidget* plot : plots_) {
    plot->update();
  }
}

void PlotsPanel::offer_export(PlotWidget* plot) {
  connect(plot, &PlotWidget::export_requested, this, [this, plot](PlotFormat format) {
    const QString filter = format == PlotFormat::png   ? tr("Images (*.png)")
                           : format == PlotFormat::svg ? tr("Drawings (*.svg)")
                                                       : tr("Tables (*.csv)");
    const QString suffix = plot_suffix(format);
    const PathChooser choose = save_chooser(tr("Save %1").arg(plot->title()), filter, suffix);
    QString name = plot->title();
    name.replace(QStringLiteral(" / "), QStringLiteral(" per ")).remove(QStringLiteral(", %"));
    choose(this, QDir(settings_->last_folder()).filePath(name + suffix),
           [this, plot, format](const QString& file) {
             try {
               export_plot(*plot, format, file);
             } catch (const Error& e) {
               emit export_failed(error_text(message_of(e)));
             }
           });
  });
}

void PlotsPanel::begin() {
  link_->reset();
  link_->set_data_range(0, 0);
  make_series();
  on_frame();
}

void PlotsPanel::on_frame() {
  if (data_->has_steps()) {
    std::int64_t last = data_->loss.steps().back();
    for (const PlotMarker& marker : data_->markers()) {
      last = std::max(last, marker.step);  // the step that ended the run has no values
    }
    if (link_->by_time()) {
      link_->set_time_range(data_->clock.end_of(last), data_->clock.seconds_per_step());
    } else {
      link_->set_data_range(data_->loss.steps().front(), last);
    }
  }
  if (data_->trained_parts() != rates_seen_ || validation_seen_ == data_->validation.empty()) {
    make_series();
  }
  if (scale_seen_ != has_loss_scale()) {
    update_shown();
  }
  if (markers_seen_ != data_->markers_version()) {
    markers_seen_ = data_->markers_version();
    std::vector<PlotMarker> of_scale, of_loss;
    for (const PlotMarker& m : data_->markers()) {
      const bool skip = m.kind == PlotMarker::Kind::skipped || m.kind == PlotMarker::Kind::overflow;
      (skip && is_shown(RunPlot::loss_scale) ? of_scale : of_loss).push_back(m);
    }
    plot(RunPlot::loss)->set_markers(std::move(of_loss));
    plot(RunPlot::loss_scale)->set_markers(std::move(of_scale));
  }
  for (PlotWidget* plot : plots_) {
    plot->refresh();
  }
}

}  // namespace mantissa::gui
