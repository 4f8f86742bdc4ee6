#include "gui/dataset/CaptionerForm.h"

#include <QGridLayout>
#include <QLabel>

#include "engine/models/qwen3/qwen3_vl_file.h"
#include "gui/base/Text.h"
#include "gui/engine/AppSettings.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr std::int64_t kMostShown = 4096;

}  // namespace

CaptionerForm::CaptionerForm(AppSettings* settings, const Theme* theme, QWidget* parent)
    : QuestionForm(kMostShown,
                   tr("An image is shown to the model with no more pixels than a square of this "
                      "side has; fewer are faster"),
                   parent),
      settings_(settings) {
  model_ = new PathEdit(
      {tr("Qwen3-VL"), tr("Folder of a Qwen3-VL, or its weights in one .safetensors file"),
       folder_chooser(tr("Folder of a Qwen3-VL"))},
      theme, this);
  add(tr("Qwen3-VL"), model_, 0, 0);
  add_side(0, 2);
  auto* where = make_label(
      tr("Qwen's Qwen3-VL-2B, 4B and 8B-Instruct are read; their pages on Hugging Face state the "
         "Apache-2.0 licence. Get all files of one into a folder of its own; nothing is "
         "downloaded here. Without a card the larger ones are slow."),
      "muted", this);
  where->setWordWrap(true);
  grid()->addWidget(where, 1, 1, 1, 3);
  add_question(2, 3);
  const QVariantMap kept = settings_->captioner_options();
  const QuestionOptions usual;
  model_->set_path(kept.value(QStringLiteral("model")).toString());
  recall(kept, usual.prompt, usual.largest_side);
  connect(model_, &PathEdit::changed, this, &CaptionerForm::changed);
}

void CaptionerForm::remember() const {
  settings_->set_captioner_options(with_question({{QStringLiteral("model"), model_->path()}}));
}

QuestionOptions CaptionerForm::options() const {
  QuestionOptions options;
  fill(options);
  return options;
}

QString CaptionerForm::lack_of_model() const {
  if (model_->path().isEmpty()) {
    return tr("Choose the folder of a Qwen3-VL first");
  }
  return is_qwen3_vl(to_path(model_->path()))
             ? QString()
             : tr("This is no Qwen3-VL: choose its folder, with config.json, or its weights in one "
                  ".safetensors file");
}

}  // namespace mantissa::gui
