#include "tests/gui/SetupTest.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QTabWidget>
#include <QToolButton>
#include <QtTest>
#include <algorithm>
#include <chrono>
#include <climits>
#include <thread>
#include <tuple>

#include "engine/plan/draft_plan.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/schema.h"
#include "gui/app/DropTarget.h"
#include "gui/app/PresetFiles.h"
#include "gui/app/SetupPage.h"
#include "gui/base/Language.h"
#include "gui/base/Text.h"
#include "gui/dataset/DataPage.h"
#include "gui/device/DevicePage.h"
#include "gui/engine/AppSettings.h"
#include "gui/history/HistoryPage.h"
#include "gui/precision/FindingCard.h"
#include "gui/precision/PlanLine.h"
#include "gui/precision/PlanWatcher.h"
#include "gui/precision/PrecisionPanel.h"
#include "gui/preset/DiffTable.h"
#include "gui/preset/FieldRow.h"
#include "gui/preset/ImportDialog.h"
#include "gui/preset/PresetDiff.h"
#include "gui/preset/PresetPicker.h"
#include "gui/preset/PresetTextView.h"
#include "gui/preset/SchemaForm.h"
#include "gui/preset/SchemaText.h"
#include "gui/run/JobPanel.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunQueue.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/MessageBar.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/PathEdit.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {

QString SetupTest::sample(const char* name) {
  return QStringLiteral(MANTISSA_SOURCE_DIR "/tests/golden/import/") + QString::fromLatin1(name);
}

QPushButton* SetupTest::button(const QWidget* in, const QString& accessible_name_part) {
  QCoreApplication::processEvents();  // a new widget of a layout is shown by an event
  for (QPushButton* b : in->findChildren<QPushButton*>()) {
    if (b->isVisible() && b->accessibleName().contains(accessible_name_part)) {
      return b;
    }
  }
  return nullptr;
}

bool SetupTest::said_in(const QWidget* widget, const QString& text) {
  const QList<QLabel*> labels = widget->findChildren<QLabel*>();
  return std::any_of(labels.begin(), labels.end(),
                     [&](const QLabel* label) { return label->text().contains(text); });
}

ImportDialog* SetupTest::import_dialog(QWidget& window) {
  return QTest::qWaitFor([&] { return open_dialog<ImportDialog>(window) != nullptr; }, 20000)
             ? open_dialog<ImportDialog>(window)
             : nullptr;
}

void SetupTest::text_is_edited_with_its_mistakes_told() {
  TestSession t{FakeEngine{}};
  t.show();
  SetupPage* page = t.window().setup_page();
  page->show_view(SetupPage::text_view);
  PresetTextView* view = page->text();
  t.session->document().edit("adapter.rank", 12);
  QVERIFY(view->editor()->toPlainText().contains(QStringLiteral("\"rank\": 12")));
  view->editor()->setPlainText(
      QStringLiteral("{\n  \"mantissa_preset\": 1,\n  \"adapter\": {\n"
                     "    \"rnak\": 8\n  }\n}"));
  QVERIFY(QTest::qWaitFor([&] { return !view->problem().isEmpty(); }));
  QVERIFY(view->problem().contains(QStringLiteral("did you mean")));
  QCOMPARE(view->editor()->marked_line(), 4);
  view->apply();
  QCOMPARE(t.session->document().preset().adapter.rank, 12);
  view->editor()->setPlainText(
      QStringLiteral("{\"mantissa_preset\": 1, \"adapter\": {\"rank\": 8}}"));
  QVERIFY(QTest::qWaitFor([&] { return view->problem().isEmpty(); }));
  QCOMPARE(view->editor()->marked_line(), 0);
  view->apply();
  QCOMPARE(t.session->document().preset().adapter.rank, 8);
  QVERIFY(!view->is_edited());
  t.session->document().undo_stack()->undo();
  QCOMPARE(t.session->document().preset().adapter.rank, 12);
  QVERIFY(view->editor()->toPlainText().contains(QStringLiteral("\"rank\": 12")));
}

