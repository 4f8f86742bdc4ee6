#include "tests/gui/RealEngineTest.h"

#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QSlider>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <fstream>

#include "engine/core/paths.h"
#include "engine/preflight/preflight.h"
#include "engine/preset/preset_io.h"
#include "gui/app/Session.h"
#include "gui/app/SetupPage.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/history/ComparePage.h"
#include "gui/history/HistoryPage.h"
#include "gui/history/RunModel.h"
#include "gui/plot/PlotWidget.h"
#include "gui/precision/PrecisionPanel.h"
#include "gui/precision/ProbeTable.h"
#include "gui/precision/ProbeView.h"
#include "gui/preset/LevelPlot.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/SchemaForm.h"
#include "gui/run/JobPanel.h"
#include "gui/run/LogView.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunBar.h"
#include "gui/run/RunData.h"
#include "gui/run/RunLoader.h"
#include "gui/run/RunPage.h"
#include "gui/samples/FreePrompt.h"
#include "gui/samples/ImagePane.h"
#include "gui/samples/SampleGrid.h"
#include "gui/widgets/MessageBar.h"
#include "gui/widgets/NoWheelSpin.h"
#include "tests/gui/RealStudio.h"

namespace mantissa::gui {

namespace fs = std::filesystem;

void RealEngineTest::trains_the_demo_through_the_window() {
  if (!find_resource("bpe_simple_vocab_16e6.txt.gz")) {
    QSKIP("the tokenizer's table is not here; packaging/bootstrap.sh fetches it");
  }
  RealStudio studio;
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
  QVERIFY2(!studio.ended, studio.end.failure.message.text().c_str());

  window.actions()->pause->trigger();
  QVERIFY(QTest::qWaitFor([&] { return s.engine().state() == RunState::paused || studio.ended; },
                          60000));
  QVERIFY2(!studio.ended, studio.end.failure.message.text().c_str());
  // The last steps may still be in the ring buffer when the pause is reported.
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
  QVERIFY2(studio.end.how == RunEnd::How::completed, studio.end.failure.message.text().c_str());

  QCOMPARE(s.data().loss.size(), static_cast<std::size_t>(steps));
  QVERIFY(std::filesystem::is_regular_file(studio.end.result.adapter));
  // Before step 1, in the middle, at the end.
  for (const int step : {0, std::max(steps / 2, 1), steps}) {
    QVERIFY(s.samples().find(step, 0) != nullptr);
  }
  QVERIFY(!window.run_page()->log()->text().isEmpty());
  // One pause, whatever was rendered meanwhile; the database knows it too.
  const auto pauses = [](const RunData& data) {
    std::vector<std::int64_t> found;
    for (const PlotMarker& marker : data.markers()) {
      if (marker.kind == PlotMarker::Kind::paused) {
        found.push_back(marker.step);
      }
    }
    return found;
  };
  QVERIFY(pauses(s.data()) == std::vector{paused_at});
  RunData stored;
  for (const PauseRecord& pause : load_run(to_qstring(studio.end.result.run_id)).pauses) {
    stored.add_pause(pause);
  }
  QVERIFY(pauses(stored) == std::vector{paused_at});
  const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS");
  if (!keep.isEmpty()) {
    s.save_screenshots(keep + QStringLiteral("/real"));
  }

  // The adapter at half its strength, by the engine.
  SampleGrid* grid = window.sample_grid();
  window.show_page(window.sample_grid());
  grid->show_step(steps);
  QVERIFY(grid->render_button()->isEnabled());
  grid->strength_slider()->setValue(grid->strength_slider()->maximum() / 4);
  QCOMPARE(grid->strength(), 0.5);
  const QString sample = grid->preview()->file();
  grid->render_button()->click();
  QVERIFY(QTest::qWaitFor([&] { return !s.engine().is_rendering(); }, 60000));
  QVERIFY2(grid->preview()->file() != sample, qPrintable(window.messages()->text()));
  QVERIFY(grid->preview()->has_image());

  // The database has the same data.
  const LoadedRun run = load_run(to_qstring(studio.end.result.run_id));
  QCOMPARE(run.steps.size(), static_cast<std::size_t>(steps));
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    QCOMPARE(run.steps[i].loss, s.data().loss.values()[i]);
  }
  QCOMPARE(run.state, QStringLiteral("finished"));
  s.open_run(path_text(studio.end.result.folder));
  QCOMPARE(s.data().loss.size(), static_cast<std::size_t>(steps));
}

