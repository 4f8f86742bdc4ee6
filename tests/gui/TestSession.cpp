#include "tests/gui/TestSession.h"

#include <QDir>
#include <QFileInfo>

#include "gui/app/SetupPage.h"
#include "gui/base/Text.h"
#include "gui/run/JobPanel.h"
#include "gui/run/RunLoader.h"

namespace mantissa::gui {

TestSession::TestSession(FakeEngine engine, bool with_demo) : script(std::move(engine)) {
  session = std::make_unique<Session>(*qobject_cast<QApplication*>(qApp), options());
  if (with_demo) {
    window().setup_page()->job()->use_demo();
  }
}

void TestSession::start_again() {
  const bool crashed = session->window().isVisible();
  const QString kept = folder.filePath(QStringLiteral("kept.ini"));
  QFile::remove(kept);
  QFile::copy(settings_file(), kept);
  session.reset();
  if (crashed) {
    QFile::remove(settings_file());
    QFile::copy(kept, settings_file());
  }
  session = std::make_unique<Session>(*qobject_cast<QApplication*>(qApp), options());
}

SessionOptions TestSession::options() {
  SessionOptions options;
  options.runner = script;
  options.beside = script;
  options.planner = FakeEngine::plan;
  options.sample_runner = fake_sample;
  options.prober = fake_probe;
  options.solver = fake_solve;
  options.rate_tester = fake_rate_test;
  options.verifier = fake_verify;
  options.settings_file = settings_file();
  options.reader = reader;
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
  options.has_script = [this](QFontDatabase::WritingSystem s) { return !no_font.contains(s); };
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
  options.find_roots = [this] { return roots; };
  options.questions.adapter_folder = [this](QWidget*, Program, const QString&, auto chosen) {
    if (!folder_answer.isEmpty()) {
      chosen(folder_answer);
    }
  };
  options.questions.name_taken = [this](QWidget*, const QString& text, const QString&,
                                        auto answered) {
    taken_asked = text;
    if (taken_answer) {
      answered(*taken_answer);
    }
  };
  options.questions.import_preset = options.questions.open_preset;
  options.questions.unsaved = [this](QWidget*, const QString&, auto answered) {
    ++unsaved_asked;
    answered(unsaved_answer);
  };
  options.apart = apart;
  options.questions.closing = [this](QWidget*, const QString&, bool, auto answered) {
    ++stop_asked;
    if (stop_answer) {
      answered(WindowQuestions::Closing::stop);
    }
  };
  options.questions.lose = [this](QWidget*, const QString& text, auto agreed) {
    lose_asked = text;
    if (lose_answer) {
      agreed();
    }
  };
  options.questions.move_to_trash = [this](QWidget*, const QString& text, auto agreed) {
    trash_asked = text;
    if (trash_answer) {
      agreed();
    }
  };
  options.questions.how_to_stop = [this](QWidget*, const QString& text, auto answered) -> QWidget* {
    how_to_stop_asked = text;
    if (how_to_stop) {
      answered(*how_to_stop);
    }
    return nullptr;
  };
  return options;
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

bool TestSession::wait_for_step(std::int64_t step, int ms) {
  return QTest::qWaitFor(
      [&] {
        return engine().shown_state() == RunState::training && session->data().step() >= step;
      },
      ms);
}

}  // namespace mantissa::gui
