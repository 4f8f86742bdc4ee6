#pragma once

#include <QTemporaryDir>
#include <QtTest>
#include <memory>
#include <optional>
#include <set>

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
  bool lose_answer = true;
  QString lose_asked;  ///< the question
  bool trash_answer = true;
  QString trash_asked;  ///< the question
  /// The answer when a run with unsaved steps is to be stopped; empty: keep training.
  std::optional<WindowQuestions::Stop> how_to_stop = WindowQuestions::Stop::discard;
  QString how_to_stop_asked;  ///< the question
  /// Where other programs are looked for; empty: nowhere.
  ProgramRoots roots;
  /// The answer to another file of that name in a program's folder; empty: given up.
  std::optional<AdapterCopier::Taken> taken_answer;
  QString taken_asked;  ///< the question
  /// Scripts that no font has.
  std::set<QFontDatabase::WritingSystem> no_font;
  SettingsReader::Program reader{};  ///< of the next start
  Runner apart{};                    ///< likewise
  std::unique_ptr<Session> session;
  FakeEngine script;

  MainWindow& window() { return session->window(); }
  EngineClient& engine() { return session->engine(); }
  /// The studio's next start, on the same settings and runs: after a quit, or, if its window was
  /// not closed, after a crash that left the settings as they were on disk.
  void start_again();
  QString settings_file() const { return folder.filePath(QStringLiteral("studio.ini")); }
  /// Shows the window and waits until it is exposed.
  void show();
  bool wait_for(RunState state, int ms = 5000);
  bool wait_for_end(int ms = 5000);
  /// Steps are read by a timer and may be shown before the state that they belong to.
  bool wait_for_step(std::int64_t step, int ms = 5000);

 private:
  SessionOptions options();
};

}  // namespace mantissa::gui