void SetupTest::text_follows_the_form() {
  TestSession t{FakeEngine{}};
  t.show();
  SetupPage* page = t.window().setup_page();
  PresetTextView* view = page->text();
  t.session->document().edit("training.steps", 77);
  page->show_view(SetupPage::text_view);
  QVERIFY(view->editor()->toPlainText().contains(QStringLiteral("77")));
  // What was typed and not applied is not lost to an edit elsewhere.
  view->editor()->setPlainText(QStringLiteral("{ half"));
  t.session->document().edit("training.steps", 78);
  QCOMPARE(view->editor()->toPlainText(), QStringLiteral("{ half"));
  view->revert();
  QVERIFY(view->editor()->toPlainText().contains(QStringLiteral("78")));
  page->focus_search();
  QCOMPARE(page->view(), SetupPage::form_view);
}

void SetupTest::edited_text_is_what_runs_and_is_saved() {
  TestSession t{FakeEngine{}};
  t.show();
  t.window().setup_page()->job()->use_demo();
  PresetDocument& document = t.session->document();
  const QString file = t.folder.filePath(QStringLiteral("mine.json"));
  document.save_as(file);
  PresetTextView* view = t.window().setup_page()->text();
  t.window().setup_page()->show_view(SetupPage::text_view);
  view->editor()->setPlainText(
      QStringLiteral("{\"mantissa_preset\": 1, \"adapter\": {\"rank\": 7}}"));
  t.window().files()->save();
  QCOMPARE(load_preset(to_path(file)).adapter.rank, 7);
  QVERIFY(!document.is_dirty() && !view->is_edited());

  view->editor()->setPlainText(
      QStringLiteral("{\"mantissa_preset\": 1, \"adapter\": {\"rank\": 9}}"));
  t.window().actions()->enqueue->trigger();
  QCOMPARE(t.window().queue()->waiting(), 1);
  QCOMPARE(t.window().queue()->runs()[0].job.preset.adapter.rank, 9);

  view->editor()->setPlainText(
      QStringLiteral("{\"mantissa_preset\": 1, \"adapter\": {\"rank\": 5}}"));
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_end());
  QCOMPARE(t.engine().job().preset.adapter.rank, 5);
}

void SetupTest::text_with_an_error_starts_and_saves_nothing() {
  TestSession t{FakeEngine{}};
  t.show();
  SetupPage* page = t.window().setup_page();
  page->job()->use_demo();
  PresetDocument& document = t.session->document();
  const QString file = t.folder.filePath(QStringLiteral("mine.json"));
  document.save_as(file);
  page->show_view(SetupPage::text_view);
  page->text()->editor()->setPlainText(
      QStringLiteral("{\n  \"mantissa_preset\": 1,\n  \"adapter\": {\"rnak\": 7}\n}"));
  const auto told = [&](const QString& what) {
    const bool shown = t.window().page() == page && page->view() == SetupPage::text_view &&
                       t.window().messages()->text().contains(what);
    t.window().messages()->hide();
    page->show_view(SetupPage::form_view);
    t.window().show_page(t.window().data_page());
    return shown;
  };
  const RunActions& actions = *t.window().actions();
  for (QAction* action : {actions.start, actions.enqueue, actions.check}) {
    action->trigger();
    QVERIFY2(told(QStringLiteral("The text has an error in line 3")), qPrintable(action->text()));
    QVERIFY(!t.engine().is_busy());
  }
  QCOMPARE(t.window().queue()->waiting(), 0);
  document.edit("adapter.rank", 12);
  t.window().files()->save();
  QVERIFY(told(QStringLiteral("apply or revert")));  // which of the two is meant?
  QVERIFY(load_preset(to_path(file)).adapter.rank != 12);
  page->text()->revert();
  t.window().files()->save();
  QCOMPARE(load_preset(to_path(file)).adapter.rank, 12);
}

