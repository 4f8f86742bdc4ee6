#include "gui/dataset/QuestionForm.h"

#include <QGridLayout>
#include <QLabel>
#include <QPlainTextEdit>

#include "gui/base/Text.h"
#include "gui/base/Theme.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr std::int64_t kLeastSide = 64;

}  // namespace

QuestionForm::QuestionForm(std::int64_t most_side, const QString& side_tip, QWidget* parent)
    : QWidget(parent), most_side_(most_side), grid_(new QGridLayout(this)) {
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setHorizontalSpacing(Space::medium);
  grid_->setVerticalSpacing(Space::small);
  grid_->setColumnStretch(1, 1);
  side_ = new NoWheelSpin(kLeastSide, most_side, this);
  side_->setAccessibleName(tr("Largest side"));
  side_->setToolTip(side_tip);
  side_->setFixedWidth(90);
  prompt_ = new QPlainTextEdit(this);
  prompt_->setAccessibleName(tr("Question"));
  prompt_->setToolTip(tr("What the model is asked about each image"));
  prompt_->setTabChangesFocus(true);
  prompt_->setFixedHeight(3 * fontMetrics().lineSpacing() + 2 * Space::small);
  connect(prompt_, &QPlainTextEdit::textChanged, this, &QuestionForm::changed);
  connect(side_, &NoWheelSpin::edited, this, &QuestionForm::changed);
}

void QuestionForm::add(const QString& name, QWidget* field, int row, int column, int span) {
  auto* label = make_label(name, "muted", this);
  label->setBuddy(field);
  grid_->addWidget(label, row, column, Qt::AlignTop);
  grid_->addWidget(field, row, column + 1, 1, span);
}

void QuestionForm::add_side(int row, int column) {
  add(side_->accessibleName(), side_, row, column);
}

void QuestionForm::add_question(int row, int span) {
  add(prompt_->accessibleName(), prompt_, row, 0, span);
  grid_->setRowStretch(row + 1, 1);
}

void QuestionForm::recall(const QVariantMap& kept, const std::string& usual_prompt,
                          int usual_side) {
  prompt_->setPlainText(kept.value(QStringLiteral("prompt"), to_qstring(usual_prompt)).toString());
  side_->set_value(kept.value(QStringLiteral("side"), usual_side).toLongLong());
}

QVariantMap QuestionForm::with_question(QVariantMap others) const {
  others.insert(QStringLiteral("prompt"), prompt_->toPlainText());
  others.insert(QStringLiteral("side"), side());
  return others;
}

std::string QuestionForm::question() const {
  return prompt_->toPlainText().trimmed().toStdString();
}

int QuestionForm::side() const {
  return static_cast<int>(side_->value().value_or(0));
}

QString QuestionForm::lack() const {
  if (const QString model = lack_of_model(); !model.isEmpty()) {
    return model;
  }
  if (question().empty()) {
    return tr("Give a question first");
  }
  return side() >= kLeastSide && side() <= most_side_
             ? QString()
             : tr("The largest side is a number of pixels from %1 to %2")
                   .arg(kLeastSide)
                   .arg(most_side_);
}

}  // namespace mantissa::gui
