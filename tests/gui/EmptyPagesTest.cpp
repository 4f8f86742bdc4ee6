#include "tests/gui/EmptyPagesTest.h"

#include <QDropEvent>
#include <QMimeData>
#include <QPushButton>
#include <QtTest>

#include "gui/app/SetupPage.h"
#include "gui/dataset/DataPage.h"
#include "gui/history/HistoryPage.h"
#include "gui/precision/ProbeView.h"
#include "gui/precision/RateTestView.h"
#include "gui/run/JobPanel.h"
#include "gui/run/PlotsPanel.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunPage.h"
#include "gui/samples/SampleGrid.h"
#include "gui/widgets/EmptyState.h"
#include "gui/widgets/MessageBar.h"
#include "gui/widgets/PathEdit.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {
namespace {

/// The visible button of an empty page with this text.
QPushButton* button_of(const EmptyState* empty, const char* text) {
  for (QPushButton* button : empty->findChildren<QPushButton*>()) {
    if (button->isVisible() && button->text() == QString::fromUtf8(text)) {
      return button;
    }
  }
  return nullptr;
}

}  // namespace

void EmptyPagesTest::train_starts_a_run() {
  TestSession t{endless_engine()};
  t.show();
  RunPage* page = t.window().run_page();
  t.window().show_page(page);
  QVERIFY(!page->plots()->isVisible());
  QPushButton* start = button_of(page->empty(), "Start a run");
  QVERIFY(start != nullptr);
  QTest::mouseClick(start, Qt::LeftButton);
  QVERIFY(t.wait_for(RunState::training));
  QVERIFY(page->plots()->isVisible());
  QVERIFY(!page->empty()->isVisible());
  t.engine().request_stop(RunControl::Stop::discard);
  QVERIFY(t.wait_for_end());
  QVERIFY(page->plots()->isVisible());
}

void EmptyPagesTest::history_starts_a_run() {
  TestSession t{endless_engine()};
  t.show();
  HistoryPage* page = t.window().history_page();
  t.window().show_page(page);
  QPushButton* start = button_of(page->empty(), "Start a run");
  QVERIFY(start != nullptr);
  QTest::mouseClick(start, Qt::LeftButton);
  QVERIFY(t.wait_for(RunState::training));
  QVERIFY(t.window().page() == t.window().run_page());
  QVERIFY(!start->isEnabled());
}

void EmptyPagesTest::start_leads_to_what_is_missing() {
  TestSession t{FakeEngine{}, false};
  t.show();
  t.window().show_page(t.window().history_page());
  QTest::mouseClick(button_of(t.window().history_page()->empty(), "Start a run"), Qt::LeftButton);
  QVERIFY(t.window().page() == t.window().setup_page());
  QVERIFY(t.window().messages()->text().contains(QStringLiteral("base model")));
}

void EmptyPagesTest::samples_offer_the_next_step() {
  FakeEngine engine = endless_engine();
  QTemporaryDir images;
  engine.sample_file = make_test_image(images.path(), 1);
  TestSession t{engine};
  t.show();
  t.session->document().edit("samples.prompts", nlohmann::json::array());
  SampleGrid* page = t.window().sample_grid();
  t.window().show_page(page);
  QPushButton* add = button_of(page->empty(), "Add a sample prompt");
  QVERIFY(add != nullptr);
  QTest::mouseClick(add, Qt::LeftButton);
  QVERIFY(t.window().page() == t.window().setup_page());

  t.session->document().edit("samples.prompts", nlohmann::json::parse(R"([{"prompt": "a"}])"));
  t.window().show_page(page);
  QPushButton* start = button_of(page->empty(), "Start a run");
  QVERIFY(start != nullptr);
  QTest::mouseClick(start, Qt::LeftButton);
  QVERIFY(t.wait_for(RunState::training));
  t.window().show_page(page);
  QPushButton* now = button_of(page->empty(), "Sample now");
  QVERIFY(now != nullptr);
  QTest::mouseClick(now, Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return page->table()->isVisible(); }));
}

/// What a probe and a range test are for, and their buttons, before the first one.
void EmptyPagesTest::tests_of_the_draft_start_from_their_page() {
  TestSession t{FakeEngine{}};
  t.show();
  SetupPage* page = t.window().setup_page();
  const auto intro = [page] {
    for (EmptyState* empty : page->findChildren<EmptyState*>()) {
      if (empty->isVisible()) {
        return empty;
      }
    }
    return static_cast<EmptyState*>(nullptr);
  };
  page->show_view(SetupPage::probe_view);
  QVERIFY(intro() != nullptr && button_of(intro(), "Find types") != nullptr);
  QPushButton* probe = button_of(intro(), "Probe");
  QVERIFY(probe != nullptr && probe->isEnabled());
  QTest::mouseClick(probe, Qt::LeftButton);
  QVERIFY(t.engine().is_probing());
  QVERIFY(!probe->isEnabled());
  QVERIFY(QTest::qWaitFor([&] { return page->probe()->report().has_value(); }));
  QVERIFY(intro() == nullptr);
  page->show_view(SetupPage::rate_view);
  QVERIFY(intro() != nullptr);
  QTest::mouseClick(button_of(intro(), "Test rates"), Qt::LeftButton);
  QVERIFY(t.engine().is_testing_rates());
  QVERIFY(QTest::qWaitFor([&] { return page->rates()->test().has_value(); }));
  QVERIFY(intro() == nullptr);
}

void EmptyPagesTest::a_folder_dropped_on_data_is_added() {
  TestSession t{FakeEngine{}, false};
  t.show();
  DataPage* page = t.window().data_page();
  t.window().show_page(page);
  const QList<EmptyState*> all = page->findChildren<EmptyState*>();
  const auto shown = std::find_if(all.begin(), all.end(), [](auto* e) { return e->isVisible(); });
  QVERIFY(shown != all.end());
  EmptyState* empty = *shown;
  const QImage before = empty->grab().toImage();
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(t.folder.path())});
  QDragEnterEvent enter(page->rect().center(), Qt::CopyAction, &data, Qt::LeftButton, {});
  QApplication::sendEvent(page, &enter);
  QVERIFY(enter.isAccepted());
  QVERIFY(empty->grab().toImage() != before);
  QDragLeaveEvent leave;
  QApplication::sendEvent(page, &leave);
  QVERIFY(empty->grab().toImage() == before);
  QApplication::sendEvent(page, &enter);
  QDropEvent drop(page->rect().center(), Qt::CopyAction, &data, Qt::LeftButton, {});
  QApplication::sendEvent(page, &drop);
  QCOMPARE(t.window().setup_page()->job()->images()->paths(),
           QStringList{QDir::toNativeSeparators(t.folder.path())});
}

}  // namespace mantissa::gui
