#include "gui/precision/StartEstimate.h"

#include <QLabel>
#include <QProgressBar>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <utility>

#include "gui/base/Text.h"
#include "gui/plot/Axis.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {

StartEstimate::StartEstimate(QVBoxLayout* column, QWidget* card) : QObject(card) {
  memory_ = add_line("", column, card);
  bar_ = new QProgressBar(card);
  bar_->setTextVisible(false);
  bar_->setRange(0, 1000);
  bar_->setAccessibleName(tr("Memory needed and available"));
  column->addWidget(bar_);
  parts_ = add_line("muted", column, card);
  time_ = add_line("muted", column, card);
  start_ = add_line("muted", column, card);
  // With room for what they say at most, so that nothing below them moves.
  for (const auto& [label, lines] :
       {std::pair{memory_, 2}, std::pair{parts_, 2}, std::pair{start_, 4}}) {
    label->setMinimumHeight(lines * label->fontMetrics().lineSpacing());
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  }
  for (QWidget* widget : std::initializer_list<QWidget*>{memory_, bar_, parts_, time_, start_}) {
    keep_room(widget);
  }
  hide();
}

QLabel* StartEstimate::add_line(const char* role, QVBoxLayout* column, QWidget* card) {
  QLabel* line = make_label(QString(), role, card);
  line->setWordWrap(true);
  column->addWidget(line);
  return line;
}

void StartEstimate::hide() {
  for (QWidget* widget : std::initializer_list<QWidget*>{memory_, bar_, parts_, time_, start_}) {
    widget->hide();
  }
}

void StartEstimate::set_outdated() {
  set_property(memory_, "role", QStringLiteral("muted"));
}

void StartEstimate::show_problem(const QString& message) {
  for (QWidget* widget : std::initializer_list<QWidget*>{bar_, parts_, time_, start_}) {
    widget->hide();
  }
  memory_->show();
  memory_->setText(message);
  set_property(memory_, "role", QStringLiteral("muted"));
}

void StartEstimate::show_plan(const PlanReport& report) {
  memory_->show();
  parts_->show();
  show_memory(report);
  parts_->setText(tr("Weights %1 · activations %2 · adapter and optimizer %3")
                      .arg(format_bytes(report.weight_bytes), format_bytes(report.arena_bytes),
                           format_bytes(report.adapter_bytes)));
  const QString step = format_step_time(report.step_seconds);
  time_->setText(report.length.steps > 0 ? tr("About %1 a step, %2 for all steps (estimated)")
                                               .arg(step, format_duration(report.run_seconds()))
                                         : tr("About %1 a step (estimated)").arg(step));
  time_->setVisible(report.step_seconds > 0);
  start_->setText(start_lines(report).join(QLatin1Char('\n')));
  start_->setVisible(!start_->text().isEmpty());
}

void StartEstimate::show_memory(const PlanReport& report) {
  set_property(memory_, "role", QString());
  const QString need = format_bytes(report.peak_bytes);
  const bool over = !report.fits();
  if (report.free_bytes > 0) {
    memory_->setText(over ? tr("Needs %1, and %2 are available: %3 too much")
                                .arg(need, format_bytes(report.free_bytes),
                                     format_bytes(report.peak_bytes - report.free_bytes))
                          : tr("Needs %1 of %2 available, all before the first step")
                                .arg(need, format_bytes(report.free_bytes)));
    const double share =
        static_cast<double>(report.peak_bytes) / static_cast<double>(report.free_bytes);
    bar_->setValue(static_cast<int>(std::clamp(share, 0.0, 1.0) * 1000));
    set_property(bar_, "level",
                 share > 1     ? QStringLiteral("error")
                 : share > 0.9 ? QStringLiteral("warning")
                               : QStringLiteral("ok"));
    set_property(memory_, "role", over ? QStringLiteral("error") : QString());
    bar_->show();
  } else {
    memory_->setText(tr("Needs %1").arg(need));
    bar_->hide();
  }
}

QString StartEstimate::start_text() const {
  return start_->text();
}

QStringList StartEstimate::start_lines(const PlanReport& report) {
  QStringList lines;
  const std::int64_t steps = report.length.steps;
  const double epochs = report.length.epochs_after(steps);
  if (steps > 0) {
    lines << (report.data && epochs > 0 ? tr("%1 steps, %2 epochs of %3 images")
                                              .arg(step_text(steps), format_number(epochs, 3),
                                                   step_text(report.data->images))
                                        : tr("%1 steps").arg(step_text(steps)));
  }
  constexpr std::uint64_t kGiB = 1ULL << 30, kTaken = kGiB;  // by a desktop and the driver
  constexpr int kCards[] = {8, 12, 16, 24};
  const auto* card = std::ranges::find_if(kCards, [&](int gigabytes) {
    return report.peak_bytes + kTaken <= static_cast<std::uint64_t>(gigabytes) * kGiB;
  });
  lines << (card != std::end(kCards) ? tr("Fits cards with %1 GB or more").arg(*card)
                                     : tr("Needs a card with more than %1 GB").arg(kCards[3]));
  if (report.disk.needed_bytes > 0) {
    const QString kept = format_bytes(report.disk.needed_bytes);
    lines << (report.cache.needed_bytes > 0
                  ? tr("Disk: %1 for checkpoints and the result, %2 for encoded images")
                        .arg(kept, format_bytes(report.cache.needed_bytes))
                  : tr("Disk: %1 for checkpoints and the result").arg(kept));
  }
  return lines;
}

}  // namespace mantissa::gui
