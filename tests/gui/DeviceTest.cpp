#include "tests/gui/DeviceTest.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryFile>
#include <QToolButton>
#include <QtTest>
#include <atomic>

#include "engine/core/error.h"
#include "engine/plan/backend.h"
#include "gui/app/Notifier.h"
#include "gui/app/SetupPage.h"
#include "gui/device/CardPicker.h"
#include "gui/device/DevicePage.h"
#include "gui/device/LibraryCard.h"
#include "gui/run/JobPanel.h"
#include "gui/run/RunActions.h"
#include "gui/widgets/MessageBar.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {
namespace {

DeviceReport two_cards() {
  DeviceReport report;
  DeviceInfo cpu;
  cpu.id = "cpu";
  cpu.name = "AMD EPYC <9654>";
  cpu.usable = true;
  cpu.threads = 96;
  cpu.features = {"avx2", "avx512bf16"};
  cpu.memory_bytes = 256'000'000'000;
  cpu.free_bytes = 200'000'000'000;
  DeviceInfo good;
  good.id = "cuda:0";
  good.name = "NVIDIA H200";
  good.usable = true;
  good.compute_capability = "9.0";
  good.driver = "580.65";
  good.memory_bytes = 141'000'000'000;
  DeviceInfo old = good;
  old.id = "cuda:1";
  old.name = "NVIDIA Tesla K80";
  old.usable = false;
  old.reason = Message::verbatim("its compute capability 3.7 is below 7.5");
  report.devices = {cpu, good, old};
  report.disks = {
      {QStringLiteral("Runs"), QStringLiteral("/home/me"), 1'000'000'000, 500'000'000'000}};
  report.versions = {{QStringLiteral("Mantissa"), QStringLiteral("0.1.0")}};
  return report;
}

/// A machine with three cards of one model.
DeviceReport three_cards() {
  DeviceReport report = two_cards();
  DeviceInfo card = report.devices[1];
  report.devices.pop_back();
  for (const char* id : {"cuda:1", "cuda:2"}) {
    card.id = id;
    report.devices.push_back(card);
  }
  return report;
}

/// A machine whose card lacks NVIDIA's libraries.
DeviceReport without_libraries() {
  DeviceReport report = two_cards();
  report.devices.pop_back();
  report.devices[1].usable = false;
  report.devices[1].lacks_libraries = true;
  report.devices[1].reason = Message::verbatim("cuBLAS 13 is not installed");
  return report;
}

QComboBox* device_box(TestSession& t) {
  for (QComboBox* box : t.window().setup_page()->job()->findChildren<QComboBox*>()) {
    if (box->accessibleName() == QLatin1String("Device")) {
      return box;
    }
  }
  return nullptr;
}

/// Shows the device page of a machine.
CardPicker* show_cards(TestSession& t, DeviceReport (*machine)()) {
  DevicePage* page = t.window().device_page();
  page->set_source(machine);
  t.show();
  t.window().show_page(page);
  page->refresh();
  [&] { QVERIFY(QTest::qWaitFor([&] { return page->is_ready(); })); }();
  return page->picker();
}

QString all_text(const QWidget* page) {
  QString text;
  for (const QLabel* label : page->findChildren<QLabel*>()) {
    text += label->text() + QLatin1Char('\n');
  }
  return text;
}

}  // namespace

void DeviceTest::shows_every_device_and_why_not() {
  TestSession t{FakeEngine{}};
  DevicePage* page = t.window().device_page();
  page->set_source(two_cards);
  t.show();
  t.window().show_page(t.window().device_page());
  QVERIFY(QTest::qWaitFor([&] { return page->is_ready(); }));
  const QString text = all_text(page);
  for (const char* part :
       {"AMD EPYC <9654>", "96", "avx512bf16", "NVIDIA H200", "9.0", "580.65", "Tesla K80",
        "Its compute capability 3.7 is below 7.5", "0.1.0", "/home/me"}) {
    QVERIFY2(text.contains(QString::fromUtf8(part)), part);
  }
  // Setup offers only usable devices.
  const auto* panel = t.window().setup_page()->job();
  const QComboBox* offered = nullptr;
  for (const QComboBox* box : panel->findChildren<QComboBox*>()) {
    offered = box->accessibleName() == QLatin1String("Device") ? box : offered;
  }
  QVERIFY(offered != nullptr);
  QCOMPARE(offered->count(), 2);
  QCOMPARE(offered->itemData(0).toString(), QStringLiteral("cpu"));
  QVERIFY(offered->itemText(1).contains(QStringLiteral("H200")));
}