void RealEngineTest::from_an_edit_to_the_comparison() {
  if (!find_resource("bpe_simple_vocab_16e6.txt.gz")) {
    QSKIP("the tokenizer's table is not here; packaging/bootstrap.sh fetches it");
  }
  RealStudio studio;
  Session& s = *studio.session;
  MainWindow& window = s.window();
  const auto running = [&] { return !studio.ended; };
  s.document().open(QStringLiteral(MANTISSA_SOURCE_DIR "/presets/demo.json"));
  window.setup_page()->job()->use_demo();

  // Edit → finding → fix.
  s.document().edit("data.resolution", 64);
  s.document().edit("data.batch_size", 1);
  s.document().edit("training.steps", 400);
  s.document().edit("samples.every", 0);
  s.document().edit("samples.prompts", nlohmann::json::parse(R"([
    {"prompt": "a coral zorb on a hill", "seed": 1, "width": 64, "height": 64, "steps": 2}])"));
  s.document().edit("precision.adapter", "fp16");
  window.actions()->check->trigger();
  const auto fix_button = [&]() -> QPushButton* {
    for (QPushButton* b : window.setup_page()->precision()->findChildren<QPushButton*>()) {
      if (b->accessibleName().contains(QStringLiteral("fix for S4"))) {
        return b;
      }
    }
    return nullptr;
  };
  QVERIFY(QTest::qWaitFor([&] { return fix_button() != nullptr; }, 60000));
  fix_button()->click();
  QCOMPARE(s.document().preset().precision.adapter, MasterType::fp32);
  QVERIFY(QTest::qWaitFor([&] { return !s.engine().is_checking(); }, 60000));
  QVERIFY(QTest::qWaitFor([&] { return window.setup_page()->precision()->refused() == 0; }, 60000));

  // Start → the plots move → pause → sample → resume → stop and save.
  window.actions()->start->trigger();
  QVERIFY(QTest::qWaitFor([&] { return s.data().step() >= 3 || studio.ended; }, 120000));
  QVERIFY2(running(), studio.end.failure.message.text().c_str());
  QVERIFY(window.page() == window.run_page());
  QVERIFY(window.run_page()->loss_plot()->y_high() > window.run_page()->loss_plot()->y_low());
  window.actions()->pause->trigger();
  QVERIFY(QTest::qWaitFor([&] { return s.engine().state() == RunState::paused || studio.ended; },
                          60000));
  QVERIFY2(running(), studio.end.failure.message.text().c_str());
  window.actions()->sample->trigger();
  QVERIFY(QTest::qWaitFor([&] { return s.samples().columnCount() == 1 || studio.ended; }, 60000));
  QVERIFY2(running(), studio.end.failure.message.text().c_str());
  const std::int64_t paused_at = s.data().step();
  window.actions()->pause->trigger();
  QVERIFY(QTest::qWaitFor([&] { return s.data().step() > paused_at || studio.ended; }, 60000));
  window.actions()->stop_save->trigger();
  QVERIFY(QTest::qWaitFor([&] { return studio.ended; }, 60000));
  QCOMPARE(studio.end.how, RunEnd::How::stopped);
  QVERIFY(!s.engine().last_saved().isEmpty());
  const std::int64_t first_steps = s.data().step();

  // History: the run is listed with its results, and continues from there.
  HistoryPage* history = window.history_page();
  window.show_page(window.history_page());
  QVERIFY(QTest::qWaitFor([&] { return history->model()->rowCount() == 1; }, 20000));
  const QString first = history->model()->index(0, 0).data(RunModel::kIdRole).toString();
  QCOMPARE(history->model()->at(0)->state, std::string("stopped"));
  QCOMPARE(history->model()->at(0)->steps, first_steps);
  history->choose(first);
  QVERIFY(QTest::qWaitFor([&] { return history->compare()->loaded() == 1; }, 20000));
  studio.ended = false;
  history->actions().resume->trigger();
  QVERIFY(QTest::qWaitFor([&] { return s.data().step() > first_steps || studio.ended; }, 120000));
  QVERIFY2(running(), studio.end.failure.message.text().c_str());
  window.actions()->stop_save->trigger();
  QVERIFY(QTest::qWaitFor([&] { return studio.ended; }, 60000));

  // Another run of the same preset with one change, and both compared.
  window.show_page(window.history_page());
  QVERIFY(QTest::qWaitFor([&] { return history->model()->at(0)->steps > first_steps; }, 20000));
  QVERIFY(QTest::qWaitFor([&] { return history->actions().duplicate->isEnabled(); }, 20000));
  history->actions().duplicate->trigger();
  QVERIFY(window.page() == window.setup_page());
  s.document().edit("optimizer.learning_rate", 1e-3);
  s.document().edit("training.steps", 12);
  studio.ended = false;
  window.actions()->start->trigger();
  QVERIFY(QTest::qWaitFor([&] { return studio.ended; }, 120000));
  QVERIFY2(studio.end.how == RunEnd::How::completed, studio.end.failure.message.text().c_str());
  window.show_page(window.history_page());
  QVERIFY(QTest::qWaitFor([&] { return history->model()->rowCount() == 2; }, 20000));
  history->table()->selectAll();
  QVERIFY(QTest::qWaitFor([&] { return history->compare()->loaded() == 2; }, 20000));
  QCOMPARE(history->compare()->loss_plot()->series().size(), std::size_t{2});
  QStringList keys;
  const QTableWidget* table = history->compare()->settings_table();
  for (int i = 0; i < table->rowCount(); ++i) {
    keys << table->item(i, 0)->toolTip();
  }
  QVERIFY2(keys.contains(QStringLiteral("optimizer.learning_rate")), qPrintable(keys.join(u' ')));
  QVERIFY(!keys.contains(QStringLiteral("adapter.rank")));
}

