#pragma once

#include <vector>

#include "engine/data/duplicates.h"
#include "gui/engine/ThreadTask.h"

namespace mantissa::gui {

/// Compares images.
class DuplicateFinder : public ThreadTask {
  Q_OBJECT

 public:
  using ThreadTask::ThreadTask;

  /// Cancels a comparison in progress.
  void start(std::vector<ImageItem> items);

 signals:
  void found(const std::vector<mantissa::DuplicateGroup>& groups);
};

}  // namespace mantissa::gui
