#include "tests/gui/CardsTest.h"

#include <QCheckBox>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>
#include <filesystem>
#include <initializer_list>
#include <set>

#include "engine/plan/backend.h"
#include "engine/plan/card_split.h"
#include "engine/plan/split_run.h"
#include "engine/run/run_folder.h"
#include "gui/app/SetupPage.h"
#include "gui/base/Text.h"
#include "gui/device/CardPicker.h"
#include "gui/device/DevicePage.h"
#include "gui/precision/PrecisionPanel.h"
#include "gui/preset/PresetDocument.h"
#include "gui/run/JobPanel.h"
#include "gui/run/LogView.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunData.h"
#include "gui/run/RunPage.h"
#include "gui/run/RunQueue.h"
#include "tests/gui/RealStudio.h"

namespace mantissa::gui {

namespace fs = std::filesystem;

namespace {

/// Four cards, which are CUDA's kernels on the host, for this program and those it starts.
struct FourCards {
#ifdef MANTISSA_CUDA_ON_HOST_PLUGIN
  static constexpr const char* kNames[] = {"MANTISSA_CUDA_LIBRARY", "MANTISSA_CUDA_CARDS",
                                           "MANTISSA_NCCL_LIBRARY"};
  static constexpr const char* kValues[] = {MANTISSA_CUDA_ON_HOST_PLUGIN, "4",
                                            MANTISSA_NCCL_ON_HOST};
  FourCards() {
    for (std::size_t i = 0; i < std::size(kNames); ++i) {
      qputenv(kNames[i], kValues[i]);
    }
  }
  ~FourCards() {
    for (const char* name : kNames) {
      qunsetenv(name);
    }
  }
  static bool are_there() {
    return true;
  }
#else
  static bool are_there() {
    return false;
  }
#endif
};

/// Ticks cards on the device page and what they do, and sets up a short run.
void prepare_on_cards(Session& s, std::initializer_list<std::size_t> cards, CardUse use) {
  MainWindow& window = s.window();
  DevicePage* page = window.device_page();
  window.show_page(page);
  page->refresh();
  QVERIFY(QTest::qWaitFor([&] { return page->picker()->boxes().size() == 4; }, 20000));
  for (const std::size_t card : cards) {
    QCheckBox* box = page->picker()->boxes()[card];
    QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
  }
  QTest::mouseClick(page->picker()->way(use), Qt::LeftButton);
  s.document().open(QStringLiteral(MANTISSA_SOURCE_DIR "/presets/demo.json"));
  s.document().edit("adapter.rank", 2);
  s.document().edit("data.resolution", 64);
  s.document().edit("data.batch_size", 1);
  s.document().edit("training.steps", 2);
  s.document().edit("schedule.warmup_steps", 0);
  s.document().edit("output.save_every", 0);
  s.document().edit("samples.every", 0);
  s.document().edit("samples.prompts", nlohmann::json::array());
  window.setup_page()->job()->use_demo();
}

}  // namespace

void CardsTest::ticked_cards_train_one_run() {
  if (!FourCards::are_there()) {
    QSKIP("CUDA's kernels on the host are not here");
  }
  [[maybe_unused]] const FourCards machine;
  RealStudio studio;
  Session& s = *studio.session;
  prepare_on_cards(s, {0, 2}, CardUse::together);
  MainWindow& window = s.window();
  // One micro-step isn't enough for two cards: told before the start, with its fix.
  s.document().edit("training.gradient_accumulation", 1);
  window.actions()->check->trigger();
  PrecisionPanel* panel = window.setup_page()->precision();
  QVERIFY(QTest::qWaitFor([&] { return panel->refused() == 1; }, 60000));
  s.document().edit("training.gradient_accumulation", 2);
  window.actions()->check->trigger();
  QVERIFY(
      QTest::qWaitFor([&] { return panel->refused() == 0 && !s.engine().is_checking(); }, 60000));
  window.actions()->start->trigger();
  QVERIFY(QTest::qWaitFor([&] { return s.engine().state() == RunState::training || studio.ended; },
                          120000));
  QVERIFY2(!studio.ended, studio.end.failure.message.text().c_str());
  window.actions()->pause->trigger();
  QVERIFY(QTest::qWaitFor([&] { return s.engine().state() == RunState::paused || studio.ended; },
                          120000));
  QVERIFY2(!studio.ended, studio.end.failure.message.text().c_str());
  window.actions()->save->trigger();
  QVERIFY(QTest::qWaitFor([&] { return !s.engine().last_saved().isEmpty(); }, 60000));
  window.actions()->pause->trigger();
  QVERIFY(QTest::qWaitFor([&] { return studio.ended; }, 120000));
  QVERIFY2(studio.end.how == RunEnd::How::completed, studio.end.failure.message.text().c_str());
  QCOMPARE(s.data().loss.size(), std::size_t{2});
  QVERIFY(fs::is_regular_file(studio.end.result.adapter));
  const QString log = window.run_page()->log()->text();
  QVERIFY2(log.contains(QStringLiteral("2 cards share the 2 micro-steps of each step")),
           qPrintable(log));
  QVERIFY2(log.contains(QStringLiteral("The cards exchange gradients by NCCL")), qPrintable(log));
  QCOMPARE(RunFolder::open(studio.end.result.folder).frozen_job().device, std::string("cuda:0,2"));
  QCOMPARE(load_run(to_qstring(studio.end.result.run_id)).state, QStringLiteral("finished"));

  // What they can't do together is told as for one.
  studio.ended = false;
  s.document().edit("training.gradient_accumulation", 1);
  JobSpec job = s.engine().job();
  job.preset.training.gradient_accumulation = 1;
  job.out = to_path(studio.home.filePath(QStringLiteral("refused")));
  QVERIFY(s.engine().start(job));
  QVERIFY(QTest::qWaitFor([&] { return studio.ended; }, 60000));
  QCOMPARE(studio.end.how, RunEnd::How::failed);
  QVERIFY2(studio.end.failure.message.source().find("{processes} share the micro-steps") == 0,
           studio.end.failure.message.source().c_str());
}

void CardsTest::ticked_cards_hold_one_model() {
  if (!FourCards::are_there()) {
    QSKIP("CUDA's kernels on the host are not here");
  }
  [[maybe_unused]] const FourCards machine;
  RealStudio studio;
  Session& s = *studio.session;
  prepare_on_cards(s, {1, 3}, CardUse::split);
  MainWindow& window = s.window();
  s.document().edit("training.gradient_accumulation", 1);
  // What such a run can't do is told before the start.
  s.document().edit("training.max_grad_norm", 0);
  s.document().edit("optimizer.fused_back_pass", true);
  window.actions()->check->trigger();
  PrecisionPanel* panel = window.setup_page()->precision();
  QVERIFY(QTest::qWaitFor([&] { return panel->refused() == 1; }, 60000));
  s.document().edit("optimizer.fused_back_pass", false);
  window.actions()->check->trigger();
  QVERIFY(
      QTest::qWaitFor([&] { return panel->refused() == 0 && !s.engine().is_checking(); }, 60000));
  window.actions()->start->trigger();
  QVERIFY(QTest::qWaitFor([&] { return studio.ended; }, 240000));
  QVERIFY2(studio.end.how == RunEnd::How::completed, studio.end.failure.message.text().c_str());
  QCOMPARE(s.data().loss.size(), std::size_t{2});
  const QString log = window.run_page()->log()->text();
  QVERIFY2(log.contains(QStringLiteral("The layers are split over 2 cards: cuda:1 ")),
           qPrintable(log));
  QCOMPARE(devices_of(RunFolder::open(studio.end.result.folder).frozen_job()),
           (std::vector<std::string>{"cuda:1", "cuda:3"}));
}

void CardsTest::each_ticked_card_trains_a_run() {
  if (!FourCards::are_there()) {
    QSKIP("CUDA's kernels on the host are not here");
  }
  [[maybe_unused]] const FourCards machine;
  RealStudio studio;
  Session& s = *studio.session;
  prepare_on_cards(s, {1, 3}, CardUse::each);
  MainWindow& window = s.window();
  s.document().edit("training.gradient_accumulation", 1);
  RunQueue* queue = window.queue();
  for (const char* name : {"first", "second"}) {
    JobSpec job = window.setup_page()->job()->job();
    job.preset = s.document().preset();
    job.preset.output.name = name;
    queue->add(job);
  }
  queue->set_on(true);
  QVERIFY(s.engine().is_running());
  QCOMPARE(queue->running_beside(), 1);
  QVERIFY(QTest::qWaitFor([&] { return !queue->is_on(); }, 240000));
  std::set<std::string> devices;
  for (const QueuedRun& run : queue->runs()) {
    QVERIFY2(run.state == QueuedRun::State::finished, qPrintable(run.message));
    QVERIFY(fs::is_regular_file(to_path(run.message)));
    devices.insert(RunFolder::open(to_path(run.message).parent_path()).frozen_job().device);
  }
  QVERIFY((devices == std::set<std::string>{"cuda:1", "cuda:3"}));
}

void CardsTest::arguments_hold_the_whole_job() {
  JobSpec job;
  job.base = "/models/b a.safetensors";
  job.images = {"/one", "demo"};
  job.prior = {"/prior"};
  job.validation = {"/held out"};
  job.out = "/runs/new";
  job.device = "cuda:0,2";
  job.deterministic = true;
  job.memory_budget = 8'000'000'000;
  job.continue_from = "/old.safetensors";
  job.training_adapters = {{"/turbo.safetensors", 0.5}, {"/b.safetensors", 1}};
  job.dora_axis = DoraAxis::input;
  job.on_full_disk = OnFullDisk::stop;
  job.health_every = 7;
  job.overwrite = true;
  const auto text = [](const JobSpec& of) {
    return train_arguments(of, QStringLiteral("/p.json")).join(QLatin1Char('|'));
  };
  QCOMPARE(text(job),
           QStringLiteral("train|/p.json|--relay|--base|/models/b a.safetensors|--images|/one|"
                          "--images|demo|--prior|/prior|--validation|/held out|--out|/runs/new|"
                          "--device|cuda:0,2|--continue-from|/old.safetensors|--training-adapter|"
                          "/turbo.safetensors:0.5|--training-adapter|/b.safetensors:1|"
                          "--dora-axis|input|"
                          "--memory-budget|8000000000B|--health-every|7|--on-full-disk|stop|"
                          "--deterministic|--overwrite"));
  split_over(job, "cuda:0,2");
  QVERIFY(text(job).contains(QStringLiteral("|--split-cards|cuda:0,2|")));
  QVERIFY(!text(job).contains(QStringLiteral("--device")));
  JobSpec resumed;
  resumed.base = "/b";
  resumed.resume = "/runs/old";
  resumed.out = "/runs/old";
  resumed.continue_from = "/old.safetensors";
  resumed.accept_changed = {"base", "images"};
  resumed.start_over = true;
  QCOMPARE(text(resumed),
           QStringLiteral("train|/p.json|--relay|--base|/b|--device|cpu|--resume|/runs/old|"
                          "--accept-changed|base|--accept-changed|images|--health-every|50|"
                          "--on-full-disk|wait|--start-over"));
}

namespace {

/// A program in place of `mantissa`.
struct FalseProgram {
  QTemporaryDir folder;
  QString path = folder.filePath(QStringLiteral("mantissa"));
  explicit FalseProgram(const char* script) {
    QFile file(path);
    [&] { QVERIFY(file.open(QIODevice::WriteOnly)); }();
    file.write(script);
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  }
  Runner runner() const {
    return [program = path](const JobSpec& job, RunControl& control, RunObserver& observer) {
      return train_by(program, job, control, observer);
    };
  }
};

JobSpec demo_job() {
  JobSpec job;
  job.base = "demo";
  return job;
}

/// Why a run ends.
RunEnd end_of(EngineClient& engine) {
  RunEnd end;
  QSignalSpy ended(&engine, &EngineClient::ended);
  [&] { QVERIFY(ended.wait(20000)); }();
  return ended.isEmpty() ? end : ended[0][0].value<RunEnd>();
}

}  // namespace

void CardsTest::a_program_that_hangs_is_stopped() {
#ifdef Q_OS_WIN
  QSKIP("a script is no program there");
#endif
  const FalseProgram program("#!/bin/sh\nexec sleep 600\n");
  EngineClient engine(program.runner(), nullptr);
  QVERIFY(engine.start(demo_job()));
  QTest::qWait(200);
  QVERIFY(engine.is_running());
  engine.request_stop(RunControl::Stop::save);
  const RunEnd end = end_of(engine);
  QCOMPARE(end.how, RunEnd::How::stopped);
  QVERIFY(end.failure.message.text().find("before the process of the run had begun") !=
          std::string::npos);
}

void CardsTest::a_program_that_fails_is_quoted() {
#ifdef Q_OS_WIN
  QSKIP("a script is no program there");
#endif
  const FalseProgram program("#!/bin/sh\necho 'cannot open shared object file' >&2\nexit 3\n");
  EngineClient engine(program.runner(), nullptr);
  QVERIFY(engine.start(demo_job()));
  const RunEnd end = end_of(engine);
  QCOMPARE(end.how, RunEnd::How::failed);
  const std::string told = end.failure.message.text();
  QVERIFY2(told.find("status 3") != std::string::npos &&
               told.find("cannot open shared object file") != std::string::npos,
           told.c_str());
}

}  // namespace mantissa::gui
