#pragma once
// The real studio on the real engine, in a home of its own.

#include <QTemporaryDir>
#include <QtTest>
#include <functional>
#include <memory>

#include "engine/plan/draft_plan.h"
#include "engine/preflight/preflight.h"
#include "engine/probe/probe.h"
#include "engine/probe/rate_test.h"
#include "engine/render/sample.h"
#include "engine/train/run_training.h"
#include "gui/app/Session.h"
#include "gui/engine/LaunchedRun.h"
#include "gui/run/RunLoader.h"

namespace mantissa::gui {

struct RealStudio {
  QTemporaryDir home;
  std::unique_ptr<Session> session;
  RunEnd end;
  bool ended = false;
  /// The answer when the window is closed during a run; empty: the window stays.
  std::optional<WindowQuestions::Closing> closing;
  int closing_asked = 0;

  RealStudio() {
    qputenv("MANTISSA_HOME", home.path().toUtf8());
    start();
  }
  ~RealStudio() {
    session.reset();
    qunsetenv("MANTISSA_HOME");
  }
  /// The studio's next start in the same home.
  void start_again() {
    session.reset();
    ended = false;
    start();
    session->begin_background();
  }

 private:
  void start() {
    session = std::make_unique<Session>(*qobject_cast<QApplication*>(qApp), options());
    QObject::connect(&session->engine(), &EngineClient::ended, [this](const RunEnd& e) {
      end = e;
      ended = true;
    });
    session->window().show();
  }

  SessionOptions options() {
    SessionOptions options;
    options.runner = run_training;
    options.apart = train_apart;
    options.launches = RunLaunch::all;
    options.beside = launch_training;
    options.planner = [](const JobSpec& job) { return preflight(job, PreflightDepth::whole); };
    options.live_planner = [](const JobSpec& job) { return preflight(job, PreflightDepth::draft); };
    options.inspection = [](const JobSpec& job, const Progress& progress) {
      return preflight(job, PreflightDepth::whole, progress);
    };
    options.draft_planner = [quick = std::make_shared<DraftPlanner>()](const JobSpec& job) {
      return quick->plan(job);
    };
    options.sample_runner = run_sample;
    options.prober = run_probe;
    options.solver = solve_precision;
    options.rate_tester = run_rate_test;
    options.load_run = [](const QString& run) { return load_run(run); };
    options.places = RunPlaces::of_this_machine();
    options.questions.unsaved = [](QWidget*, const QString&, auto answered) {
      answered(WindowQuestions::Answer::discard);
    };
    options.questions.closing = [this](QWidget*, const QString&, bool, auto answered) {
      ++closing_asked;
      if (closing) {
        answered(*closing);
      }
    };
    return options;
  }
};

}  // namespace mantissa::gui