void DeviceTest::ticked_cards_train() {
  TestSession t{FakeEngine{}};
  t.session->settings().set_device(QStringLiteral("cpu"));
  CardPicker* picker = show_cards(t, three_cards);
  const JobPanel* panel = t.window().setup_page()->job();
  QCOMPARE(picker->boxes().size(), std::size_t{3});
  const auto tick = [&](std::size_t card) {
    QTest::mouseClick(picker->boxes()[card], Qt::LeftButton, {},
                      QPoint(8, picker->boxes()[card]->height() / 2));
  };
  QCOMPARE(panel->job().device, std::string("cpu"));
  QVERIFY(!picker->way(CardUse::together)->isVisible());
  tick(0);
  QCOMPARE(panel->job().device, std::string("cuda:0"));
  QVERIFY(!picker->way(CardUse::together)->isVisible());
  tick(2);
  QCOMPARE(panel->job().device, std::string("cuda:0,2"));
  QCOMPARE(device_box(t)->currentText(), QStringLiteral("2 cards: one run on all"));
  QCOMPARE(device_box(t)->currentData(Qt::ToolTipRole).toString(),
           QStringLiteral("cuda:0, cuda:2"));
  QVERIFY(picker->way(CardUse::together)->isVisible() &&
          picker->way(CardUse::together)->isChecked());
  // What one card does.
  QCOMPARE(panel->first_device(), std::string("cuda:0"));

  QTest::mouseClick(picker->way(CardUse::each), Qt::LeftButton);
  QCOMPARE(device_box(t)->currentText(), QStringLiteral("2 cards: a run on each"));
  QCOMPARE(panel->device(), QStringLiteral("cuda:0,2"));
  QCOMPARE(panel->job().device, std::string("cuda:0"));

  t.window().close();
  t.start_again();
  CardPicker* again = show_cards(t, three_cards);
  QVERIFY(again->boxes()[0]->isChecked() && !again->boxes()[1]->isChecked());
  QVERIFY(again->boxes()[2]->isChecked() && again->way(CardUse::each)->isChecked());
  QTest::mouseClick(again->way(CardUse::together), Qt::LeftButton);
  QCOMPARE(t.window().setup_page()->job()->job().device, std::string("cuda:0,2"));
  for (const std::size_t card : {0, 2}) {
    QTest::mouseClick(again->boxes()[card], Qt::LeftButton, {},
                      QPoint(8, again->boxes()[card]->height() / 2));
  }
  QCOMPARE(t.window().setup_page()->job()->job().device, std::string("cpu"));
}

void DeviceTest::ticked_cards_hold_one_model() {
  TestSession t{FakeEngine{}};
  t.session->settings().set_device(QStringLiteral("cpu"));
  CardPicker* picker = show_cards(t, three_cards);
  const JobPanel* panel = t.window().setup_page()->job();
  const auto tick = [](const CardPicker* of, std::size_t card) {
    QTest::mouseClick(of->boxes()[card], Qt::LeftButton, {},
                      QPoint(8, of->boxes()[card]->height() / 2));
  };
  tick(picker, 1);
  tick(picker, 2);
  QTest::mouseClick(picker->way(CardUse::split), Qt::LeftButton);
  QCOMPARE(device_box(t)->currentText(), QStringLiteral("2 cards: one model across all"));
  QCOMPARE(panel->job().device, std::string("cuda:1"));
  QCOMPARE(devices_of(panel->job()), (std::vector<std::string>{"cuda:1", "cuda:2"}));

  t.window().close();
  t.start_again();
  CardPicker* again = show_cards(t, three_cards);
  panel = t.window().setup_page()->job();
  QVERIFY(again->way(CardUse::split)->isChecked());
  QCOMPARE(panel->job().split.size(), std::size_t{2});
  // One card has nothing to share.
  tick(again, 2);
  QCOMPARE(panel->job().device, std::string("cuda:1"));
  QVERIFY(panel->job().split.empty());
}

