#include "tests/gui/RealEngineTest.h"

#include <QPushButton>
#include <QSlider>
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>

#include "engine/core/paths.h"
#include "engine/preset/preset_io.h"
#include "gui/app/Session.h"
#include "gui/app/SetupPage.h"
#include "gui/app/Text.h"
#include "gui/run/JobPanel.h"
#include "gui/run/LogView.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunBar.h"
#include "gui/run/RunLoader.h"
#include "gui/run/RunPage.h"
#include "gui/samples/PicturePane.h"
#include "gui/samples/SampleGrid.h"
#include "gui/widgets/MessageBar.h"

namespace mantissa {
namespace {

/// The studio as the program makes it, on the real engine, in a home of its own.
struct Studio {
  QTemporaryDir home;
  std::unique_ptr<Session> session;
  RunEnd end;
  bool ended = false;

  Studio() {
    qputenv("MANTISSA_HOME", home.path().toUtf8());
    SessionOptions options;
    options.runner = run_training;
    options.planner = plan_training;
    options.sample_runner = run_sample;
    options.load_run = load_run;
    options.questions = WindowQuestions::with_dialogs();
    session = std::make_unique<Session>(*qobject_cast<QApplication*>(qApp), std::move(options));
    QObject::connect(&session->engine(), &EngineClient::ended, [this](const RunEnd& e) {
      end = e;
      ended = true;
    });
    session->window().show();
  }
  ~Studio() {
    session.reset();
    qunsetenv("MANTISSA_HOME");
  }
};

}  // namespace

void RealEngineTest::trains_the_demo_through_the_window() {
  if (!find_resource("bpe_simple_vocab_16e6.txt.gz")) {
    QSKIP("the tokenizer's table is not here; packaging/bootstrap.sh fetches it");
  }
  Studio studio;
  Session& s = *studio.session;
  MainWindow& window = s.window();
  s.document().open(QStringLiteral(MANTISSA_SOURCE_DIR "/presets/demo.json"));
  const int steps = qEnvironmentVariableIntValue("MANTISSA_STUDIO_STEPS") > 0
                        ? qEnvironmentVariableIntValue("MANTISSA_STUDIO_STEPS")
                        : 6;
  s.document().edit("training.steps", steps);
  s.document().edit("schedule.warmup_steps", 1);
  s.document().edit("output.save_every", 0);
  s.document().edit("samples.every", std::max(steps / 2, 1));
  s.document().edit("samples.prompts", nlohmann::json::parse(R"([
    {"prompt": "a coral zorb on a hill", "seed": 1, "width": 64, "height": 64, "steps": 3}])"));
  window.setup_page()->job()->use_demo();
  window.actions()->start->trigger();
  QVERIFY(QTest::qWaitFor([&] { return s.data().step() >= 1 || studio.ended; }, 90000));
  QVERIFY2(!studio.ended, qPrintable(studio.end.message));

  window.actions()->pause->trigger();
  QVERIFY(QTest::qWaitFor([&] { return s.engine().state() == RunState::paused || studio.ended; },
                          60000));
  QVERIFY2(!studio.ended, qPrintable(studio.end.message));
  // The last steps may still lie in the ring when the pause is told.
  QTest::qWait(200);
  const std::int64_t paused_at = s.data().step();
  QTest::qWait(200);
  QCOMPARE(s.data().step(), paused_at);
  // The model is still loaded: a sample costs no restart, and the run stays paused.
  window.actions()->sample->trigger();
  QVERIFY(QTest::qWaitFor([&] { return s.samples().find(paused_at, 0) != nullptr || studio.ended; },
                          60000));
  QCOMPARE(s.engine().state(), RunState::paused);
  QVERIFY(window.run_bar()->details().contains(QStringLiteral("stays loaded")));
  window.actions()->pause->trigger();
  QVERIFY(QTest::qWaitFor([&] { return studio.ended; }, 90000));
  QVERIFY2(studio.end.how == RunEnd::How::completed, qPrintable(studio.end.message));

  QCOMPARE(s.data().loss.size(), static_cast<std::size_t>(steps));
  QVERIFY(std::filesystem::is_regular_file(studio.end.result.adapter));
  // Before step 1, in the middle, at the end.
  for (const int step : {0, std::max(steps / 2, 1), steps}) {
    QVERIFY(s.samples().find(step, 0) != nullptr);
  }
  QVERIFY(!window.run_page()->log()->text().isEmpty());
  const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS");
  if (!keep.isEmpty()) {
    s.save_screenshots(keep + QStringLiteral("/real"));
  }

  // The adapter at half its strength, by the engine.
  SampleGrid* grid = window.sample_grid();
  window.show_page(MainWindow::samples);
  grid->show_step(steps);
  QVERIFY(grid->render_button()->isEnabled());
  grid->strength_slider()->setValue(grid->strength_slider()->maximum() / 4);
  QCOMPARE(grid->strength(), 0.5);
  const QString sample = grid->preview()->file();
  grid->render_button()->click();
  QVERIFY(QTest::qWaitFor([&] { return !s.engine().is_rendering(); }, 60000));
  QVERIFY2(grid->preview()->file() != sample, qPrintable(window.messages()->text()));
  QVERIFY(grid->preview()->has_picture());

  // The database tells the same story.
  const LoadedRun run = load_run(to_qstring(studio.end.result.run_id));
  QCOMPARE(run.steps.size(), static_cast<std::size_t>(steps));
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    QCOMPARE(run.steps[i].loss, s.data().loss.values()[i]);
  }
  QCOMPARE(run.state, QStringLiteral("finished"));
  s.open_run(path_text(studio.end.result.folder));
  QCOMPARE(s.data().loss.size(), static_cast<std::size_t>(steps));
}

void RealEngineTest::bad_base_is_told_in_the_window() {
  Studio studio;
  Session& s = *studio.session;
  s.window().setup_page()->job()->use_demo();
  JobSpec job = s.window().setup_page()->job()->job();
  job.base = "/no/such/base.safetensors";
  s.engine().start(job);
  QVERIFY(QTest::qWaitFor([&] { return studio.ended; }, 20000));
  QCOMPARE(studio.end.how, RunEnd::How::failed);
  QVERIFY(studio.end.message.contains(QStringLiteral("/no/such/base.safetensors")));
  QVERIFY(s.window().run_page()->failure_card()->isVisible());
}

}  // namespace mantissa