namespace {

/// The modules that `mantissa probe` prints, in its order; its message if it fails.
QStringList modules_of_the_command(const QString& preset) {
  QProcess command;
  const auto text = [](const char* words) { return QString::fromLatin1(words); };
  command.start(QCoreApplication::applicationDirPath() + text("/mantissa"),
                {text("probe"), preset, text("--base"), text("demo"), text("--images"),
                 text("demo"), text("--steps"), text("1")});
  command.waitForFinished(120000);
  if (command.exitStatus() != QProcess::NormalExit || command.exitCode() != 0) {
    return {command.errorString(), QString::fromUtf8(command.readAllStandardError())};
  }
  const QStringList lines = QString::fromUtf8(command.readAllStandardOutput())
                                .remove(QLatin1Char('\r'))
                                .split(QLatin1Char('\n'));
  QStringList modules;
  // A heading and the titles of the columns come first.
  for (qsizetype i = lines.indexOf(QStringLiteral("Modules whose gradients are furthest off")) + 2;
       i < lines.size() && !lines[i].isEmpty(); ++i) {
    modules << lines[i].simplified().section(QLatin1Char(' '), 0, 0);
  }
  return modules;
}

}  // namespace

void RealEngineTest::probe_ranks_as_the_command_does() {
  if (!find_resource("bpe_simple_vocab_16e6.txt.gz")) {
    QSKIP("the tokenizer's table is not here; packaging/bootstrap.sh fetches it");
  }
  RealStudio studio;
  Session& s = *studio.session;
  s.document().open(QStringLiteral(MANTISSA_SOURCE_DIR "/presets/demo.json"));
  for (const auto& [key, value] : {std::pair<const char*, nlohmann::json>{"data.resolution", 64},
                                   {"data.batch_size", 1},
                                   {"precision.weights.denoiser", "fp8_e4m3"},
                                   {"precision.compute", "bf16"}}) {
    QCOMPARE(s.document().edit(key, value), QString());
  }
  const QString file = studio.home.filePath(QStringLiteral("narrow.json"));
  s.document().save_as(file);
  SetupPage* setup = s.window().setup_page();
  setup->job()->use_demo();
  ProbeView* view = setup->probe();
  setup->show_view(SetupPage::probe_view);
  view->steps()->set_value(1);
  QTest::mouseClick(view->run_button(), Qt::LeftButton);
  QVERIFY(s.engine().is_probing());
  QVERIFY(QTest::qWaitFor([&] { return !s.engine().is_busy(); }, 120000));
  QVERIFY2(view->report().has_value(), qPrintable(view->verdict()));
  QStringList shown;
  for (int row = 0; row < std::min(view->model()->rowCount(), 10); ++row) {
    shown << to_qstring(view->model()->module(row).path);
  }
  QCOMPARE(shown.size(), 10);
  QCOMPARE(shown, modules_of_the_command(file));

  // A pin, and the same probe: its weight is in the wider type.
  const int row = shown.indexOf(to_qstring(view->model()->module(0).path));
  const std::string path = view->model()->module(row).path;
  const double before = view->model()->module(row).weight_sqnr;
  view->model()->toggle(row);
  QCOMPARE(s.document().preset().precision.pins.at(path), StorageType::bf16);
  QTest::mouseClick(view->run_button(), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return !s.engine().is_busy(); }, 120000));
  QVERIFY2(view->report().has_value(), qPrintable(view->verdict()));
  const auto& modules = view->report()->modules;
  const auto pinned = std::find_if(modules.begin(), modules.end(),
                                   [&](const ProbeModule& m) { return m.path == path; });
  QVERIFY(pinned != modules.end());
  QVERIFY(pinned->weight_sqnr > before + 10);
}

