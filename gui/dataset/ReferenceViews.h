#pragma once

#include <QWidget>
#include <cstddef>
#include <vector>

#include "engine/data/augmentation.h"
#include "gui/base/Theme.h"
#include "gui/dataset/ImageLoader.h"

class QHBoxLayout;

namespace mantissa::gui {

class CropView;

/// The references of an image side by side, each with what training uses of it. Hidden while there
/// are none.
class ReferenceViews : public QWidget {
  Q_OBJECT

 public:
  ReferenceViews(ImageLoader* loader, const Theme* theme, QWidget* parent = nullptr);
  /// Whole images with their crops; or versions, as encoded, if `encoded`.
  void show_references(const std::vector<ReferenceImage>& references,
                       const std::vector<ImageVersion>& versions, bool encoded);
  void clear() { show_references({}, {}, false); }
  /// Views of the references shown.
  std::vector<CropView*> views() const;

 private:
  ImageLoader* loader_;
  const Theme* theme_;
  QHBoxLayout* row_;
  std::vector<CropView*> views_;
  std::size_t shown_ = 0;
};

}  // namespace mantissa::gui