void DeviceTest::findings_of_a_split_are_met_by_a_click() {
  TestSession t{FakeEngine{}};
  CardPicker* picker = show_cards(t, three_cards);
  JobPanel* panel = t.window().setup_page()->job();
  panel->choose_device(QStringLiteral("cuda:2"));
  Finding finding{"split", Verdict::adjusted, {}, {}, "{}"};
  QVERIFY(!panel->remedy(finding).act);  // no split fits
  finding.fields = {"--split-cards"};
  QCOMPARE(panel->field(QStringLiteral("--split-cards")), device_box(t));
  panel->remedy(finding).act();
  QCOMPARE(devices_of(panel->job()), (std::vector<std::string>{"cuda:0", "cuda:1", "cuda:2"}));
  for (const QCheckBox* box : picker->boxes()) {
    QVERIFY(box->isChecked());
  }
  QVERIFY(picker->way(CardUse::split)->isChecked());
  QVERIFY(!panel->remedy(finding).act);  // it tells how they share the layers
  finding.verdict = Verdict::refused;
  panel->remedy(finding).act();
  QVERIFY(panel->job().split.empty());
  QCOMPARE(panel->job().device, std::string("cuda:0"));
  QVERIFY(picker->boxes()[0]->isChecked() && !picker->boxes()[1]->isChecked());
}

void DeviceTest::ticks_follow_setup() {
  TestSession t{FakeEngine{}};
  t.session->settings().set_device(QStringLiteral("cpu"));
  CardPicker* picker = show_cards(t, three_cards);
  QComboBox* box = device_box(t);
  QCOMPARE(box->count(), 4);
  box->setCurrentIndex(box->findData(QStringLiteral("cuda:1")));
  emit box->activated(box->currentIndex());
  QVERIFY(!picker->boxes()[0]->isChecked() && picker->boxes()[1]->isChecked());
  box->setCurrentIndex(0);
  emit box->activated(0);
  QVERIFY(!picker->boxes()[1]->isChecked());
}

/// A card if there is one, unless the processor was chosen.
void DeviceTest::the_first_card_is_chosen_until_the_user_chooses() {
  TestSession t{FakeEngine{}};
  CardPicker* picker = show_cards(t, three_cards);
  const JobPanel* panel = t.window().setup_page()->job();
  QCOMPARE(panel->job().device, std::string("cuda:0"));
  QVERIFY(picker->boxes()[0]->isChecked());
  QComboBox* box = device_box(t);
  box->setCurrentIndex(0);
  emit box->activated(0);
  t.window().close();
  t.start_again();
  show_cards(t, three_cards);
  QCOMPARE(t.window().setup_page()->job()->job().device, std::string("cpu"));
}

void DeviceTest::cards_that_are_gone_are_not_chosen() {
  TestSession t{FakeEngine{}};
  t.session->settings().set_device(QStringLiteral("cuda:0,1"));
  // Its second card can't be used.
  CardPicker* picker = show_cards(t, two_cards);
  QCOMPARE(picker->boxes().size(), std::size_t{1});
  QVERIFY(!picker->boxes()[0]->isChecked());
  QCOMPARE(t.window().setup_page()->job()->job().device, std::string("cpu"));
}