void SetupTest::single_values_are_taken_from_another_preset() {
  TestSession t{FakeEngine{}};
  t.show();
  PresetEntry entry;
  entry.id = "other";
  entry.preset.name = "Other";
  entry.preset.adapter.rank = 4;
  entry.preset.training.steps = 500;
  t.window().files()->set_library({entry});
  t.session->document().edit("name", "Mine");
  t.session->document().edit("adapter.rank", 32);
  t.session->document().edit("training.steps", 900);
  SetupPage* page = t.window().setup_page();
  page->show_view(SetupPage::diff_view);
  PresetDiff* diff = page->diff();
  QCOMPARE(diff->table()->rows(), 3);
  const int other = diff->choice()->findText(QStringLiteral("Other"));
  QVERIFY(other > 0);
  diff->choice()->setCurrentIndex(other);
  emit diff->choice()->activated(other);
  QCOMPARE(diff->table()->rows(), 3);
  button(diff, QStringLiteral("Rank"))->click();
  QCOMPARE(t.session->document().preset().adapter.rank, 4);
  QCOMPARE(t.session->document().preset().training.steps, std::int64_t{900});
  QCOMPARE(diff->table()->rows(), 2);
  t.session->document().undo_stack()->undo();
  QCOMPARE(t.session->document().preset().adapter.rank, 32);
  QCOMPARE(diff->table()->rows(), 3);
  button(diff, QStringLiteral("every value"))->click();
  QVERIFY(t.session->document().preset() == entry.preset);
  QCOMPARE(diff->table()->rows(), 0);
  diff->compare_with_file(sample("kohya_sdxl.toml"));
  QTRY_VERIFY_WITH_TIMEOUT(diff->table()->rows() > 10, 20000);
  diff->compare_with_file(QStringLiteral("/no/such/file.json"));
  QTRY_VERIFY_WITH_TIMEOUT(said_in(diff, QStringLiteral("/no/such/file.json")), 20000);
  QVERIFY(diff->table()->rows() > 10);
}

void SetupTest::picker_groups_presets() {
  const std::vector<PresetEntry> entries =
      PresetLibrary(to_path(QStringLiteral(MANTISSA_SOURCE_DIR "/presets"))).list();
  TestSession t{FakeEngine{}};
  t.show();
  t.window().files()->set_library(entries);
  t.window().files()->show_picker();
  auto* picker = open_dialog<PresetPicker>(t.window());
  QVERIFY(picker != nullptr);
  QStringList heads;
  int choices = 0;
  for (int i = 0; i < picker->list()->count(); ++i) {
    const QListWidgetItem* item = picker->list()->item(i);
    if (item->flags() & Qt::ItemIsSelectable) {
      ++choices;
    } else {
      heads << item->text();
    }
  }
  QCOMPARE(choices, static_cast<int>(entries.size()));
  QVERIFY(heads.contains(QStringLiteral("By task")) && heads.contains(QStringLiteral("By memory")));
  QCOMPARE(QSet<QString>(heads.begin(), heads.end()).size(), heads.size());
  picker->findChild<QLineEdit*>()->setText(QStringLiteral("sdxl lora on 12"));
  QVERIFY(picker->list()->currentItem()->text().contains(QStringLiteral("12 GB")));
  button(picker, QStringLiteral("Use the selected"))->click();
  QCOMPARE(t.session->document().display_name(), QStringLiteral("SDXL LoRA on 12 GB"));
}

void SetupTest::recent_files_are_kept() {
  TestSession t{FakeEngine{}};
  t.show();
  const QString a = t.folder.filePath(QStringLiteral("a.json"));
  const QString b = t.folder.filePath(QStringLiteral("b.json"));
  t.session->document().save_as(a);
  t.session->document().save_as(b);
  QVERIFY(t.window().files()->open(a));
  QVERIFY(t.window().files()->open(b));
  QVERIFY(t.window().files()->open(a));
  QCOMPARE(t.session->settings().recent_files(), (QStringList{a, b}));
}

