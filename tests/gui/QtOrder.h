#pragma once

#include <QApplication>

namespace mantissa::gui {

#if defined(__SANITIZE_THREAD__)

// Distributions build Qt without ThreadSanitizer, which then sees no happens-before between a
// signal's sender and its receiver on another thread, nor between QThreadPool::start and the work.
// QtOrder.cpp intercepts those calls and annotates them.
void qt_hands_over();
void qt_takes_over();

/// Events are received here, so data sent with them may be read from here on.
class TestApplication : public QApplication {
 public:
  using QApplication::QApplication;
  bool notify(QObject* receiver, QEvent* event) override {
    qt_takes_over();
    return QApplication::notify(receiver, event);
  }
};

#else

using TestApplication = QApplication;

#endif

}  // namespace mantissa::gui