void DeviceTest::missing_libraries_are_installed_by_a_click() {
  TestSession t{FakeEngine{}};
  DevicePage* page = t.window().device_page();
  LibraryCard* card = page->libraries();
  std::atomic<bool> there = false;
  card->set_source([&there] {
    return LibrarySource{879'000'000,
                         {QStringLiteral("first terms"), QStringLiteral("second terms")},
                         [&there](const std::stop_token&, const auto& progress) {
                           progress({InstallProgress::Stage::downloading, "nvidia-cublas",
                                     423'000'000, 879'000'000, 0.25});
                           QTest::qSleep(200);
                           there = true;
                         }};
  });
  page->set_source([&there] { return there ? two_cards() : without_libraries(); });
  t.show();
  t.window().show_page(page);
  QVERIFY(QTest::qWaitFor([&] { return page->is_ready(); }));
  QVERIFY(card->isVisible() && !card->cancel_button()->isVisible());
  QCOMPARE(card->install_button()->text(), QStringLiteral("Install CUDA libraries (879 MB)"));
  QVERIFY(all_text(card).contains(QStringLiteral("first terms, second terms")));
  QTest::mouseClick(card->install_button(), Qt::LeftButton);
  QVERIFY(!card->install_button()->isVisible() && card->cancel_button()->isVisible());
  QVERIFY(QTest::qWaitFor([&] {
    return card->status() == QLatin1String("Downloading nvidia-cublas: 423 MB of 879 MB");
  }));
  // The card can be used at once.
  QVERIFY(QTest::qWaitFor([&] { return !card->isVisible(); }));
  QVERIFY(page->report().devices[1].usable);
  QVERIFY(device_box(t)->findData(QStringLiteral("cuda:0")) >= 0);
}

void DeviceTest::an_installation_is_cancelled_and_its_failure_told() {
  TestSession t{FakeEngine{}};
  DevicePage* page = t.window().device_page();
  LibraryCard* card = page->libraries();
  page->set_source(without_libraries);
  card->set_source([] {
    return LibrarySource{1, {}, [](const std::stop_token& stop, const auto&) {
                           while (!stop.stop_requested()) {
                             QTest::qSleep(10);
                           }
                           throw Error(ErrorKind::interrupted,
                                       Message::verbatim("cancelled; kept"));
                         }};
  });
  t.show();
  t.window().show_page(page);
  QVERIFY(QTest::qWaitFor([&] { return page->is_ready(); }));
  QTest::mouseClick(card->install_button(), Qt::LeftButton);
  QTest::mouseClick(card->cancel_button(), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return card->install_button()->isVisible(); }));
  QCOMPARE(card->status(), QStringLiteral("Cancelled; kept"));
  card->set_source([] {
    return LibrarySource{1, {}, [](const std::stop_token&, const auto&) {
                           throw Error(Message::verbatim("could not download it"));
                         }};
  });
  QTest::mouseClick(card->install_button(), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return card->install_button()->isVisible(); }));
  QCOMPARE(card->status(), QStringLiteral("Could not download it"));
  // A window that closes ends an installation.
  card->set_source([] {
    return LibrarySource{1, {}, [](const std::stop_token& stop, const auto&) {
                           while (!stop.stop_requested()) {
                             QTest::qSleep(10);
                           }
                         }};
  });
  QTest::mouseClick(card->install_button(), Qt::LeftButton);
}

void DeviceTest::copies_as_text() {
  TestSession t{FakeEngine{}};
  DevicePage* page = t.window().device_page();
  page->set_source(two_cards);
  t.show();
  t.window().show_page(t.window().device_page());
  QVERIFY(QTest::qWaitFor([&] { return page->is_ready(); }));
  page->setFocus();
  QTest::keySequence(page, QKeySequence::Copy);
  const QString text = QApplication::clipboard()->text();
  QVERIFY2(text.contains(QStringLiteral("cuda:1")) && text.contains(QStringLiteral("below 7.5")),
           qPrintable(text));
  QVERIFY(!t.window().messages()->text().isEmpty());
}

