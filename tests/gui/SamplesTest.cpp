#include "tests/gui/SamplesTest.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSlider>
#include <QTableView>
#include <QTextDocument>
#include <QToolButton>
#include <QtTest>
#include <fstream>

#include "engine/run/run_folder.h"
#include "gui/app/RunStatus.h"
#include "gui/app/SetupPage.h"
#include "gui/base/Text.h"
#include "gui/preset/FieldRow.h"
#include "gui/preset/SchemaForm.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunBar.h"
#include "gui/run/RunName.h"
#include "gui/samples/FreePrompt.h"
#include "gui/samples/ImagePane.h"
#include "gui/samples/SampleGrid.h"
#include "gui/samples/SampleModel.h"
#include "gui/widgets/MessageBar.h"
#include "gui/widgets/NoWheelSpin.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {
namespace {

/// A finished run with samples of steps 0, 20, 40 and 60, its folder and its adapter file.
struct SampledRun {
  QTemporaryDir folder;
  std::unique_ptr<TestSession> session;

  explicit SampledRun(bool adapter = true, std::int64_t steps = 60, double guidance = 6) {
    FakeEngine fake;
    fake.steps = steps;
    fake.sample_every = 20;
    fake.sample_file = make_test_image(folder.path(), 1);
    session = std::make_unique<TestSession>(fake);
    TestSession& t = *session;
    nlohmann::json prompts = nlohmann::json::parse(
        R"([{"prompt":"a red disc on a wall","steps":5},{"prompt":"watercolour","steps":400}])");
    prompts[0]["guidance"] = guidance;
    t.session->document().edit("samples.prompts", prompts);
    // The run's folder as written by the engine.
    JobSpec job;
    job.base = "demo";
    job.images = {"demo"};
    job.out = to_path(folder.filePath(QStringLiteral("run")));
    job.preset = t.session->document().preset();
    RunFolder::create(job);
    if (adapter) {
      std::ofstream(job.out / (with_own_name(job).preset.output.name + ".safetensors")) << "x";
    }
    t.show();
    t.window().actions()->start->trigger();
    if (!t.wait_for_end(15000)) {
      qFatal("the run did not end");
    }
    t.window().status()->set_shown_run(path_text(job.out), true);
    t.window().show_page(t.window().sample_grid());
  }
  SampleGrid& grid() { return *session->window().sample_grid(); }
};

}  // namespace

void SamplesTest::slider_and_keys_move_through_the_grid() {
  SampledRun run;
  SampleGrid& grid = run.grid();
  QCOMPARE(run.session->session->samples().columnCount(), 4);
  QCOMPARE(grid.step_slider()->maximum(), 3);
  grid.step_slider()->setValue(1);
  QCOMPARE(grid.table()->currentIndex().column(), 1);
  grid.table()->setFocus();
  QTest::keyClick(grid.table(), Qt::Key_Right);
  QCOMPARE(grid.step_slider()->value(), 2);
  QTest::keyClick(grid.table(), Qt::Key_Down);
  QCOMPARE(grid.table()->currentIndex().row(), 1);
  QCOMPARE(grid.table()->currentIndex().column(), 2);
  QVERIFY(grid.preview()->has_image());
  grid.show_step(0);
  QCOMPARE(grid.step_slider()->value(), 0);
}

/// The sliders of step and strength begin alike, and the steps, of which there are many, have room.
void SamplesTest::the_form_is_aligned() {
  SampledRun run;
  const auto place = [&](const QWidget* widget) {
    return QRect(widget->mapTo(&run.grid(), QPoint()), widget->size());
  };
  for (const QSize& size : {QSize(900, 600), QSize(1024, 700), QSize(1600, 1000)}) {
    run.session->window().resize(size);
    QTest::qWait(30);
    const QRect step = place(run.grid().step_slider()),
                strength = place(run.grid().strength_slider());
    QCOMPARE(strength.left(), step.left());
    QVERIFY(step.width() > strength.width());
    QVERIFY2(strength.width() > 60, qPrintable(QString::number(strength.width())));
  }
}

