#include "gui/desktop/TaskbarProgress.h"

#include <QWidget>
#include <algorithm>

#if defined(Q_OS_WIN)
#include <windows.h>
// shobjidl.h needs windows.h first
#include <shobjidl.h>
#elif defined(MANTISSA_DBUS)
#include <QDBusConnection>
#include <QDBusMessage>
#endif

namespace mantissa::gui {

#if defined(Q_OS_WIN)

struct TaskbarProgress::Native {
  const QWidget* window;
  ITaskbarList3* taskbar = nullptr;  ///< null without a taskbar

  explicit Native(const QWidget* shown) : window(shown) {
    // Qt has initialised COM on this thread.
    void* made = nullptr;
    if (FAILED(CoCreateInstance(CLSID_TaskbarList, nullptr, CLSCTX_INPROC_SERVER, IID_ITaskbarList3,
                                &made))) {
      return;
    }
    taskbar = static_cast<ITaskbarList3*>(made);
    if (FAILED(taskbar->HrInit())) {
      taskbar->Release();
      taskbar = nullptr;
    }
  }
  ~Native() {
    if (taskbar != nullptr) {
      taskbar->Release();
    }
  }
  Native(const Native&) = delete;
  Native& operator=(const Native&) = delete;

  HWND handle() const { return reinterpret_cast<HWND>(window->internalWinId()); }
  bool has_button() const { return taskbar != nullptr && handle() != nullptr; }
};

void TaskbarProgress::show(int percent) {
  if (!native_->has_button()) {
    return;
  }
  native_->taskbar->SetProgressState(native_->handle(),
                                     percent < 0 ? TBPF_NOPROGRESS : TBPF_NORMAL);
  if (percent >= 0) {
    native_->taskbar->SetProgressValue(native_->handle(), static_cast<ULONGLONG>(percent), 100);
  }
}

void TaskbarProgress::show_failure() {
  if (native_->has_button()) {
    native_->taskbar->SetProgressState(native_->handle(), TBPF_ERROR);
    native_->taskbar->SetProgressValue(native_->handle(), 100, 100);
  }
}

#else

struct TaskbarProgress::Native {
  explicit Native(const QWidget*) {}
};

void TaskbarProgress::show(int percent) {
#ifdef MANTISSA_DBUS
  // Without an address Qt would start its own bus.
  if (qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS")) {
    return;
  }
  QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) {
    return;
  }
  QDBusMessage update = QDBusMessage::createSignal(
      QStringLiteral("/mantissa"), QStringLiteral("com.canonical.Unity.LauncherEntry"),
      QStringLiteral("Update"));
  update << QStringLiteral("application://mantissa-studio.desktop")
         << QVariantMap{{QStringLiteral("progress"), std::max(percent, 0) / 100.0},
                        {QStringLiteral("progress-visible"), percent >= 0}};
  bus.send(update);
#else
  Q_UNUSED(percent)
#endif
}

void TaskbarProgress::show_failure() {}

#endif

TaskbarProgress::TaskbarProgress(const QWidget* window)
    : native_(std::make_unique<Native>(window)) {}

TaskbarProgress::~TaskbarProgress() = default;

}  // namespace mantissa::gui
