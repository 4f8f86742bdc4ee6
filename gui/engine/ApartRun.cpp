#include "gui/engine/ApartRun.h"

#include <QFile>
#include <QProcess>
#include <chrono>
#include <thread>

#include "engine/core/error.h"
#include "gui/base/Text.h"
#include "gui/engine/LaunchedRun.h"

namespace mantissa::gui {
namespace {

using ApartClock = std::chrono::steady_clock;

constexpr auto kApartGap = std::chrono::milliseconds(50);
/// A program that gives no sign of life after this has not started.
constexpr auto kLifeWithin = std::chrono::seconds(30);
constexpr qint64 kKeptOfErrors = 4000;  ///< bytes of the error stream

#ifdef Q_OS_WIN
/// Without a console window, and not ended with this program's console. Values of winbase.h.
void without_console(QProcess& process) {
  constexpr unsigned long kNewConsole = 0x10, kNewGroup = 0x200, kNoWindow = 0x0800'0000;
  process.setCreateProcessArgumentsModifier([](QProcess::CreateProcessArguments* arguments) {
    arguments->flags = (arguments->flags & ~kNewConsole) | kNewGroup | kNoWindow;
  });
}
#else
void without_console(QProcess&) {}  // startDetached makes a session of its own
#endif

void start_apart(const JobSpec& job, const RunLaunch& launch) {
  QProcess process;
  process.setProgram(train_program());
  process.setArguments(train_arguments(job, path_text(launch.preset()),
                                       {QStringLiteral("--report"), path_text(launch.report())}));
  without_console(process);
  process.setStandardInputFile(QProcess::nullDevice());
  process.setStandardOutputFile(QProcess::nullDevice());
  process.setStandardErrorFile(path_text(launch.errors()));
  if (!process.startDetached()) {
    throw Error(message<"could not start {file}: {reason}">(process.program().toStdString(),
                                                            process.errorString().toStdString()));
  }
}

std::string last_errors(const RunLaunch& launch) {
  QFile file(path_text(launch.errors()));
  if (!file.open(QIODevice::ReadOnly)) {
    return {};
  }
  file.seek(std::max<qint64>(0, file.size() - kKeptOfErrors));
  return QString::fromUtf8(file.readAll()).trimmed().toStdString();
}

/// Waits until the new process's run has a folder.
RunLaunch::Begun await_begun(const RunLaunch& launch, const RunControl& control) {
  const auto until = ApartClock::now() + kLifeWithin;
  for (bool alive = false;;) {
    const bool now = launch.is_starting();  // before the report: it may be the last it does
    if (const auto begun = launch.begun()) {
      return *begun;
    }
    if (!now && (alive || ApartClock::now() > until)) {
      throw Error(
          message<"the process of the run ended without a word: {reason}">(last_errors(launch)));
    }
    alive = alive || now;
    if (control.leave_requested()) {
      throw Error(ErrorKind::interrupted, message<"the run is followed no longer; it goes on">());
    }
    std::this_thread::sleep_for(kApartGap);
  }
}

}  // namespace

RunResult train_apart(const JobSpec& job, RunControl& control, RunObserver& observer) {
  const RunLaunch launch = RunLaunch::create(job.preset);
  try {
    start_apart(job, launch);
  } catch (...) {
    launch.remove();
    throw;
  }
  return follow_apart(launch, {}, control, observer);
}

RunResult follow_apart(const RunLaunch& launch, const KnownOfRun& known, RunControl& control,
                       RunObserver& observer) {
  try {
    const RunLaunch::Begun begun = await_begun(launch, control);
    const RunResult result = follow_run(begun.folder, known, control, observer);
    launch.remove();
    return result;
  } catch (...) {
    if (!control.leave_requested()) {
      launch.remove();
    }
    throw;
  }
}

}  // namespace mantissa::gui