/// The rows of two prompts fill the height, and a sample that arrives leaves them as they are.
void SamplesTest::cells_fill_the_window() {
  SampledRun run;
  const QTableView* table = run.grid().table();
  const QHeaderView* steps = table->horizontalHeader();
  const auto filled = [&] {
    return static_cast<double>(table->verticalHeader()->length()) / table->viewport()->height();
  };
  const auto side_at = [&](int width, int height) {
    run.session->window().resize(width, height);
    QTest::qWait(50);
    return steps->sectionSize(0);
  };
  const int narrow = side_at(1024, 700);
  QCOMPARE(steps->sectionSize(0), run.grid().table()->verticalHeader()->sectionSize(0));
  QVERIFY2(filled() > 0.6 && filled() <= 1, qPrintable(QString::number(filled())));
  QVERIFY2(table->viewport()->width() > 2 * narrow, "two steps are in view side by side");
  QVERIFY2(table->horizontalScrollBar()->value() == table->horizontalScrollBar()->maximum(),
           "the newest is in view");
  side_at(1366, 768);
  QVERIFY2(filled() > 0.75 && filled() <= 1, qPrintable(QString::number(filled())));
  const int wide = side_at(2560, 1440);
  QVERIFY2(filled() > 0.7 && filled() <= 1, qPrintable(QString::number(filled())));
  QVERIFY2(wide > 2 * narrow, qPrintable(QStringLiteral("%1, %2").arg(narrow).arg(wide)));
  SampleRecord late = *run.session->session->samples().newest();
  for (const std::int64_t step : {80, 100, 120}) {
    late.step = step;
    run.session->session->samples().add(late);
  }
  QTest::qWait(50);
  QCOMPARE(steps->sectionSize(0), wide);
  QCOMPARE(run.grid().table()->currentIndex().column(), 6);
}

void SamplesTest::before_and_after_are_split() {
  SampledRun run;
  SampleGrid& grid = run.grid();
  grid.step_slider()->setValue(3);
  QVERIFY(!grid.preview()->is_split());
  QVERIFY(!grid.before_box()->isEnabled());
  grid.compare_button()->click();
  QVERIFY(grid.preview()->is_split());
  QVERIFY(grid.before_box()->currentText().contains(QStringLiteral("Before training")));
  ImagePane* pane = grid.preview();
  pane->setFocus();
  const double split = pane->split();
  QTest::keyClick(pane, Qt::Key_Left);
  QVERIFY(pane->split() < split);
  QTest::mouseClick(pane, Qt::LeftButton, {}, QPoint(pane->width() - 2, pane->height() / 2));
  QCOMPARE(pane->split(), 1.0);
  const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS");
  if (!keep.isEmpty()) {
    pane->set_split(0.4);
    pane->show_before(make_test_image(run.folder.path(), 4), QStringLiteral("step 0"),
                      QStringLiteral("step 60"));
    QVERIFY(run.session->window().grab().save(keep + QStringLiteral("/samples-split.png")));
  }
  grid.compare_button()->click();
  QVERIFY(!grid.preview()->is_split());
}

void SamplesTest::strength_needs_a_finished_adapter() {
  SampledRun run(false);
  SampleGrid& grid = run.grid();
  QVERIFY(!grid.render_button()->isEnabled());
  QVERIFY(!grid.strength_slider()->isEnabled());
  QStringList texts;
  for (const QLabel* label : grid.findChildren<QLabel*>()) {
    if (label->isVisible()) {
      texts << label->text();
    }
  }
  QVERIFY(texts.join(QLatin1Char('\n')).contains(QStringLiteral("adapter file")));
  // And during a run.
  SampledRun whole;
  QVERIFY(whole.grid().render_button()->isEnabled());
  whole.session->window().actions()->start->trigger();
  QVERIFY(!whole.grid().render_button()->isEnabled());
  QVERIFY(whole.session->wait_for_end());
}

