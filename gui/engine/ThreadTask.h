#pragma once

#include <QObject>
#include <QThreadPool>
#include <atomic>
#include <functional>
#include <memory>

#include "engine/core/message.h"
#include "engine/core/progress.h"

namespace mantissa::gui {

/// Long work on a thread of its own, one at a time.
class ThreadTask : public QObject {
  Q_OBJECT

 public:
  explicit ThreadTask(QObject* parent = nullptr);
  ~ThreadTask() override;

  /// No signal of the work follows.
  void cancel();
  bool is_busy() const { return busy_; }

 signals:
  void changed();  ///< started or ended
  void progressed(qint64 done, qint64 total);
  void failed(const mantissa::Message& message);

 protected:
  /// Runs on the thread and returns what is done on this one afterwards. Its progress ends it by an
  /// exception once it is cancelled.
  using Work = std::function<std::function<void()>(const Progress& progress)>;
  /// Cancels work in progress.
  void run(Work work);

 private:
  void end();

  bool busy_ = false;
  std::shared_ptr<std::atomic<bool>> cancelled_;
  // Last: its task ends before anything it uses is destroyed.
  QThreadPool pool_;
};

}  // namespace mantissa::gui
