#pragma once

#include <memory>

class QWidget;

namespace mantissa::gui {

/// Progress on the program's button or icon: Windows' taskbar, and desktops that know Canonical's
/// LauncherEntry signal (GNOME with a dock, KDE, Cinnamon). No effect elsewhere.
class TaskbarProgress {
 public:
  explicit TaskbarProgress(const QWidget* window);
  ~TaskbarProgress();

  /// 0 to 100; below 0 removes it.
  void show(int percent);
  /// What a failed run leaves behind: red until the next `show`. Windows only.
  void show_failure();

 private:
  struct Native;
  std::unique_ptr<Native> native_;
};

}  // namespace mantissa::gui
