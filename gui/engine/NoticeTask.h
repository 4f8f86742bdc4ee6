#pragma once

#include "engine/notify/run_notice.h"
#include "gui/engine/ThreadTask.h"

namespace mantissa::gui {

/// Posts the notice of a run's end, on a thread.
class NoticeTask : public ThreadTask {
  Q_OBJECT

 public:
  using ThreadTask::ThreadTask;
  /// `address` as parse_notice_address reads it.
  void start(const QString& address, const RunNotice& notice);

 signals:
  void delivered();
};

}  // namespace mantissa::gui