void RealEngineTest::bad_base_is_told_in_the_window() {
  RealStudio studio;
  Session& s = *studio.session;
  s.window().setup_page()->job()->use_demo();
  JobSpec job = s.window().setup_page()->job()->job();
  job.base = "/no/such/base.safetensors";
  s.engine().start(job);
  QVERIFY(QTest::qWaitFor([&] { return studio.ended; }, 20000));
  QCOMPARE(studio.end.how, RunEnd::How::failed);
  QVERIFY(message_text(studio.end.failure.message)
              .contains(QStringLiteral("/no/such/base.safetensors")));
  QVERIFY(s.window().run_page()->failure_card()->isVisible());
}

void RealEngineTest::a_paused_run_renders_free_prompts() {
  if (!find_resource("bpe_simple_vocab_16e6.txt.gz")) {
    QSKIP("the tokenizer's table is not here; packaging/bootstrap.sh fetches it");
  }
  RealStudio studio;
  Session& s = *studio.session;
  MainWindow& window = s.window();
  s.document().open(QStringLiteral(MANTISSA_SOURCE_DIR "/presets/demo.json"));
  for (const auto& [key, value] :
       {std::pair{"data.resolution", 64}, std::pair{"training.steps", 500},
        std::pair{"data.batch_size", 1}, std::pair{"samples.every", 0}}) {
    s.document().edit(key, value);
  }
  s.document().edit("samples.prompts", nlohmann::json::parse(R"([
    {"prompt": "a zorb", "seed": 1, "width": 64, "height": 64, "steps": 2}])"));
  window.setup_page()->job()->use_demo();
  window.actions()->start->trigger();
  QVERIFY(QTest::qWaitFor([&] { return s.data().step() >= 2 || studio.ended; }, 90000));
  QVERIFY2(!studio.ended, studio.end.failure.message.text().c_str());
  window.actions()->pause->trigger();
  QVERIFY(QTest::qWaitFor([&] { return s.engine().state() == RunState::paused; }, 60000));
  window.actions()->save->trigger();
  SampleGrid& grid = *window.sample_grid();
  window.show_page(&grid);
  grid.show_free_view(true);
  FreePrompt* form = grid.free_prompt();
  form->prompts()->setPlainText(QStringLiteral("a blue zorb\na hill"));
  form->columns_box()->setCurrentIndex(static_cast<int>(FreePrompt::Columns::strengths));
  QVERIFY(QTest::qWaitFor([&] { return form->render_button()->isEnabled(); }, 60000));
  const std::int64_t paused_at = s.data().step();
  QTest::mouseClick(form->render_button(), Qt::LeftButton);
  QVERIFY(s.engine().is_rendering());
  QVERIFY(QTest::qWaitFor([&] { return !s.engine().is_rendering(); }, 120000));
  QVERIFY2(grid.preview()->has_image(), qPrintable(window.messages()->text()));
  const QImage sheet(grid.preview()->file());
  QVERIFY(sheet.width() > 7 * 64 && sheet.height() > 2 * 64);
  if (const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS"); !keep.isEmpty()) {
    QVERIFY(window.grab().save(keep + QStringLiteral("/free-prompts.png")));
    QFile::copy(grid.preview()->file(), keep + QStringLiteral("/table.png"));
  }
  QCOMPARE(s.engine().state(), RunState::paused);
  window.actions()->pause->trigger();
  QVERIFY(QTest::qWaitFor([&] { return s.data().step() > paused_at + 1; }, 60000));
  window.actions()->stop_save->trigger();
  QVERIFY(QTest::qWaitFor([&] { return studio.ended; }, 60000));
  QCOMPARE(studio.end.how, RunEnd::How::stopped);
}

