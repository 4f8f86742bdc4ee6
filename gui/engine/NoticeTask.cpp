#include "gui/engine/NoticeTask.h"

#include "engine/core/error.h"
#include "engine/notify/notice_post.h"
#include "gui/base/EngineText.h"

namespace mantissa::gui {

void NoticeTask::start(const QString& address, const RunNotice& notice) {
  run([this, text = address.toStdString(),
       notice](const Progress& progress) -> std::function<void()> {
    const auto stopped = [&progress] {
      try {
        progress(RunPhase::reading, 0, 1);
      } catch (const Error&) {
        return true;
      }
      return false;
    };
    post_notice(parse_notice_address(text), notice, stopped,
                [](const Message& message) { return message_text(message).toStdString(); });
    return [this] { emit delivered(); };
  });
}

}  // namespace mantissa::gui
