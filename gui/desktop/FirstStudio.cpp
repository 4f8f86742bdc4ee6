#include "gui/desktop/FirstStudio.h"

#include <QApplication>
#ifdef Q_OS_WIN
#include <windows.h>
#endif

namespace mantissa::gui {

#ifdef Q_OS_WIN
namespace {

constexpr wchar_t kClass[] = L"MantissaFirstStudio";
constexpr ULONG_PTR kOpenFile = 0x4d414e31;  // "MAN1": the message's form
constexpr DWORD kLongestPath = 32767 * sizeof(wchar_t);
constexpr UINT kPatienceMs = 5000;

/// The invisible window's title. Names of files are the same in upper and lower case.
std::wstring title_of(const QString& settings) {
  return settings.toCaseFolded().toStdWString();
}

LRESULT CALLBACK on_message(HWND window, UINT message, WPARAM first, LPARAM second) {
  auto* studio = reinterpret_cast<FirstStudio*>(GetWindowLongPtrW(window, GWLP_USERDATA));
  if (message != WM_COPYDATA || studio == nullptr) {
    return DefWindowProcW(window, message, first, second);
  }
  const auto& given = *reinterpret_cast<const COPYDATASTRUCT*>(second);
  if (given.dwData != kOpenFile || given.cbData > kLongestPath ||
      QApplication::activeModalWidget() != nullptr) {
    return FALSE;
  }
  const QString file =
      QString::fromWCharArray(static_cast<const wchar_t*>(given.lpData),
                              static_cast<qsizetype>(given.cbData / sizeof(wchar_t)));
  // The other program waits for the answer, not for the file.
  QMetaObject::invokeMethod(
      studio, [studio, file] { emit studio->asked_to_open(file); }, Qt::QueuedConnection);
  return TRUE;
}

}  // namespace

struct FirstStudio::Native {
  HWND window = nullptr;

  Native(FirstStudio* studio, const QString& settings) {
    WNDCLASSW kind{};
    kind.lpfnWndProc = on_message;
    kind.hInstance = GetModuleHandleW(nullptr);
    kind.lpszClassName = kClass;
    RegisterClassW(&kind);  // fails where it is registered already
    window = CreateWindowExW(0, kClass, title_of(settings).c_str(), 0, 0, 0, 0, 0, HWND_MESSAGE,
                             nullptr, kind.hInstance, nullptr);
    if (window != nullptr) {
      SetWindowLongPtrW(window, GWLP_USERDATA, reinterpret_cast<LONG_PTR>(studio));
    }
  }
  ~Native() {
    if (window != nullptr) {
      DestroyWindow(window);
    }
  }
  Native(const Native&) = delete;
  Native& operator=(const Native&) = delete;
};

bool FirstStudio::hand_over(const QString& settings, const QString& file) {
  const HWND first = FindWindowExW(HWND_MESSAGE, nullptr, kClass, title_of(settings).c_str());
  if (first == nullptr) {
    return false;
  }
  DWORD process = 0;
  GetWindowThreadProcessId(first, &process);
  AllowSetForegroundWindow(process);  // only the program that was clicked may pass this on
  std::wstring path = file.toStdWString();
  COPYDATASTRUCT given{kOpenFile, static_cast<DWORD>(path.size() * sizeof(wchar_t)), path.data()};
  DWORD_PTR taken = FALSE;
  return SendMessageTimeoutW(first, WM_COPYDATA, 0, reinterpret_cast<LPARAM>(&given),
                             SMTO_ABORTIFHUNG, kPatienceMs, &taken) != 0 &&
         taken != FALSE;
}

#else

struct FirstStudio::Native {
  Native(FirstStudio*, const QString&) {}
};

bool FirstStudio::hand_over(const QString&, const QString&) {
  return false;
}

#endif

FirstStudio::FirstStudio(const QString& settings, QObject* parent)
    : QObject(parent), native_(std::make_unique<Native>(this, settings)) {}

FirstStudio::~FirstStudio() = default;

}  // namespace mantissa::gui
