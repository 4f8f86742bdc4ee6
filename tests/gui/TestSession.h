#pragma once

#include <QTemporaryDir>
#include <QtTest>
#include <memory>

#include "gui/app/Session.h"
#include "tests/gui/FakeEngine.h"

namespace mantissa::gui {

/// A whole studio on a scripted engine, with its own settings and answers to its questions.
struct TestSession {
  explicit TestSession(FakeEngine engine, bool with_demo = true);

  QTemporaryDir folder;
  QString open_answer, save_answer, folder_answer;
  WindowQuestions::Answer unsaved_answer = WindowQuestions::Answer::discard;
  bool stop_answer = true;
  int unsaved_asked = 0, stop_asked = 0;
  std::unique_ptr<Session> session;

  MainWindow& window() { return session->window(); }
  EngineClient& engine() { return session->engine(); }
  /// Shows the window and waits until it is exposed.
  void show();
  bool wait_for(RunState state, int ms = 5000);
  bool wait_for_end(int ms = 5000);
};

}  // namespace mantissa::gui
