#include "gui/dataset/ReferenceViews.h"

#include <QHBoxLayout>

#include "engine/core/paths.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/dataset/BucketView.h"

namespace mantissa::gui {

ReferenceViews::ReferenceViews(ImageLoader* loader, const Theme* theme, QWidget* parent)
    : QWidget(parent), loader_(loader), theme_(theme), row_(new QHBoxLayout(this)) {
  row_->setContentsMargins(0, 0, 0, 0);
  row_->setSpacing(Space::small);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  hide();
}

void ReferenceViews::show_references(const std::vector<ReferenceImage>& references,
                                     const std::vector<ImageVersion>& versions, bool encoded) {
  shown_ = versions.size();
  while (views_.size() < shown_) {
    views_.push_back(new CropView(loader_, theme_, this));
    row_->addWidget(views_.back());
  }
  for (std::size_t i = 0; i < views_.size(); ++i) {
    views_[i]->setVisible(i < shown_);
    if (i >= shown_) {
      views_[i]->clear();
      continue;
    }
    const QString path = path_text(references[i].path);
    views_[i]->setAccessibleName(tr("Reference %1").arg(i + 1));
    views_[i]->setToolTip(shown(to_qstring(path_to_utf8(references[i].path.filename()))));
    if (encoded) {
      views_[i]->show_version(path, versions[i]);
    } else {
      views_[i]->show_image(path, versions[i].placement);
    }
  }
  setVisible(shown_ > 0);
}

std::vector<CropView*> ReferenceViews::views() const {
  return {views_.begin(), views_.begin() + static_cast<std::ptrdiff_t>(shown_)};
}

}  // namespace mantissa::gui
