#include "gui/precision/RateTestView.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/precision/RatePlot.h"
#include "gui/preset/PresetDocument.h"
#include "gui/widgets/EmptyState.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/Parts.h"
#include "gui/widgets/SciSpin.h"

namespace mantissa::gui {
namespace {

constexpr int kFieldWidth = 84;

}  // namespace

RateTestView::RateTestView(PresetDocument* document, const Theme* theme, QWidget* parent)
    : DraftTestView(document,
                    {tr("Test learning rates"), tr("Cancel the range test"),
                     tr("Progress of the range test")},
                    parent) {
  column()->addWidget(build_bounds());
  add_verdict();
  use_ = new QPushButton(this);
  use_->setAccessibleName(tr("Use the suggested learning rate"));
  column()->addWidget(use_, 0, Qt::AlignLeft);
  stack_ = new QStackedWidget(this);
  auto* intro = new EmptyState(
      Icon::train,
      tr("Which learning rate suits this preset and these images?\n\nThe range test trains a short "
         "run whose learning rate grows with every step, and compares each loss with that of the "
         "same images and noise before training.\n\nYou get the curve of the loss over the rate, "
         "and a rate to start with: about a tenth of the one with the lowest loss. Nothing is "
         "written."),
      theme, stack_);
  add_intro(intro, tr("Test rates"));
  stack_->addWidget(intro);
  plot_ = new RatePlot(theme, stack_);
  stack_->addWidget(plot_);
  column()->addWidget(stack_, 1);

  connect(run_button(), &QPushButton::clicked, this, [this] {
    if (const auto chosen = options()) {
      emit run_requested(*chosen);
    }
  });
  connect(use_, &QPushButton::clicked, this, &RateTestView::use_suggestion);
  connect(from_, &SciSpin::edited, this, &RateTestView::update_state);
  connect(to_, &SciSpin::edited, this, &RateTestView::update_state);
  connect(steps_, &NoWheelSpin::edited, this, &RateTestView::update_state);
  update_state();
}

QWidget* RateTestView::build_bounds() {
  const RateTestOptions usual;
  bounds_ = new QWidget(this);
  auto* row = new QHBoxLayout(bounds_);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Space::small);
  from_ = add_rate(tr("From"), tr("Learning rate of the first step"), usual.from, bounds_);
  to_ = add_rate(tr("to"), tr("Learning rate of the last step"), usual.to, bounds_);
  row->addWidget(make_label(tr("Steps"), "muted", bounds_));
  steps_ = new NoWheelSpin(kLeastRateSteps, kMostRateSteps, bounds_);
  steps_->set_value(usual.steps);
  steps_->setAccessibleName(tr("Steps of the range test"));
  steps_->setToolTip(tr("More steps make the curve smoother, and take longer"));
  steps_->setFixedWidth(kFieldWidth);
  row->addWidget(steps_);
  row->addStretch();
  return bounds_;
}

SciSpin* RateTestView::add_rate(const QString& label, const QString& name, double value,
                                QWidget* bar) {
  bar->layout()->addWidget(make_label(label, "muted", bar));
  auto* spin = new SciSpin(1e-12, 10, bar);
  spin->set_value(value);
  spin->setAccessibleName(name);
  spin->setToolTip(name);
  spin->setFixedWidth(kFieldWidth);
  bar->layout()->addWidget(spin);
  return spin;
}

std::optional<RateTestOptions> RateTestView::options() const {
  const auto from = from_->value(), to = to_->value();
  const auto steps = steps_->value();
  const bool valid = from && to && steps && *from > 0 && *from < *to && *steps >= kLeastRateSteps &&
                     *steps <= kMostRateSteps;
  return valid ? std::optional(RateTestOptions{*steps, *from, *to}) : std::nullopt;
}

void RateTestView::use_suggestion() {
  document_->apply_patch(test_->fix_json, tr("learning rate of the range test"));
}

void RateTestView::show_test(const RateTest& test, const Preset& preset) {
  test_ = test;
  tested_ = preset;
  plot_->show_test(test);
  tell(plain_text(test.verdict), test.suggestion ? QString() : QStringLiteral("warning"));
  update_state();
}

void RateTestView::show_problem(const QString& message) {
  test_.reset();
  tell(message, QStringLiteral("error"));
  update_state();
}

QString RateTestView::refusal() const {
  if (const Message problem = rate_test_problem(document_->preset()); !problem.empty()) {
    return plain_text(problem);
  }
  if (!refusal_.isEmpty()) {
    return refusal_;
  }
  return options() ? QString()
                   : tr("The first learning rate must be above 0 and below the last, and the steps "
                        "from %1 to %2.")
                         .arg(kLeastRateSteps)
                         .arg(kMostRateSteps);
}

void RateTestView::update_state() {
  const Preset& preset = document_->preset();
  const double rate = preset.optimizer.learning_rate;
  const QString why = refusal();
  plot_->set_current(rate);
  bounds_->setEnabled(!running_);
  stack_->setCurrentIndex(test_ && test_->points.size() > 1 ? 1 : 0);
  const bool suggests = test_ && test_->suggestion && *test_->suggestion != rate;
  use_->setVisible(suggests);
  if (suggests) {
    use_->setText(tr("Use %1").arg(format_exact(*test_->suggestion)));
    use_->setAccessibleName(tr("Use the learning rate %1").arg(format_exact(*test_->suggestion)));
  }
  // Another rate, as the suggested one, changes nothing of what was tested.
  const bool outdated = test_ && !(with_learning_rate(tested_, rate) == preset);
  show_common(test_ ? tr("Test again") : tr("Test rates"), why,
              outdated ? tr("The preset has changed since this test.") : QString());
}

}  // namespace mantissa::gui
