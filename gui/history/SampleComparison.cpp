#include "gui/history/SampleComparison.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>
#include <set>
#include <utility>

#include "gui/base/Text.h"
#include "gui/base/Theme.h"
#include "gui/samples/ImagePane.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {

SampleComparison::SampleComparison(QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::small);
  column->addLayout(build_choices());
  auto* area = new QWidget(this);
  panes_ = new QHBoxLayout(area);
  panes_->setContentsMargins(0, 0, 0, 0);
  panes_->setSpacing(Space::medium);
  column->addWidget(area, 1);
  connect(prompt_, &QComboBox::currentIndexChanged, this, &SampleComparison::update_panes);
  connect(step_, &QSlider::valueChanged, this, &SampleComparison::update_panes);
}

QLayout* SampleComparison::build_choices() {
  auto* row = new QHBoxLayout;
  row->setSpacing(Space::small);
  row->addWidget(make_label(tr("Prompt"), "muted", this));
  prompt_ = new NoWheelCombo(this);
  prompt_->setAccessibleName(tr("Prompt of the samples"));
  prompt_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  prompt_->setMinimumContentsLength(12);
  prompt_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  row->addWidget(prompt_, 1);
  row->addSpacing(Space::small);
  row->addWidget(make_label(tr("Step"), "muted", this));
  step_ = new QSlider(Qt::Horizontal, this);
  step_->setAccessibleName(tr("Step of the samples"));
  step_->setFixedWidth(180);
  row->addWidget(step_);
  step_text_ = make_label(QString(), "", this);
  step_text_->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("0,000,000")));
  row->addWidget(step_text_);
  return row;
}

void SampleComparison::show_runs(std::vector<Run> runs) {
  runs_ = std::move(runs);
  fill_choices();
  update_panes();
}

void SampleComparison::fill_choices() {
  QStringList prompts;
  std::set<std::int64_t> steps;
  for (const Run& run : runs_) {
    for (const SampleRow& s : run.samples) {
      const QString prompt = to_qstring(s.prompt);
      if (!prompts.contains(prompt)) {
        prompts << prompt;
      }
      steps.insert(s.step);
    }
  }
  const QString before = prompt_->currentData().toString();
  const bool at_end = step_->value() == step_->maximum();
  const QSignalBlocker quiet(prompt_), quiet_step(step_);
  prompt_->clear();
  for (const QString& prompt : prompts) {
    prompt_->addItem(shown(prompt), prompt);
  }
  prompt_->setCurrentIndex(std::max(0, prompt_->findData(before)));
  steps_.assign(steps.begin(), steps.end());
  step_->setRange(0, std::max(0, static_cast<int>(steps_.size()) - 1));
  if (at_end) {
    step_->setValue(step_->maximum());
  }
  step_->setEnabled(steps_.size() > 1);
  prompt_->setEnabled(prompts.size() > 1);
}

const SampleRow* SampleComparison::sample_of(const Run& run, const QString& prompt,
                                             std::int64_t step) {
  const SampleRow* found = nullptr;
  for (const SampleRow& s : run.samples) {
    if (to_qstring(s.prompt) == prompt && s.step <= step &&
        (found == nullptr || s.step >= found->step)) {
      found = &s;
    }
  }
  return found;
}

void SampleComparison::update_panes() {
  while (QLayoutItem* item = panes_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  const auto at = static_cast<std::size_t>(step_->value());
  const std::int64_t step = at < steps_.size() ? steps_[at] : 0;
  step_text_->setText(steps_.empty() ? QString() : step_text(step));
  for (const Run& run : runs_) {
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Space::tiny);
    auto* pane = new ImagePane(
        run.here ? tr("No sample of this prompt up to this step") : tr("Reading…"), box);
    const SampleRow* found = sample_of(run, prompt_->currentData().toString(), step);
    auto* caption = new ElideLabel(
        found == nullptr ? run.label : tr("%1 · step %2").arg(run.label, step_text(found->step)),
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
