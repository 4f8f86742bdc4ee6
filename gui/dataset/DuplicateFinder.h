#pragma once

#include <QObject>
#include <QThreadPool>
#include <atomic>
#include <memory>
#include <vector>

#include "engine/core/message.h"
#include "engine/data/duplicates.h"

namespace mantissa::gui {

/// Compares images on a separate thread.
class DuplicateFinder : public QObject {
  Q_OBJECT

 public:
  explicit DuplicateFinder(QObject* parent = nullptr);
  ~DuplicateFinder() override;

  /// Cancels a comparison in progress.
  void start(std::vector<ImageItem> items);
  /// No signal of it follows.
  void cancel();
  bool is_busy() const { return busy_; }

 signals:
  void changed();  ///< started or ended
  void progressed(qint64 done, qint64 total);
  void found(const std::vector<mantissa::DuplicateGroup>& groups);
  void failed(const mantissa::Message& message);

 private:
  void end();

  bool busy_ = false;
  std::shared_ptr<std::atomic<bool>> cancelled_;
  // Last: its task ends before anything it uses is destroyed.
  QThreadPool pool_;
};

}  // namespace mantissa::gui