void SetupTest::screenshots() {
  const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS");
  if (keep.isEmpty()) {
    QSKIP("MANTISSA_SCREENSHOTS names no folder");
  }
  for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
    const QString at =
        keep + (mode == ThemeMode::dark ? QStringLiteral("/dark-") : QStringLiteral("/light-"));
    Preflight p([](const JobSpec& job) {
      PlanReport report = DraftPlanner().plan(job);
      const PlanReport fake = FakeEngine::plan(job);
      report.peak_bytes =
          job.preset.training.gradient_checkpointing ? 9'000'000'000 : 13'400'000'000;
      report.weight_bytes = fake.weight_bytes;
      report.arena_bytes = fake.arena_bytes;
      report.adapter_bytes = fake.adapter_bytes;
      report.free_bytes = fake.free_bytes;
      return report;
    });
    MainWindow& window = p.session->window();
    p.session->theme().apply(*qobject_cast<QApplication*>(qApp), mode);
    window.files()->set_library(
        PresetLibrary(to_path(QStringLiteral(MANTISSA_SOURCE_DIR "/presets"))).list());
    window.setup_page()->job()->use_demo();
    p.document().edit("name", "portrait-xl");
    p.document().edit("adapter.type", "dora");
    p.document().edit("precision.weights.denoiser", "fp8_e4m3");
    p.document().edit("precision.compute", "fp16");
    p.document().edit("precision.adapter", "fp16");
    QTest::qWait(600);
    const auto shoot = [&](QWidget* widget, const char* name) {
      QCoreApplication::processEvents();
      QVERIFY(widget->grab().save(at + QString::fromLatin1(name) + QStringLiteral(".png")));
    };
    shoot(&window, "preflight");
    shoot(p.panel(), "panel");
    window.setup_page()->show_view(SetupPage::text_view);
    window.setup_page()->text()->editor()->setPlainText(
        QStringLiteral("{\n  \"mantissa_preset\": 1,\n  \"adapter\": {\n    \"rnak\": 8\n  }\n}"));
    QTest::qWait(250);
    shoot(&window, "text");
    window.setup_page()->text()->revert();
    window.setup_page()->show_view(SetupPage::diff_view);
    shoot(&window, "compare");
    window.files()->show_picker();
    shoot(open_dialog<PresetPicker>(window), "picker");
    open_dialog<PresetPicker>(window)->close();
    window.files()->import_file(sample("kohya_sdxl.toml"));
    auto* dialog = import_dialog(window);
    shoot(dialog, "import");
    dialog->findChild<QTabWidget*>()->setCurrentIndex(1);
    shoot(dialog, "report");
    dialog->close();
  }
}

/// From the top, with its count beside the field, at every width; a jump ends the search.
void SetupTest::a_search_starts_at_the_top() {
  TestSession t{FakeEngine{}};
  t.show();
  SetupPage* page = t.window().setup_page();
  for (const int width : {900, 1024, 1280, 1920}) {
    t.window().resize(width, 700);
    page->search()->clear();
    QTest::qWait(50);
    const QPoint place = page->search()->mapTo(page, QPoint());
    page->form()->verticalScrollBar()->setValue(page->form()->verticalScrollBar()->maximum());
    page->focus_search();
    QTest::keyClicks(page->search(), QStringLiteral("rate"));
    QTest::qWait(80);
    QCOMPARE(page->form()->verticalScrollBar()->value(), 0);
    QCOMPARE(page->search()->mapTo(page, QPoint()), place);
    for (const QLabel* label : page->search()->parentWidget()->findChildren<QLabel*>()) {
      if (label->isVisible() && label->text().contains(QStringLiteral("found"))) {
        QVERIFY2(label->x() > page->search()->geometry().right(), qPrintable(label->text()));
        QVERIFY(label->width() >= label->sizeHint().width());
      }
    }
  }
  page->form()->jump_to(QStringLiteral("training.steps"));
  QCOMPARE(page->search()->text(), QString());
  QVERIFY(page->form()->row(QStringLiteral("adapter.rank"))->isVisible());
}

