#include "gui/dataset/CaptionerForm.h"

#include <QGridLayout>
#include <QLabel>
#include <QPlainTextEdit>

#include "engine/models/qwen3/qwen3_vl_file.h"
#include "gui/base/Text.h"
#include "gui/engine/AppSettings.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr std::int64_t kLeastShown = 64, kMostShown = 4096;

}  // namespace

CaptionerForm::CaptionerForm(AppSettings* settings, const Theme* theme, QWidget* parent)
    : QWidget(parent), settings_(settings) {
  model_ = new PathEdit(
      {tr("Qwen3-VL"), tr("Folder of a Qwen3-VL, or its weights in one .safetensors file"),
       folder_chooser(tr("Folder of a Qwen3-VL"))},
      theme, this);
  side_ = new NoWheelSpin(kLeastShown, kMostShown, this);
  side_->setAccessibleName(tr("Largest side"));
  side_->setToolTip(
      tr("An image is shown to the model with no more pixels than a square of this side has; "
         "fewer are faster"));
  side_->setFixedWidth(90);
  prompt_ = new QPlainTextEdit(this);
  prompt_->setAccessibleName(tr("Question"));
  prompt_->setToolTip(tr("What the model is asked about each image"));
  prompt_->setTabChangesFocus(true);
  prompt_->setFixedHeight(3 * fontMetrics().lineSpacing() + 2 * Space::small);
  lay_out();
  recall();
  connect(model_, &PathEdit::changed, this, &CaptionerForm::changed);
  connect(prompt_, &QPlainTextEdit::textChanged, this, &CaptionerForm::changed);
  connect(side_, &NoWheelSpin::edited, this, &CaptionerForm::changed);
}

void CaptionerForm::lay_out() {
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(Space::medium);
  grid->setVerticalSpacing(Space::small);
  const auto add = [&](const QString& name, QWidget* field, int row, int at, int span = 1) {
    auto* label = make_label(name, "muted", this);
    label->setBuddy(field);
    grid->addWidget(label, row, at, Qt::AlignTop);
    grid->addWidget(field, row, at + 1, 1, span);
  };
  add(tr("Qwen3-VL"), model_, 0, 0);
  add(tr("Largest side"), side_, 0, 2);
  auto* where = make_label(
      tr("Qwen's Qwen3-VL-2B, 4B and 8B-Instruct are read; their pages on Hugging Face state the "
         "Apache-2.0 licence. Get all files of one into a folder of its own; nothing is "
         "downloaded here. Without a card the larger ones are slow."),
      "muted", this);
  where->setWordWrap(true);
  grid->addWidget(where, 1, 1, 1, 3);
  add(tr("Question"), prompt_, 2, 0, 3);
  grid->setColumnStretch(1, 1);
  grid->setRowStretch(3, 1);
}

void CaptionerForm::recall() {
  const QuestionOptions usual;
  const QVariantMap kept = settings_->captioner_options();
  model_->set_path(kept.value(QStringLiteral("model")).toString());
  prompt_->setPlainText(kept.value(QStringLiteral("prompt"), to_qstring(usual.prompt)).toString());
  side_->set_value(kept.value(QStringLiteral("side"), usual.largest_side).toLongLong());
}

void CaptionerForm::remember() const {
  settings_->set_captioner_options({{QStringLiteral("model"), model_->path()},
                                    {QStringLiteral("prompt"), prompt_->toPlainText()},
                                    {QStringLiteral("side"), options().largest_side}});
}

QuestionOptions CaptionerForm::options() const {
  QuestionOptions options;
  options.prompt = prompt_->toPlainText().trimmed().toStdString();
  options.largest_side = static_cast<int>(side_->value().value_or(options.largest_side));
  return options;
}

QString CaptionerForm::lack() const {
  if (model_->path().isEmpty()) {
    return tr("Choose the folder of a Qwen3-VL first");
  }
  if (!is_qwen3_vl(to_path(model_->path()))) {
    return tr(
        "This is no Qwen3-VL: choose its folder, with config.json, or its weights in one "
        ".safetensors file");
  }
  if (prompt_->toPlainText().trimmed().isEmpty()) {
    return tr("Give a question first");
  }
  const std::optional<std::int64_t> side = side_->value();
  return side && *side >= kLeastShown && *side <= kMostShown
             ? QString()
             : tr("The largest side is a number of pixels from 64 to 4096");
}

}  // namespace mantissa::gui
