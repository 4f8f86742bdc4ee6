// DataPage: captions by a tagger or another model.
#include <QToolButton>

#include "engine/caption/caption_journal.h"
#include "engine/core/error.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/dataset/DataPage.h"
#include "gui/dataset/DatasetFilter.h"
#include "gui/dataset/DatasetModel.h"
#include "gui/dataset/TaggerDialog.h"
#include "gui/preset/PresetDocument.h"
#include "gui/run/JobPanel.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {

QToolButton* DataPage::build_tagger(QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setText(tr("Caption by a model…"));
  button->setAccessibleName(tr("Caption by a model"));
  button->setToolTip(
      tr("Captions for the images shown or selected, by a tagger, a Qwen3-VL or a model that "
         "another program serves (Ctrl+T)"));
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  bind_icon(button, Icon::tag, theme_);
  connect(button, &QToolButton::clicked, this, &DataPage::open_tagger);
  return button;
}

TaggerDialog* DataPage::tagger() const {
  return tagger_;
}

void DataPage::open_tagger() {
  if (model_->rowCount() == 0 || is_scanning() || mask_open()) {
    return;
  }
  show_view(images);
  save();
  filter_->finish();
  auto* dialog = new TaggerDialog(
      {model_, &book_, filter_->items(), selected_items()},
      {job_->first_device(), to_qstring(document_->preset().training.trigger_word)}, settings_,
      theme_, this);
  tagger_ = dialog;
  connect(dialog, &TaggerDialog::written, this, &DataPage::take_captions);
  connect(dialog, &TaggerDialog::undo_wanted, this, &DataPage::put_back_captions);
  // Its images are those of the scan before.
  connect(this, &DataPage::scanned, dialog, [dialog] { dialog->done(QDialog::Rejected); });
  dialog->open();
}

void DataPage::take_captions(int written) {
  filter_->refresh();
  show_notices();
  show_current();
  update_counts();
  if (written > 0) {
    emit news(tr("%n caption(s) written; Undo puts the old ones back.", nullptr, written));
  }
}

void DataPage::put_back_captions() {
  put_back({});
}

void DataPage::put_back(const std::filesystem::path& journal) {
  save();
  try {
    const std::optional<UndoneCaptions> undone =
        journal.empty() ? undo_captions() : undo_captions(journal);
    if (!undone) {
      emit problem(tr("No captions are left to put back."));
      return;
    }
    QStringList parts{tr("%n caption(s) put back", nullptr, static_cast<int>(undone->restored)),
                      tr("%n new one(s) removed", nullptr, static_cast<int>(undone->removed))};
    if (undone->changed > 0) {
      parts << tr("%n edited since and left", nullptr, static_cast<int>(undone->changed));
    }
    emit news(parts.join(QStringLiteral(" · ")));
  } catch (const std::exception& e) {
    emit problem(message_text(message_of(e)));
  }
  scan();
}

}  // namespace mantissa::gui
