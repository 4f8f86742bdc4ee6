// DataPage: images that stood out in a run.
#include <QToolButton>

#include "gui/dataset/DataPage.h"
#include "gui/dataset/DatasetFilter.h"
#include "gui/dataset/DatasetModel.h"

namespace mantissa::gui {

void DataPage::find_run_images() {
  outstanding_->hide();
  if (!find_run_images_) {
    return;
  }
  std::set<std::string> names;
  for (const ImageItem& item : model_->check().data.items) {
    names.insert(item.name);
  }
  find_run_images_(names, this, [this](const RunImages& found) {
    model_->set_run_images(found);
    const int count = model_->outstanding();
    const QString text = tr("%n stood out", nullptr, count);
    outstanding_->setText(text);
    outstanding_->setAccessibleName(text);
    outstanding_->setToolTip(tr("Images that stood out in the run %1: never learned, unlike the "
                                "others, or with a caption that may not fit")
                                 .arg(found.run));
    outstanding_->setVisible(count > 0);
    show_current();
  });
}

void DataPage::show_outstanding() {
  show_all();
  filter_->set_outstanding(true);
  show_only(tr("Only those that stood out"));
}

}  // namespace mantissa::gui
