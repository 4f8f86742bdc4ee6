#include "gui/samples/FreePrompt.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSlider>
#include <utility>

#include "gui/base/Text.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kLeastSeed = 64;    // pixels: some digits
constexpr int kStrengthStep = 5;  // per cent
constexpr std::int64_t kMostSeed = 9007199254740991;

}  // namespace

FreePrompt::FreePrompt(const Theme* theme, QWidget* parent) : QWidget(parent) {
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(Space::small);
  grid->setVerticalSpacing(Space::tiny);
  int row = 0;
  const auto add = [&](const QString& name, QWidget* field, const QString& full, int span = 3) {
    auto* label = make_label(name, "muted", this);
    grid->addWidget(label, row, 0);
    grid->addWidget(field, row, 1, 1, span);
    label->setBuddy(field);
    field->setAccessibleName(full);
    ++row;
  };
  prompts_ = new QPlainTextEdit(this);
  prompts_->setTabChangesFocus(true);
  prompts_->setPlaceholderText(tr("One prompt a line"));
  prompts_->setFixedHeight(2 * fontMetrics().lineSpacing() + 14);
  add(tr("Prompts"), prompts_, tr("Prompts to render, one a line"));
  negative_ = new QLineEdit(this);
  add(tr("Negative"), negative_, tr("Negative prompt"));
  seed_ = new NoWheelSpin(0, kMostSeed, this);
  seed_->set_value(42);
  seed_->setMinimumWidth(kLeastSeed);
  add(tr("Seed"), seed_, tr("Seed of the starting noise"), 1);
  columns_ = new NoWheelCombo(this);
  columns_->addItem(tr("One adapter"));
  columns_->addItem(tr("Every checkpoint"));
  columns_->addItem(tr("Strengths 0 – %1").arg(percent_text(QString::number(kMostStrength))));
  columns_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  columns_->setAccessibleName(tr("What to compare"));
  columns_->setToolTip(tr("Several are compared in one image, a column each"));
  grid->addWidget(columns_, row - 1, 2, 1, 2);
  adapter_ = new NoWheelCombo(this);
  add(tr("Adapter"), adapter_, tr("Adapter of the run"));
  strength_ = new QSlider(Qt::Horizontal, this);
  strength_->setRange(0, kMostStrength / kStrengthStep);
  strength_->setValue(100 / kStrengthStep);
  add(tr("Strength"), strength_, tr("Strength of the adapter for these prompts"), 1);
  strength_text_ = make_label(QString(), "", this);
  strength_text_->setMinimumWidth(
      fontMetrics().horizontalAdvance(percent_text(QString::number(kMostStrength))));
  grid->addWidget(strength_text_, row - 1, 2);
  render_ = new QPushButton(this);
  bind_icon(render_, Icon::sample, theme);
  grid->addWidget(render_, row - 1, 3);
  refusal_ = make_label(QString(), "muted", this);
  refusal_->setWordWrap(true);
  grid->addWidget(refusal_, row, 0, 1, 4);
  grid->setColumnStretch(1, 1);

  connect(prompts_, &QPlainTextEdit::textChanged, this, &FreePrompt::refresh);
  connect(strength_, &QSlider::valueChanged, this, &FreePrompt::refresh);
  connect(columns_, &QComboBox::currentIndexChanged, this, &FreePrompt::refresh);
  connect(render_, &QPushButton::clicked, this, [this] {
    if (rendering_) {
      emit cancel_requested();
      return;
    }
    emit requested({lines(), negative_->text(), seed_->value().value_or(0),
                    0.01 * kStrengthStep * strength_->value(), adapter_->currentIndex(),
                    static_cast<Columns>(columns_->currentIndex())});
  });
  refresh();
}

QStringList FreePrompt::lines() const {
  QStringList lines;
  for (const QString& line : prompts_->toPlainText().split(QLatin1Char('\n'))) {
    if (!line.trimmed().isEmpty()) {
      lines << line.trimmed();
    }
  }
  return lines;
}

void FreePrompt::set_adapters(const QStringList& names) {
  QStringList now;
  for (int i = 0; i < adapter_->count(); ++i) {
    now << adapter_->itemText(i);
  }
  if (now != names) {
    adapter_->clear();
    adapter_->addItems(names);
    adapter_->setCurrentIndex(static_cast<int>(names.size()) - 1);
  }
  refresh();
}

void FreePrompt::set_refusal(const QString& reason) {
  refusal_text_ = reason;
  refresh();
}

void FreePrompt::set_rendering(bool on) {
  rendering_ = on;
  refresh();
}

void FreePrompt::refresh() {
  const auto columns = static_cast<Columns>(columns_->currentIndex());
  strength_text_->setText(percent_text(QString::number(kStrengthStep * strength_->value())));
  const QString why = !refusal_text_.isEmpty() ? refusal_text_
                      : lines().isEmpty()      ? tr("Write a prompt first.")
                                               : QString();
  adapter_->setEnabled(columns != Columns::checkpoints && adapter_->count() > 1);
  strength_->setEnabled(columns != Columns::strengths);
  render_->setEnabled(rendering_ || why.isEmpty());
  render_->setText(rendering_ ? tr("Cancel") : tr("Render"));
  render_->setAccessibleName(rendering_ ? tr("Cancel the rendering") : tr("Render these prompts"));
  refusal_->setText(why);
  refusal_->setVisible(!why.isEmpty());
}

}  // namespace mantissa::gui
