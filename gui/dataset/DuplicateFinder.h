#pragma once

#include <vector>

#include "engine/data/duplicates.h"
#include "gui/dataset/ImageTask.h"

namespace mantissa::gui {

/// Compares images.
class DuplicateFinder : public ImageTask {
  Q_OBJECT

 public:
  using ImageTask::ImageTask;

  /// Cancels a comparison in progress.
  void start(std::vector<ImageItem> items);

 signals:
  void found(const std::vector<mantissa::DuplicateGroup>& groups);
};

}  // namespace mantissa::gui
