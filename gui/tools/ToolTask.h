#pragma once

#include "engine/tools/run_tool.h"
#include "gui/engine/ThreadTask.h"

namespace mantissa::gui {

/// The work of a tool.
class ToolTask : public ThreadTask {
  Q_OBJECT

 public:
  using ThreadTask::ThreadTask;
  /// Cancels work in progress.
  void start(Tool tool, ToolRequest request);

 signals:
  void finished(const mantissa::ToolResult& result);
};

}  // namespace mantissa::gui