void SetupTest::a_search_lists_names_first() {
  TestSession t{FakeEngine{}};
  t.show();
  SetupPage* page = t.window().setup_page();
  page->focus_search();
  QTest::keyClicks(page->search(), QStringLiteral("learning"));
  QTest::qWait(50);
  int named = INT_MAX, mentioned = -1;
  for (FieldRow* row : page->form()->findChildren<FieldRow*>()) {
    if (!row->isVisible()) {
      continue;
    }
    const int y = row->mapTo(page->form()->widget(), QPoint()).y();
    if (row->is_named({QStringLiteral("learning")})) {
      named = std::min(named, y);
    } else if (row->setting().key == "adapter.alpha") {
      mentioned = y;
    }
  }
  QVERIFY(mentioned > named);
  page->search()->clear();
  QTest::qWait(50);
  // As before: the model's section is first again.
  QVERIFY(page->form()
              ->row(QStringLiteral("model.family"))
              ->mapTo(page->form()->widget(), QPoint())
              .y() < page->form()
                         ->row(QStringLiteral("adapter.rank"))
                         ->mapTo(page->form()->widget(), QPoint())
                         .y());
}

/// The form keeps a readable width, and the cards stand beside each other in what is left.
void SetupTest::a_wide_window_is_filled() {
  TestSession t{FakeEngine{}};
  t.show();
  SetupPage* page = t.window().setup_page();
  const auto place = [page](const QWidget* card) {
    return QRect(card->mapTo(page, QPoint()), card->size());
  };
  t.window().resize(2560, 1440);
  QTest::qWait(50);
  QVERIFY(page->form()->width() <= 760);
  QCOMPARE(place(page->job()).top(), place(page->precision()).top());
  QVERIFY(place(page->precision()).left() > place(page->job()).right());
  QVERIFY2(place(page->precision()).right() > page->width() * 95 / 100,
           qPrintable(QString::number(place(page->precision()).right())));
  t.window().resize(1366, 768);
  QTest::qWait(50);
  QCOMPARE(place(page->job()).left(), place(page->precision()).left());
  QVERIFY(place(page->precision()).top() > place(page->job()).bottom());
  // A search that does nothing in a view isn't there.
  QVERIFY(page->search()->isVisible());
  page->show_view(SetupPage::probe_view);
  QVERIFY(!page->search()->isVisible());
  page->focus_search();
  QVERIFY(page->search()->isVisible() && page->search()->hasFocus());
}

