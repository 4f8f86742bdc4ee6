#include "gui/tools/ToolTask.h"

#include <utility>

#include "gui/base/Text.h"

namespace mantissa::gui {

void ToolTask::start(Tool tool, ToolRequest request) {
  run([this, tool,
       request = std::move(request)](const Progress& progress) -> std::function<void()> {
    ToolWatch watch;
    watch.progress = [&](std::int64_t done, std::int64_t total) {
      progress(RunPhase::loading, done, total);
    };
    watch.size_text = [](std::uint64_t bytes) { return format_bytes(bytes).toStdString(); };
    return [this, result = run_tool(tool, request, watch)] { emit finished(result); };
  });
}

}  // namespace mantissa::gui