void SamplesTest::strength_renders_on_the_engine_thread() {
  SampledRun run;
  SampleGrid& grid = run.grid();
  EngineClient& engine = run.session->engine();
  grid.table()->setCurrentIndex(run.session->session->samples().index(0, 3));
  grid.strength_slider()->setValue(grid.strength_slider()->maximum() * 3 / 8);
  QCOMPARE(grid.strength(), 0.75);
  SampleRequest seen;
  int renders = 0;
  connect(&engine, &EngineClient::rendered, this, [&](const SampleRequest& r) {
    seen = r;
    ++renders;
  });
  grid.render_button()->click();
  QVERIFY(engine.is_rendering());
  QCOMPARE(grid.render_button()->text(), QStringLiteral("Cancel"));
  QVERIFY(QTest::qWaitFor([&] { return !engine.is_rendering(); }));
  QCOMPARE(renders, 1);
  QCOMPARE(seen.prompt, std::string("a red disc on a wall"));
  QCOMPARE(seen.steps, 5);
  QCOMPARE(seen.loras.at(0).weight, 0.75);
  QVERIFY(seen.base == std::filesystem::path("demo"));
  QCOMPARE(grid.preview()->file(), path_text(seen.out));
  QVERIFY(grid.preview()->has_image());
  // A second request finds it.
  grid.render_button()->click();
  QVERIFY(!engine.is_rendering());
  QCOMPARE(renders, 1);
  // A long one can be cancelled, and that is no error.
  grid.table()->setCurrentIndex(run.session->session->samples().index(1, 3));
  grid.render_button()->click();
  QVERIFY(engine.is_rendering());
  QTest::qWait(20);
  grid.render_button()->click();
  QVERIFY(QTest::qWaitFor([&] { return !engine.is_rendering(); }, 500));
  QCOMPARE(renders, 1);
  QVERIFY(!run.session->window().messages()->text().contains(QStringLiteral("cancel")));
}

void SamplesTest::rendering_gives_way_to_a_run() {
  SampledRun run;
  EngineClient& engine = run.session->engine();
  run.grid().table()->setCurrentIndex(run.session->session->samples().index(1, 3));
  run.grid().render_button()->click();
  QVERIFY(engine.is_rendering());
  run.session->window().actions()->start->trigger();
  QVERIFY(QTest::qWaitFor([&] { return engine.is_running(); }, 2000));
  QVERIFY(!engine.is_rendering());
  QVERIFY(run.session->wait_for_end());
}

void SamplesTest::a_negative_prompt_without_effect_is_told() {
  for (const double guidance : {2.0, 1.0}) {
    SampledRun run(true, 60, guidance);
    FreePrompt* form = run.grid().free_prompt();
    form->prompts()->setPlainText(QStringLiteral("a disc of cheese"));
    form->negative()->setText(QStringLiteral("blur"));
    form->render_button()->click();
    QVERIFY(run.session->engine().is_rendering());
    QVERIFY(QTest::qWaitFor([&] { return !run.session->engine().is_rendering(); }));
    QCOMPARE(run.session->window().messages()->text().contains(QStringLiteral("no effect")),
             guidance == 1.0);
  }
}

void SamplesTest::free_prompts_are_rendered() {
  SampledRun run;
  SampleGrid& grid = run.grid();
  FreePrompt* form = grid.free_prompt();
  EngineClient& engine = run.session->engine();
  for (QToolButton* chip : grid.findChildren<QToolButton*>()) {
    if (chip->text() == QStringLiteral("Other prompts")) {
      QTest::mouseClick(chip, Qt::LeftButton);
    }
  }
  QVERIFY(form->isVisible());
  QVERIFY(!form->render_button()->isEnabled());  // no prompt yet
  QCOMPARE(form->adapter_box()->count(), 1);
  QTest::keyClicks(form->prompts(), QStringLiteral("a disc of cheese"));
  QTest::keyClicks(form->negative(), QStringLiteral("blur"));
  form->seed()->set_value(7);
  form->strength_slider()->setValue(form->strength_slider()->maximum());
  SampleRequest seen;
  connect(&engine, &EngineClient::rendered, this, [&](const SampleRequest& r) { seen = r; });
  QTest::mouseClick(form->render_button(), Qt::LeftButton);
  QVERIFY(engine.is_rendering());
  QCOMPARE(form->render_button()->text(), QStringLiteral("Cancel"));
  QVERIFY(QTest::qWaitFor([&] { return !engine.is_rendering(); }));
  QCOMPARE(seen.prompt, std::string("a disc of cheese"));
  QCOMPARE(seen.negative, std::string("blur"));
  QCOMPARE(seen.seed, std::int64_t{7});
  QCOMPARE(seen.loras.at(0).weight, 1.5);
  QCOMPARE(seen.steps, 5);
  QVERIFY(seen.columns.empty());
  QCOMPARE(grid.preview()->file(), path_text(seen.out));
  QVERIFY(grid.preview()->has_image());
  // The fixed prompts are as they were.
  grid.show_free_view(false);
  QVERIFY(grid.preview()->file() != path_text(seen.out));
}

