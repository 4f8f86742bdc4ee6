#include "tests/gui/QtOrder.h"

#if defined(__SANITIZE_THREAD__)

#include <dlfcn.h>
#include <functional>
#include <sanitizer/tsan_interface.h>
#include <stdexcept>
#include <string>
#include <utility>

class QObject;
class QThreadPool;
struct QMetaObject;
namespace QtPrivate {
class QSlotObjectBase;
}

namespace {

// One for all: a receiver may see everything handed over before.
char g_order;

template <typename Call>
Call in_qt(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) {
    throw std::runtime_error(std::string("[qt order] Qt has no ") + name);
  }
  return reinterpret_cast<Call>(found);
}

}  // namespace

namespace mantissa::gui {

void qt_hands_over() {
  __tsan_release(&g_order);
}

void qt_takes_over() {
  __tsan_acquire(&g_order);
}

}  // namespace mantissa::gui

// Qt's names for what our code calls: the program's override the library's.
#define ACTIVATE "_ZN11QMetaObject8activateEP7QObjectPKS_iPPv"
#define INVOKE                                                                                    \
  "_ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTyp" \
  "eEPv"
#define START "_ZN11QThreadPool5startESt8functionIFvvEEi"
#define WAIT "_ZN11QThreadPool11waitForDoneEi"

using mantissa::gui::qt_hands_over;
using mantissa::gui::qt_takes_over;

void activate(QObject* sender, const QMetaObject* meta, int signal, void** values) asm(ACTIVATE);
void activate(QObject* sender, const QMetaObject* meta, int signal, void** values) {
  static const auto real = in_qt<decltype(&activate)>(ACTIVATE);
  qt_hands_over();
  real(sender, meta, signal, values);
}

bool invoke(QObject* object, QtPrivate::QSlotObjectBase* slot, int type, void* result) asm(INVOKE);
bool invoke(QObject* object, QtPrivate::QSlotObjectBase* slot, int type, void* result) {
  static const auto real = in_qt<decltype(&invoke)>(INVOKE);
  qt_hands_over();
  return real(object, slot, type, result);
}

void start(QThreadPool* pool, std::function<void()> work, int priority) asm(START);
void start(QThreadPool* pool, std::function<void()> work, int priority) {
  static const auto real = in_qt<decltype(&start)>(START);
  std::function<void()> ordered = [work = std::move(work)]() mutable {
    qt_takes_over();
    work();
    work = nullptr;
    qt_hands_over();
  };
  qt_hands_over();
  real(pool, std::move(ordered), priority);
}

bool wait_for_done(QThreadPool* pool, int milliseconds) asm(WAIT);
bool wait_for_done(QThreadPool* pool, int milliseconds) {
  static const auto real = in_qt<decltype(&wait_for_done)>(WAIT);
  const bool done = real(pool, milliseconds);
  qt_takes_over();
  return done;
}

#endif