/// Its chips are words for people; the words of the search are in the window's language, and the
/// English ones are understood in each.
void SetupTest::states_are_searched_in_any_language() {
  const auto chip = [](SetupPage* page, const char* name) {
    for (QToolButton* button : page->findChildren<QToolButton*>()) {
      if (button->text() == QString::fromUtf8(name)) {
        return button;
      }
    }
    return static_cast<QToolButton*>(nullptr);
  };
  for (const auto& [language, modified, advanced, word] :
       {std::tuple{"en", "Modified", "Advanced", "@modified"},
        std::tuple{"ja", "変更あり", "詳細", "@変更あり"},
        std::tuple{"zh_CN", "已修改", "高级", "@已修改"}}) {
    QVERIFY(load_language(*qobject_cast<QApplication*>(qApp), QString::fromLatin1(language)));
    TestSession t{FakeEngine{}};
    t.show();
    t.session->document().edit("training.steps", 77);
    SetupPage* page = t.window().setup_page();
    const auto found = [page] {
      QStringList keys;
      for (const FieldRow* row : page->form()->findChildren<FieldRow*>()) {
        keys << (row->isVisible() ? QStringList(to_qstring(row->setting().key)) : QStringList());
      }
      return keys;
    };
    QToolButton* only = chip(page, modified);
    QVERIFY2(only != nullptr && chip(page, advanced) != nullptr, language);
    only->click();
    QCOMPARE(page->search()->text(), QString::fromUtf8(word));
    QCOMPARE(found(), QStringList{QStringLiteral("training.steps")});
    only->click();
    QCOMPARE(page->search()->text(), QString());
    page->search()->setText(QStringLiteral("@Modified"));
    QVERIFY(only->isChecked());
    QCOMPARE(found(), QStringList{QStringLiteral("training.steps")});
    page->search()->setText(QString::fromUtf8("＠") + QString::fromUtf8(word).mid(1));
    QVERIFY(only->isChecked());
  }
  QVERIFY(load_language(*qobject_cast<QApplication*>(qApp), QStringLiteral("en")));
}

void SetupTest::a_slider_asks_for_no_images() {
  TestSession t{FakeEngine{}};
  t.show();
  JobPanel* job = t.window().setup_page()->job();
  job->set_paths(QStringLiteral("/models/sdxl.safetensors"), {});
  QVERIFY(!job->missing().isEmpty());
  const auto applies = [&](const char* key) {
    return t.window().setup_page()->form()->row(QLatin1String(key))->applies_now();
  };
  QVERIFY(!applies("slider.target"));
  QVERIFY(applies("training.preservation"));
  QVERIFY(!applies("training.trigger_word"));
  t.session->document().edit("training.preservation", "class");
  QVERIFY(applies("training.trigger_word"));
  t.session->document().edit("training.purpose", "slider");
  QVERIFY(applies("slider.target"));
  QVERIFY(!applies("distilled.prompts"));
  t.session->document().edit("training.purpose", "adapter");
  QVERIFY(applies("distilled.prompts"));
  QVERIFY(!applies("slider.target"));
  QVERIFY(!applies("training.preservation"));
  QVERIFY(job->missing().isEmpty());
  QVERIFY(!job->images()->isEnabled());
  job->set_paths(QStringLiteral("/models/sdxl.safetensors"), {QStringLiteral("/data/zorbs")});
  QVERIFY(job->job().images.empty());
  for (const char* purpose : {"pair_slider", "images"}) {
    t.session->document().edit("training.purpose", purpose);
    QCOMPARE(job->job().images.size(), std::size_t{1});
    QVERIFY(!applies("slider.target"));
  }
}

void SetupTest::runs_are_named_after_their_parts() {
  TestSession t{FakeEngine{}};
  t.show();
  JobPanel* job = t.window().setup_page()->job();
  job->set_paths(QStringLiteral("/models/sd xl.safetensors"), {QStringLiteral("/data/zorbs")});
  t.session->document().edit("adapter.type", "dora");
  const auto said = [&] {
    for (const ElideLabel* label : job->findChildren<ElideLabel*>()) {
      if (label->isVisible()) {
        return label->text();
      }
    }
    return QString();
  };
  QCOMPARE(said(), QStringLiteral("Name of the next run: sd_xl-dora16-zorbs"));
  job->base()->set_path(QStringLiteral("/models/z_image.base.json"));
  QCOMPARE(said(), QStringLiteral("Name of the next run: z_image-dora16-zorbs"));
  job->base()->set_path(QStringLiteral("/models/sd xl.safetensors"));
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_end());
  QCOMPARE(t.engine().job().preset.output.name, std::string("sd_xl-dora16-zorbs"));
  // A name of the user's own stays.
  t.session->document().edit("output.name", "mine");
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_end());
  QCOMPARE(t.engine().job().preset.output.name, std::string("mine"));
}

}  // namespace mantissa::gui
