#include "tests/gui/TestSession.h"

#include <QDir>
#include <QFileInfo>

#include "gui/app/SetupPage.h"
#include "gui/base/Text.h"
#include "gui/run/JobPanel.h"
#include "gui/run/RunLoader.h"

namespace mantissa::gui {

TestSession::TestSession(FakeEngine engine, bool with_demo) {
  SessionOptions options;
  options.runner = engine;
  options.planner = FakeEngine::plan;
  options.sample_runner = fake_sample;
  options.settings_file = folder.filePath(QStringLiteral("studio.ini"));
  options.load_run = [this](const QString& run) {
    return load_run(to_path(folder.filePath(QStringLiteral("runs.db"))), run);
  };
  options.places = {[this] { return to_path(folder.filePath(QStringLiteral("runs.db"))); },
                    [this] { return to_path(folder.filePath(QStringLiteral("runs"))); },
                    [this](const QString& run) -> std::optional<QString> {
                      const QString where =
                          folder.filePath(QStringLiteral("trash-") + QFileInfo(run).fileName());
                      return QDir().rename(run, where) ? std::optional(where) : std::nullopt;
                    }};
  options.questions.open_preset = [this](QWidget*, const QString&, auto chosen) {
    if (!open_answer.isEmpty()) {
      chosen(open_answer);
    }
  };
  options.questions.save_preset = [this](QWidget*, const QString&, auto chosen) {
    if (!save_answer.isEmpty()) {
      chosen(save_answer);
    }
  };
  options.questions.other_folder = [this](QWidget*, const QString&, auto chosen) {
    if (!folder_answer.isEmpty()) {
      chosen(folder_answer);
    }
  };
  options.questions.import_preset = options.questions.open_preset;
  options.questions.unsaved = [this](QWidget*, const QString&, auto answered) {
    ++unsaved_asked;
    answered(unsaved_answer);
  };
  options.questions.stop_running = [this](QWidget*, const QString&, auto agreed) {
    ++stop_asked;
    if (stop_answer) {
      agreed();
    }
  };
  session = std::make_unique<Session>(*qobject_cast<QApplication*>(qApp), std::move(options));
  if (with_demo) {
    window().setup_page()->job()->use_demo();
  }
}

void TestSession::show() {
  window().show();
  QVERIFY(QTest::qWaitForWindowExposed(&window()));
}

bool TestSession::wait_for(RunState state, int ms) {
  return QTest::qWaitFor([&] { return engine().state() == state; }, ms);
}

bool TestSession::wait_for_end(int ms) {
  return QTest::qWaitFor([&] { return !engine().is_running(); }, ms);
}

}  // namespace mantissa::gui
