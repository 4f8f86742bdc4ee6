// Ctrl+C, Ctrl+Break and a closed console save the run as SIGINT does elsewhere.
#include <chrono>
#include <thread>

#include "tests/reliability/tiny_run.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class WindowsInterrupt : public TinyRun {
 protected:
  /// An endless run in a console of its own, past its first steps, or within one if they are long.
  Process endless(const std::string& out, DWORD flags, int accumulation = 1) const {
    Process child = Mantissa(home_).start(
        with(arguments(out, false),
             {"--set", "training.steps=100000", "--set", "output.save_every=0", "--set",
              "training.gradient_accumulation=" + std::to_string(accumulation)}),
        root_ / (out + ".log"), {}, flags);
    wait_for(child, out, "trainable values");
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    return child;
  }

  /// Until the run's log holds `text`, it has ended, or a minute is over.
  void wait_for(const Process& child, const std::string& out, const char* text) const {
    for (int i = 0; i < 1200 && child.is_running() && log(out).find(text) == std::string::npos;
         ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }

  void expect_saved(const std::string& out, int status) const {
    EXPECT_EQ(status, 130) << log(out);
    int saved = 0;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder(out) / "checkpoints", none)) {
      saved += fs::exists(entry.path() / "manifest.json") ? 1 : 0;
    }
    EXPECT_EQ(saved, 1) << log(out);
    EXPECT_EQ(RunReader(home_ / "runs.db").list_runs().at(0).state, "stopped");
  }

  static bool is_wine() {
    return GetProcAddress(GetModuleHandleW(L"ntdll"), "wine_get_version") != nullptr;
  }

  /// Sends what the console of `other` sends when a user presses keys or closes its window.
  static void send(const Process& other, DWORD event) {
    if (is_wine() && event != CTRL_C_EVENT) {
      // Wine 8 sends nothing but Ctrl+C: its consoles' own routine is called in the other program.
      const auto routine = reinterpret_cast<LPTHREAD_START_ROUTINE>(
          reinterpret_cast<void*>(GetProcAddress(GetModuleHandleW(L"kernelbase"), "CtrlRoutine")));
      HANDLE thread =
          CreateRemoteThread(other.handle(), nullptr, 0, routine,
                             reinterpret_cast<void*>(std::uintptr_t{event}), 0, nullptr);
      ASSERT_NE(thread, nullptr) << GetLastError();
      CloseHandle(thread);
      return;
    }
    // Into the other's console, deaf to its Ctrl+C.
    FreeConsole();
    ASSERT_TRUE(AttachConsole(other.id())) << GetLastError();
    SetConsoleCtrlHandler(nullptr, TRUE);
    if (event == CTRL_CLOSE_EVENT) {
      EXPECT_TRUE(PostMessageW(GetConsoleWindow(), WM_CLOSE, 0, 0)) << GetLastError();
    } else {
      const DWORD group = event == CTRL_BREAK_EVENT ? other.id() : 0;
      EXPECT_TRUE(GenerateConsoleCtrlEvent(event, group)) << GetLastError();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    FreeConsole();
    SetConsoleCtrlHandler(nullptr, FALSE);
    AttachConsole(ATTACH_PARENT_PROCESS);
  }
};

TEST_F(WindowsInterrupt, CtrlCSavesAndExits130) {
  Process child = endless("interrupted", CREATE_NEW_CONSOLE);
  send(child, CTRL_C_EVENT);
  expect_saved("interrupted", child.wait());
  const int saved = static_cast<int>(newest_step("interrupted"));
  EXPECT_EQ(Mantissa(home_)
                .run(with(arguments("interrupted", true),
                          {"--set", "training.steps=" + std::to_string(saved + 2)}),
                     root_ / "interrupted.log")
                .status,
            0)
      << log("interrupted");
}

TEST_F(WindowsInterrupt, CtrlBreakSavesAndExits130) {
  // Only to a group can it be sent without reaching this program, too; Wine 8 sends none to one.
  const DWORD group = is_wine() ? 0 : CREATE_NEW_PROCESS_GROUP;
  Process child = endless("interrupted", CREATE_NEW_CONSOLE | group);
  send(child, CTRL_BREAK_EVENT);
  expect_saved("interrupted", child.wait());
}

// The system ends the program when its handler returns, or some seconds later.
TEST_F(WindowsInterrupt, ClosingTheConsoleSaves) {
  Process child = endless("closed", CREATE_NEW_CONSOLE);
  send(child, CTRL_CLOSE_EVENT);
  expect_saved("closed", child.wait());
}

TEST_F(WindowsInterrupt, ASecondCtrlCEndsAtOnce) {
  constexpr int kAccumulation = 4096;  // a step of minutes, at whose end the first one would save
  Process child = endless("twice", CREATE_NEW_CONSOLE, kAccumulation);
  send(child, CTRL_C_EVENT);
  wait_for(child, "twice", "Press Ctrl+C again");
  send(child, CTRL_C_EVENT);
  EXPECT_EQ(child.wait(), 130);
  EXPECT_NE(log("twice").find("stopped at once"), std::string::npos) << log("twice");
}

}  // namespace
}  // namespace mantissa