void RealEngineTest::the_form_shows_the_trained_noise_levels() {
  RealStudio studio;
  Session& s = *studio.session;
  LevelPlot* plot = s.window().setup_page()->form()->level_plot();
  QVERIFY(!plot->isVisibleTo(plot->parentWidget()));
  s.document().open(QStringLiteral(MANTISSA_SOURCE_DIR "/presets/demo.json"));
  s.window().setup_page()->job()->use_demo();
  const auto largest = [&] {
    return plot->levels().empty() ? 0.0
                                  : *std::max_element(plot->levels().begin(), plot->levels().end());
  };
  QVERIFY(QTest::qWaitFor([&] { return !plot->levels().empty(); }, 30000));
  QVERIFY(plot->isVisibleTo(plot->parentWidget()));
  QVERIFY(largest() < 1.3);  // uniform
  s.document().edit("training.timesteps", "logit_normal");
  QVERIFY(QTest::qWaitFor([&] { return largest() > 1.4; }, 30000));
  QVERIFY(plot->accessibleDescription().contains(QStringLiteral("in the middle")));
  s.window().setup_page()->form()->set_show_advanced(true);
  s.window().setup_page()->form()->jump_to(QStringLiteral("training.timesteps"));
  if (const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS"); !keep.isEmpty()) {
    QTest::qWait(100);
    QVERIFY(s.window().grab().save(keep + QStringLiteral("/levels.png")));
  }
}

