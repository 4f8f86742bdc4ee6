#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <vector>

#include "engine/preflight/dataset_check.h"
#include "engine/run/run.h"
#include "gui/dataset/CaptionBook.h"
#include "gui/dataset/Tags.h"
#include "gui/engine/ThreadTask.h"

namespace mantissa::gui {

/// All that the page shows of its images, prepared away from the window's thread.
struct ScannedImages {
  explicit ScannedImages(DatasetCheck images);

  DatasetCheck check;
  std::vector<CaptionBook::Entry> captions;
  TagCounts tags;     ///< of the captions
  QStringList names;  ///< of the images, as they are shown
  int exact_copies = 0;
  std::map<std::filesystem::path, int> noticed;  ///< items that findings name
};

/// Scans a job's image folders.
class DatasetScan : public ThreadTask {
  Q_OBJECT

 public:
  using ThreadTask::ThreadTask;

  /// Cancels a scan in progress.
  void start(const JobSpec& job);

 signals:
  /// The receiver may take it.
  void scanned(const std::shared_ptr<mantissa::gui::ScannedImages>& images);
};

}  // namespace mantissa::gui
