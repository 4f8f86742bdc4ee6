// DataPage: masks. Painted over the crop, shown in the images' view, removed into the trash.
#include <QHBoxLayout>
#include <QListView>
#include <QStackedWidget>
#include <QToolButton>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/data/masks.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/dataset/BucketView.h"
#include "gui/dataset/DataPage.h"
#include "gui/dataset/DatasetFilter.h"
#include "gui/dataset/DatasetModel.h"
#include "gui/dataset/ImageTrash.h"
#include "gui/dataset/MaskEditor.h"
#include "gui/preset/PresetDocument.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {

/// The image's name, with the buttons of its mask.
QWidget* DataPage::build_image_head(QWidget* parent) {
  auto* head = new QWidget(parent);
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Space::tiny);
  name_ = new ElideLabel(QString(), head);
  row->addWidget(name_, 1);
  edit_mask_ = new QToolButton(head);
  edit_mask_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  edit_mask_->setToolTip(tr("Paint which parts of the image the loss counts (Ctrl+M)"));
  bind_icon(edit_mask_, Icon::mask, theme_);
  connect(edit_mask_, &QToolButton::clicked, this, &DataPage::edit_mask);
  row->addWidget(edit_mask_);
  remove_mask_ = new QToolButton(head);
  remove_mask_->setToolTip(tr("Move the image's mask to the trash: all of it counts then"));
  remove_mask_->setAccessibleName(tr("Remove mask"));
  bind_icon(remove_mask_, Icon::remove, theme_);
  connect(remove_mask_, &QToolButton::clicked, this, [this] {
    if (const ImageItem* item = model_->at(current_item())) {
      remove_mask(item->path);
    }
  });
  row->addWidget(remove_mask_);
  return head;
}

void DataPage::build_mask_editor() {
  mask_editor_ = new MaskEditor(&loader_, theme_, views_);
  views_->addWidget(mask_editor_);
  connect(mask_editor_, &MaskEditor::problem, this, &DataPage::problem);
  connect(mask_editor_, &MaskEditor::saved, this, &DataPage::take_mask);
  connect(mask_editor_, &MaskEditor::emptied, this, &DataPage::remove_mask);
  connect(mask_editor_, &MaskEditor::hint_followed, this, [this] {
    document_->edit("data.masks", "files");
    hint_at_masks();
  });
  connect(mask_editor_, &MaskEditor::closed, this, [this] {
    if (views_->currentWidget() == mask_editor_) {
      show_view(images);
      list_->setFocus();
    }
    emit undo_stack_changed();
    if (stale_) {
      later_.start();
    }
  });
}

int DataPage::current_item() const {
  return filter_->mapToSource(list_->currentIndex()).row();
}

void DataPage::show_mask_tools() {
  const ImageItem* item = model_->at(current_item());
  const bool masked = item != nullptr && !item->mask.empty();
  edit_mask_->setText(masked ? tr("Edit mask") : tr("Paint mask"));
  edit_mask_->setAccessibleName(edit_mask_->text());
  edit_mask_->setEnabled(item != nullptr);
  remove_mask_->setVisible(masked);
  crop_->show_mask(masked ? path_text(item->mask) : QString());
}

QString DataPage::mask_text(int item) const {
  const std::filesystem::path& mask = model_->at(item)->mask;
  if (mask.empty()) {
    return {};
  }
  const QString name = shown(to_qstring(path_to_utf8(mask.filename())));
  return document_->preset().data.masks == MaskMode::files
             ? tr("Has a mask: %1").arg(name)
             : tr("Has a mask that this preset doesn't use: %1").arg(name);
}

void DataPage::hint_at_masks() {
  const bool used = document_->preset().data.masks == MaskMode::files;
  mask_editor_->set_hint(used ? QString() : tr("This preset uses no mask files."),
                         used ? QString() : tr("Use mask files"));
}

bool DataPage::mask_open() const {
  return mask_editor_->is_open();
}

void DataPage::edit_mask() {
  if (mask_open()) {  // the key that opened it: as every way out but Cancel, it saves
    mask_editor_->finish();
    return;
  }
  const int item = current_item();
  if (model_->at(item) == nullptr || is_scanning()) {
    return;
  }
  if (!book_.is_writable(item)) {
    emit problem(tr("The demo's images come with Mantissa and stay where they are."));
    return;
  }
  try {
    mask_editor_->open(*model_->at(item), model_->placement(item));
  } catch (const Error& e) {
    emit problem(message_text(message_of(e)));
    return;
  }
  hint_at_masks();
  views_->setCurrentWidget(mask_editor_);
  mask_editor_->setFocus();
  emit undo_stack_changed();
}

QUndoStack* DataPage::undo_stack() {
  return mask_editor_->is_open() ? mask_editor_->undo_stack() : book_.undo_stack();
}

/// The images whose mask it is: those beside it with one name.
void DataPage::take_mask(const std::filesystem::path& image, const std::filesystem::path& mask) {
  const std::filesystem::path before = model_->set_mask(image, mask);
  loader_.forget(path_text(mask));
  if (!before.empty() && before != mask) {
    trash_->move_files({path_text(before)});
  }
  try {
    if (const Message notice = mask_notice(mask, load_image(mask)); !notice.empty()) {
      emit problem(plain_text(notice));
    }
  } catch (const Error& e) {
    emit problem(message_text(message_of(e)));
  }
  emit masks_changed();
  show_current();
}

void DataPage::remove_mask(const std::filesystem::path& image) {
  const int item = model_->item_of(image);
  if (item < 0) {
    return;
  }
  if (!book_.is_writable(item)) {
    emit problem(tr("The demo's images come with Mantissa and stay where they are."));
    return;
  }
  const QString mask = path_text(model_->at(item)->mask);
  if (!trash_->move_files({mask})) {
    return;
  }
  model_->set_mask(image, {});
  loader_.forget(mask);
  emit masks_changed();
  show_current();
  const QString text = tr("The mask was moved to the trash.");
  if (trash_->can_restore()) {
    emit trashed(text);
  } else {
    emit news(text);
  }
}

}  // namespace mantissa::gui