void DeviceTest::devices_are_tested_by_a_click() {
  TestSession t{FakeEngine{}};
  DevicePage* page = t.window().device_page();
  page->set_source(two_cards);
  QStringList asked;
  page->set_tests([&asked](const std::vector<DeviceInfo>& devices) {
    for (const DeviceInfo& d : devices) {
      asked << QString::fromStdString(d.id);
    }
    QTest::qSleep(100);
    return QStringLiteral("cuda:0: NVIDIA H200\n  product bf16 FAILED\n");
  });
  t.show();
  t.window().show_page(page);
  QVERIFY(!page->test_button()->isEnabled());
  QVERIFY(QTest::qWaitFor([&] { return page->is_ready(); }));
  QSignalSpy tested(page, &DevicePage::tested);
  QTest::mouseClick(page->test_button(), Qt::LeftButton);
  QVERIFY(!page->test_button()->isEnabled());
  QVERIFY(tested.wait());
  QCOMPARE(asked, (QStringList{"cpu", "cuda:0", "cuda:1"}));
  QVERIFY(page->test_button()->isEnabled());
  QVERIFY(all_text(page).contains(QStringLiteral("product bf16 FAILED")));
  page->setFocus();
  QTest::keySequence(page, QKeySequence::Copy);
  QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("product bf16 FAILED")));
  // Devices that are looked for again keep their results.
  QSignalSpy reported(page, &DevicePage::reported);
  page->refresh();
  QVERIFY(reported.wait());
  QVERIFY(all_text(page).contains(QStringLiteral("product bf16 FAILED")));
  // What the engine says of this machine's processor.
  const QString text = device_tests({list_devices().front()});
  QVERIFY2(text.contains(QStringLiteral("passed: 14 of 14 checks")), qPrintable(text));
}

void DeviceTest::this_machine_is_told() {
  QTemporaryDir home;
  qputenv("MANTISSA_HOME", home.path().toUtf8());
  const DeviceReport report = collect_device_report();
  qunsetenv("MANTISSA_HOME");
  QVERIFY(report.devices.size() >= 2);
  QVERIFY(report.devices[0].usable);
  QVERIFY(report.devices[0].memory_bytes > 0);
  for (const DeviceInfo& d : report.devices) {
    QVERIFY(d.usable == d.reason.empty());
  }
  QCOMPARE(report.disks.size(), std::size_t{2});
  QVERIFY(report.disks[0].total_bytes >= report.disks[0].free_bytes);
  QVERIFY(report.disks[0].total_bytes > 0);
}

void DeviceTest::notice_when_a_run_ends_unseen() {
  FakeEngine fake;
  fake.fail_step = 5;
  TestSession t{fake};  // its window is not shown, so it is not in front
  QSignalSpy told(t.window().notifier(), &Notifier::told);
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_end());
  QCOMPARE(told.count(), 1);
  QVERIFY(told[0][0].toString().contains(QString::fromUtf8(fake.failure.what())));

  TestSession seen{FakeEngine{}};
  seen.show();
  seen.window().activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&seen.window()));
  QSignalSpy quiet(seen.window().notifier(), &Notifier::told);
  seen.window().actions()->start->trigger();
  QVERIFY(seen.wait_for_end());
  QCOMPARE(quiet.count(), 0);
}

void DeviceTest::title_says_how_far() {
  FakeEngine fake;
  fake.steps = 1'000'000;
  TestSession t{fake};
  t.session->document().edit("training.steps", 1000);
  t.show();
  QVERIFY(!t.window().windowTitle().contains(QLatin1Char('%')));
  t.window().actions()->start->trigger();
  QVERIFY(QTest::qWaitFor([&] { return t.window().windowTitle().contains(QStringLiteral("2%")); },
                          20000));
  t.engine().request_stop(RunControl::Stop::discard);
  QVERIFY(t.wait_for_end());
  QVERIFY(!t.window().windowTitle().contains(QLatin1Char('%')));
}

void DeviceTest::an_unwritable_home_is_told() {
  // Below a file no folder can be made, whoever asks.
  QTemporaryFile file;
  QVERIFY(file.open());
  qputenv("MANTISSA_HOME", (file.fileName() + QStringLiteral("/home")).toUtf8());
  const DeviceReport report = collect_device_report();
  qunsetenv("MANTISSA_HOME");
  QCOMPARE(report.disks.size(), std::size_t{2});
  QVERIFY(report.disks[0].folder.contains(QStringLiteral("MANTISSA_HOME")));
  TestSession t{FakeEngine{}};
  DevicePage* page = t.window().device_page();
  page->set_source([]() -> DeviceReport { throw Error(Message::verbatim("no driver answers")); });
  t.show();
  t.window().show_page(page);
  QVERIFY(QTest::qWaitFor([&] { return all_text(page).contains(QStringLiteral("No driver")); }));
}

}  // namespace mantissa::gui