/// The identity card's two options: with the changed files, and from the beginning.
void RealEngineTest::a_refused_resume_goes_on_where_a_button_says_so() {
  if (!find_resource("bpe_simple_vocab_16e6.txt.gz")) {
    QSKIP("the tokenizer's table is not here; packaging/bootstrap.sh fetches it");
  }
  RealStudio studio;
  Session& s = *studio.session;
  MainWindow& window = s.window();
  const fs::path base = to_path(studio.home.filePath(QStringLiteral("base.safetensors")));
  fs::copy_file(resource_path("demo/mini-sdxl.safetensors"), base);
  s.document().open(QStringLiteral(MANTISSA_SOURCE_DIR "/presets/demo.json"));
  for (const auto& [key, value] : {std::pair{"data.resolution", 64}, std::pair{"training.steps", 1},
                                   std::pair{"data.batch_size", 1}, std::pair{"samples.every", 0},
                                   std::pair{"schedule.warmup_steps", 0}}) {
    s.document().edit(key, value);
  }
  window.setup_page()->job()->set_paths(path_text(base), {QStringLiteral("demo")});
  const auto run_to_its_end = [&](QAbstractButton* button) {
    studio.ended = false;
    button != nullptr ? button->click() : window.actions()->start->trigger();
    return QTest::qWaitFor([&] { return studio.ended && !s.engine().is_running(); }, 120000);
  };
  /// The card's button with this name, where it can be clicked.
  const auto button = [&](const QString& name) -> QPushButton* {
    for (QPushButton* b : window.run_page()->failure_card()->findChildren<QPushButton*>()) {
      if (b->isVisible() && b->text().startsWith(name)) {
        return b;
      }
    }
    return nullptr;
  };
  QVERIFY(run_to_its_end(nullptr));
  QVERIFY2(studio.end.how == RunEnd::How::completed, studio.end.failure.message.text().c_str());
  const fs::path run = studio.end.result.folder;
  const auto flip = [](const fs::path& file, std::streamoff from_end) {
    std::fstream io(file, std::ios::in | std::ios::out | std::ios::binary);
    io.seekg(-from_end, std::ios::end);
    const int byte = io.get();
    io.seekp(-from_end, std::ios::end);
    io.put(static_cast<char>(byte ^ 1));
  };

  // Another base model: refused, then accepted.
  flip(base, 5);
  s.document().edit("training.steps", 2);
  window.setup_page()->job()->set_resume(path_text(run));
  QVERIFY(run_to_its_end(nullptr));
  QCOMPARE(studio.end.how, RunEnd::How::failed);
  QCOMPARE(studio.end.failure.changed, (std::vector<std::string>{"base"}));
  QVERIFY(window.run_page()->failure_card()->isVisible());
  QVERIFY(button(QStringLiteral("Start over")) == nullptr);
  QVERIFY(button(QStringLiteral("Resume")) == nullptr);
  QPushButton* accept = button(QStringLiteral("Continue with the changed files"));
  QVERIFY(accept != nullptr);
  QVERIFY(run_to_its_end(accept));
  QVERIFY2(studio.end.how == RunEnd::How::completed, studio.end.failure.message.text().c_str());
  QCOMPARE(studio.end.result.steps, std::int64_t{2});
  QVERIFY(window.run_page()->log()->text().contains(QStringLiteral("as accepted: base")));
  QVERIFY(!window.run_page()->failure_card()->isVisible());

  // No checkpoint is intact: refused, then begun again, with the damaged ones kept.
  std::size_t damaged = 0;
  for (const auto& entry : fs::directory_iterator(run / "checkpoints")) {
    flip(entry.path() / "state.safetensors", 5);
    ++damaged;
  }
  QCOMPARE(damaged, std::size_t{2});
  s.document().edit("training.steps", 3);
  window.setup_page()->job()->set_resume(path_text(run));
  QVERIFY(run_to_its_end(nullptr));
  QCOMPARE(studio.end.how, RunEnd::How::failed);
  QVERIFY(studio.end.failure.start_over);
  QVERIFY(button(QStringLiteral("Continue with")) == nullptr);
  QPushButton* again = button(QStringLiteral("Start over"));
  QVERIFY(again != nullptr);
  QVERIFY(run_to_its_end(again));
  QVERIFY2(studio.end.how == RunEnd::How::completed, studio.end.failure.message.text().c_str());
  QCOMPARE(studio.end.result.steps, std::int64_t{3});
  QVERIFY(fs::is_regular_file(run / "damaged-checkpoints/step-00000002/state.safetensors"));
  QVERIFY(fs::is_regular_file(run / "checkpoints/step-00000003/manifest.json"));
}

}  // namespace mantissa::gui