void SamplesTest::free_prompts_make_tables() {
  SampledRun run;
  const auto folder = to_path(run.folder.filePath(QStringLiteral("run")));
  const std::string name = run.session->session->data().preset.output.name + ".safetensors";
  for (const char* step : {"step-00000020", "step-00000040"}) {
    std::filesystem::create_directories(folder / "checkpoints" / step);
    std::ofstream(folder / "checkpoints" / step / name) << "x";
  }
  run.session->window().status()->set_shown_run(path_text(folder), true);
  SampleGrid& grid = run.grid();
  FreePrompt* form = grid.free_prompt();
  grid.show_free_view(true);
  QCOMPARE(form->adapter_box()->count(), 3);
  QCOMPARE(form->adapter_box()->itemText(0), QStringLiteral("Checkpoint of step 20"));
  QCOMPARE(form->adapter_box()->currentText(), QStringLiteral("Finished adapter"));
  form->prompts()->setPlainText(QStringLiteral("one\n\n two \n"));
  EngineClient& engine = run.session->engine();
  SampleRequest seen;
  connect(&engine, &EngineClient::rendered, this, [&](const SampleRequest& r) { seen = r; });
  const auto render = [&](FreePrompt::Columns columns) {
    form->columns_box()->setCurrentIndex(static_cast<int>(columns));
    form->render_button()->click();
    return QTest::qWaitFor([&] { return !engine.is_rendering(); });
  };
  QVERIFY(render(FreePrompt::Columns::checkpoints));
  QCOMPARE(seen.columns.size(), std::size_t{3});
  QCOMPARE(seen.columns[0].label, std::string("step 20"));
  QCOMPARE(seen.samples.size(), std::size_t{2});
  QCOMPARE(seen.samples[1].prompt, std::string("two"));
  QVERIFY(!form->adapter_box()->isEnabled());
  QVERIFY(render(FreePrompt::Columns::strengths));
  QCOMPARE(seen.columns.size(), std::size_t{7});
  QCOMPARE(seen.columns.back().label, std::string("150%"));
  QVERIFY(!form->strength_slider()->isEnabled());
  QCOMPARE(grid.preview()->file(), path_text(seen.out));
}

void SamplesTest::a_paused_run_renders_free_prompts() {
  QTemporaryDir folder;
  JobSpec job;
  job.base = "demo";
  job.images = {"demo"};
  job.out = to_path(folder.filePath(QStringLiteral("run")));
  FakeEngine fake;
  fake.steps = 100000;
  fake.checkpoint = job.out / "checkpoints" / "step-00000007";
  TestSession t{fake};
  t.show();
  RunActions* a = t.window().actions();
  SampleGrid& grid = *t.window().sample_grid();
  FreePrompt* form = grid.free_prompt();
  t.window().show_page(&grid);
  a->start->trigger();
  QVERIFY(t.wait_for(RunState::training));
  // Without samples yet, by the button of the empty page.
  for (QPushButton* button : t.window().findChildren<QPushButton*>()) {
    if (button->text() == QStringLiteral("Write a prompt…")) {
      t.window().show_page(&grid);
      QTest::mouseClick(button, Qt::LeftButton);
    }
  }
  QVERIFY(form->isVisible());
  form->prompts()->setPlainText(QStringLiteral("a disc"));
  QVERIFY(!form->render_button()->isEnabled());
  a->pause->trigger();
  QVERIFY(t.wait_for(RunState::paused));
  QVERIFY(!form->render_button()->isEnabled());  // no checkpoint yet
  // The run's folder as written by the engine.
  job.preset = t.engine().job().preset;
  RunFolder::create(job);
  std::filesystem::create_directories(fake.checkpoint);
  std::ofstream(fake.checkpoint / (job.preset.output.name + ".safetensors")) << "x";
  a->save->trigger();
  QVERIFY(QTest::qWaitFor([&] { return form->render_button()->isEnabled(); }));
  QCOMPARE(form->adapter_box()->currentText(), QStringLiteral("Checkpoint of step 7"));
  SampleRequest seen;
  connect(&t.engine(), &EngineClient::rendered, this, [&](const SampleRequest& r) { seen = r; });
  QTest::mouseClick(form->render_button(), Qt::LeftButton);
  QVERIFY(t.engine().is_rendering());
  QVERIFY(QTest::qWaitFor([&] { return !t.engine().is_rendering(); }));
  QVERIFY(seen.loras.at(0).file == fake.checkpoint / (job.preset.output.name + ".safetensors"));
  QCOMPARE(t.engine().state(), RunState::paused);
  // Resuming the run ends a rendering.
  form->render_button()->click();
  QVERIFY(t.engine().is_rendering());
  a->pause->trigger();
  QVERIFY(t.wait_for(RunState::training));
  QVERIFY(QTest::qWaitFor([&] { return !t.engine().is_rendering(); }));
  QVERIFY(t.engine().is_running());
  a->stop->trigger();
  QVERIFY(t.wait_for_end());
}

