#pragma once

#include <memory>

#include "engine/train/dataset_check.h"
#include "engine/train/run.h"
#include "gui/dataset/ImageTask.h"

namespace mantissa::gui {

/// Scans a job's image folders.
class DatasetScan : public ImageTask {
  Q_OBJECT

 public:
  using ImageTask::ImageTask;

  /// Cancels a scan in progress.
  void start(const JobSpec& job);

 signals:
  /// The receiver may take it.
  void scanned(const std::shared_ptr<mantissa::DatasetCheck>& check);
};

}  // namespace mantissa::gui