/// The draft that the last window kept has edits since the run's start.
void SamplesTest::edits_of_a_run_found_in_progress_can_be_applied() {
  FakeEngine fake;
  fake.steps = 100000;
  TestSession t{fake};
  t.session->document().edit("training.steps", 100000);
  t.show();
  JobSpec job;
  job.preset = t.session->document().preset();
  t.session->document().edit("training.steps", 300);
  QVERIFY(t.engine().attach(job, t.script));
  QVERIFY(t.wait_for(RunState::training));
  QAction* apply = t.window().actions()->apply_live;
  QVERIFY(apply->isEnabled());
  QVERIFY2(apply->toolTip().contains(QStringLiteral("→ 300")), qPrintable(apply->toolTip()));
  apply->trigger();
  QVERIFY(!apply->isEnabled());
  QCOMPARE(t.engine().job().preset.training.steps, std::int64_t{300});
  QVERIFY(t.wait_for_end(10000));
}

void SamplesTest::live_settings_reach_the_run() {
  FakeEngine fake;
  fake.steps = 100000;
  TestSession t{fake};
  t.session->document().edit("training.steps", 100000);
  t.show();
  RunActions* a = t.window().actions();
  a->start->trigger();
  QVERIFY(t.wait_for(RunState::training));
  QVERIFY(!a->apply_live->isEnabled());
  SchemaForm* form = t.window().setup_page()->form();
  QVERIFY(form->row(QStringLiteral("training.steps"))->is_live());
  QVERIFY(!form->row(QStringLiteral("adapter.rank"))->is_live());
  // A preset change waits for the next run; the number of steps can be applied live.
  t.session->document().edit("adapter.rank", 3);
  QVERIFY(!a->apply_live->isEnabled());
  QVERIFY(QTest::qWaitFor([&] { return t.session->data().step() > 5; }));
  // What another program asked for is no edit of the draft, and stays until there is one.
  Preset asked = t.engine().job().preset;
  asked.training.steps = 90000;
  asked.adapter.rank = 64;
  emit t.engine().relay_settings(asked);
  QVERIFY(QTest::qWaitFor([&] { return t.session->data().total_steps() == 90000; }));
  QCOMPARE(t.engine().job().preset.training.steps, std::int64_t{90000});
  QVERIFY(t.engine().job().preset.adapter.rank != 64);
  QVERIFY(!a->apply_live->isEnabled());
  t.session->document().edit("training.steps", 300);
  QVERIFY(a->apply_live->isEnabled());
  QVERIFY(t.window().run_bar()->button(a->apply_live)->isVisible());
  const QString tip = a->apply_live->toolTip();
  QVERIFY2(tip.contains(QStringLiteral("Steps: 90000 → 300")), qPrintable(tip));
  a->apply_live->trigger();
  QVERIFY(!a->apply_live->isEnabled());
  QCOMPARE(t.engine().job().preset.training.steps, std::int64_t{300});
  QVERIFY(t.engine().job().preset.adapter.rank != 3);
  QVERIFY(t.wait_for_end(10000));
  QCOMPARE(t.session->data().step(), std::int64_t{300});
  QVERIFY(!form->row(QStringLiteral("training.steps"))->is_live());
}

// Qt shows tool tips that look like HTML as such.
void SamplesTest::prompts_are_text_and_no_markup() {
  SampleModel model;
  model.add({20, 0, "a <img src='x'> & more", "no such file.png"});
  const QString text = QStringLiteral("a <img src='x'> & more");
  for (const QString& tip : {model.headerData(0, Qt::Vertical, Qt::ToolTipRole).toString(),
                             model.data(model.index(0, 0), Qt::ToolTipRole).toString()}) {
    QVERIFY(Qt::mightBeRichText(tip));
    QTextDocument shown_text;
    shown_text.setHtml(tip);
    QVERIFY2(shown_text.toPlainText().endsWith(text), qPrintable(shown_text.toPlainText()));
  }
  QVERIFY(model.data(model.index(0, 0), Qt::AccessibleTextRole).toString().endsWith(text));
}

}  // namespace mantissa::gui
