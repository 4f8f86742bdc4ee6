// DataTest: captions by a tagger, with a tiny real one.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QUndoStack>

#include "gui/app/SetupPage.h"
#include "gui/base/Language.h"
#include "gui/dataset/DatasetFilter.h"
#include "gui/dataset/ProposalModel.h"
#include "gui/dataset/TaggerDialog.h"
#include "gui/dataset/TaggerForm.h"
#include "gui/widgets/MessageBar.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/SciSpin.h"
#include "tests/gui/DataStudio.h"
#include "tests/gui/DataTest.h"

namespace mantissa::gui {
namespace {

const QString kTagger = QStringLiteral(MANTISSA_TEST_DATA "/golden/taggers/eva02");

/// A data folder of its own: journals of other tests are none of these.
struct TaggerStudio : DataStudio {
  TaggerStudio() : home_before(qgetenv("MANTISSA_HOME")) {
    qputenv("MANTISSA_HOME", home().toUtf8());
    fill();
    show_data();
    select({});
  }
  ~TaggerStudio() { qputenv("MANTISSA_HOME", home_before); }
  TaggerStudio(const TaggerStudio&) = delete;
  TaggerStudio& operator=(const TaggerStudio&) = delete;

  QString home() const { return folder.filePath(QStringLiteral("home")); }
  qsizetype journals() const {
    return QDir(home() + QStringLiteral("/captions"))
        .entryList({QStringLiteral("*.jsonl")}, QDir::Files)
        .size();
  }
  /// With all tags of the tagger; `existing`: the row of the box.
  TaggerDialog* open(int existing, const QString& tagger = kTagger) {
    QTest::mouseClick(tool_of(page(), QStringLiteral("Caption by a model")), Qt::LeftButton);
    TaggerDialog* dialog = page()->tagger();
    if (dialog != nullptr) {
      dialog->form()->folder()->set_path(tagger);
      dialog->form()->existing_box()->setCurrentIndex(existing);
      dialog->form()->threshold()->set_value(0);
      dialog->form()->trigger()->setText(QStringLiteral("sks"));
    }
    return dialog;
  }
  static bool caption(TaggerDialog* dialog) {
    QTest::mouseClick(dialog->start_button(), Qt::LeftButton);
    return QTest::qWaitFor([&] { return !dialog->is_busy(); }, 20000);
  }
  QByteArray home_before;
};

QString cell(const TaggerDialog* dialog, int row, int column) {
  return dialog->proposals()->index(row, column).data().toString();
}

}  // namespace

void DataTest::a_taggers_captions_are_reviewed_and_written() {
  TaggerStudio t;
  TaggerDialog* dialog = t.open(0, QString());
  QVERIFY(dialog != nullptr && !dialog->start_button()->isEnabled());
  dialog->form()->set_folder_chooser(
      [](QWidget*, const QString&, const auto& chosen) { chosen(kTagger); });
  QTest::mouseClick(tool_of(dialog, QStringLiteral("Browse for Tagger")), Qt::LeftButton);
  QVERIFY2(dialog->start_button()->text().startsWith(QStringLiteral("Caption 1 shown")),
           qPrintable(dialog->start_button()->text()));  // two have a caption, which is kept
  dialog->form()->existing_box()->setCurrentIndex(1);
  QVERIFY(dialog->start_button()->text().startsWith(QStringLiteral("Caption 3 shown")));
  QVERIFY(TaggerStudio::caption(dialog));
  QCOMPARE(dialog->proposals()->rowCount(), 3);
  QCOMPARE(cell(dialog, 0, ProposalModel::now), QStringLiteral("red, disc"));
  QVERIFY(cell(dialog, 0, ProposalModel::proposed).startsWith(QStringLiteral("sks, red, disc, ")));
  QVERIFY(cell(dialog, 2, ProposalModel::proposed).contains(QStringLiteral("long hair")));
  QCOMPARE(read_bytes(t.in("a.txt")), QByteArray("red, disc"));  // nothing is written yet
  // One is edited, one left out, by keys.
  QTableView* table = dialog->table();
  table->setFocus();
  table->setCurrentIndex(dialog->proposals()->index(1, ProposalModel::proposed));
  QTest::keyClick(table, Qt::Key_F2);
  auto* line = table->findChild<QLineEdit*>();
  QVERIFY(line != nullptr);
  line->selectAll();
  QTest::keyClicks(line, QStringLiteral("mine"));
  QTest::keyClick(line, Qt::Key_Return);
  QVERIFY(QTest::qWaitFor(
      [&] { return cell(dialog, 1, ProposalModel::proposed) == QLatin1String("mine"); }));
  table->setCurrentIndex(dialog->proposals()->index(2, ProposalModel::image));
  QTest::keyClick(table, Qt::Key_Space);
  QVERIFY(dialog->write_button()->text().startsWith(QStringLiteral("Write 2")));
  QTest::mouseClick(dialog->write_button(), Qt::LeftButton);
  QVERIFY(read_bytes(t.in("a.txt")).startsWith("sks, red, disc, "));
  QCOMPARE(read_bytes(t.in("b.txt")), QByteArray("mine\n"));
  QVERIFY(!QFile::exists(t.in("c.txt")));
  QCOMPARE(t.page()->book()->caption(1), QStringLiteral("mine"));
  QCOMPARE(t.page()->book()->bare(), 1);
  // The next time it is found as it was left.
  dialog = t.open(0, kTagger);
  QCOMPARE(t.session->settings().tagger(), kTagger);
}

void DataTest::a_taggers_captions_are_undone_as_one_step() {
  TaggerStudio t;
  TaggerDialog* dialog = t.open(3);
  QVERIFY(TaggerStudio::caption(dialog));
  QTest::mouseClick(dialog->write_button(), Qt::LeftButton);
  QVERIFY(read_bytes(t.in("c.txt")).startsWith("sks, "));
  QCOMPARE(t.journals(), 1);
  QCOMPARE(t.page()->book()->bare(), 0);
  t.window().activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&t.window()));
  QTest::keyClick(&t.window(), Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(t.journals(), 0);  // the command has nothing more to put back either
  QCOMPARE(read_bytes(t.in("a.txt")), QByteArray("red, disc"));
  QCOMPARE(read_bytes(t.in("b.txt")), QByteArray("disc, wide, sky"));
  QVERIFY(!QFile::exists(t.in("c.txt")));
  QCOMPARE(t.page()->book()->caption(0), QStringLiteral("red, disc"));
  QCOMPARE(t.page()->book()->bare(), 1);
  t.page()->undo_stack()->redo();
  QCOMPARE(t.journals(), 1);
  QVERIFY(read_bytes(t.in("c.txt")).startsWith("sks, "));
  // Another program's caption stays.
  write_bytes(t.in("b.txt"), "by hand\n");
  t.page()->undo_stack()->undo();
  QCOMPARE(read_bytes(t.in("a.txt")), QByteArray("red, disc"));
  QCOMPARE(read_bytes(t.in("b.txt")), QByteArray("by hand\n"));
}

void DataTest::the_latest_captions_are_put_back_after_a_start() {
  TaggerStudio t;
  TaggerDialog* dialog = t.open(3);
  QVERIFY(TaggerStudio::caption(dialog));
  QTest::mouseClick(dialog->write_button(), Qt::LeftButton);
  t.page()->scan();  // forgets the steps of undo, as a start does
  QVERIFY(QTest::qWaitFor([&] { return !t.page()->is_scanning(); }, 20000));
  dialog = t.open(3);
  QSignalSpy scanned(t.page(), &DataPage::scanned);
  QTest::mouseClick(dialog->undo_button(), Qt::LeftButton);
  QVERIFY(scanned.wait(20000));
  QCOMPARE(t.page()->book()->caption(0), QStringLiteral("red, disc"));
  QCOMPARE(t.page()->book()->bare(), 1);
  QVERIFY(t.page()->tagger() == nullptr || !t.page()->tagger()->isVisible());
}

void DataTest::a_tagger_takes_the_selected_images() {
  TaggerStudio t;
  t.select({0, 2});
  TaggerDialog* dialog = t.open(3);
  QVERIFY(dialog->start_button()->text().startsWith(QStringLiteral("Caption 2 selected")));
  QVERIFY(TaggerStudio::caption(dialog));
  QCOMPARE(dialog->proposals()->rowCount(), 2);
  QTest::mouseClick(dialog->write_button(), Qt::LeftButton);
  QCOMPARE(read_bytes(t.in("b.txt")), QByteArray("disc, wide, sky"));
  QVERIFY(read_bytes(t.in("a.txt")).startsWith("sks, "));
  QVERIFY(read_bytes(t.in("c.txt")).startsWith("sks, "));
}

void DataTest::images_that_got_a_caption_leave_the_filter() {
  TaggerStudio t;
  DataPage* page = t.page();
  emit page->filter_menu()->aboutToShow();
  for (QAction* action : page->filter_menu()->actions()) {
    if (action->text().startsWith(QStringLiteral("Without a caption"))) {
      action->trigger();
    }
  }
  QCOMPARE(page->list()->model()->rowCount(), 1);
  TaggerDialog* dialog = t.open(0);
  QVERIFY(TaggerStudio::caption(dialog));
  QTest::mouseClick(dialog->write_button(), Qt::LeftButton);
  QCOMPARE(page->list()->model()->rowCount(), 0);
}

void DataTest::captioning_is_cancelled_at_once() {
  TaggerStudio t;
  for (int i = 0; i < 300; ++i) {
    QVERIFY(QFile::copy(t.in("b.png"), t.images + QStringLiteral("/more-%1.png").arg(i)));
  }
  t.page()->scan();
  QVERIFY(QTest::qWaitFor([&] { return !t.page()->is_scanning(); }, 60000));
  t.select({});
  TaggerDialog* dialog = t.open(0);
  QTest::mouseClick(dialog->start_button(), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return dialog->proposals()->rowCount() > 0; }, 20000));
  QVERIFY2(dialog->status().startsWith(QStringLiteral("Captioned ")), qPrintable(dialog->status()));
  QElapsedTimer clock;
  clock.start();
  QTest::mouseClick(dialog->cancel_button(), Qt::LeftButton);
  QVERIFY(!dialog->is_busy() && clock.elapsed() < 1000);
  const int done = dialog->proposals()->rowCount();
  QVERIFY2(done > 0 && done < 301, qPrintable(QString::number(done)));
  QTest::qWait(200);
  QCOMPARE(dialog->proposals()->rowCount(), done);
  QVERIFY(!QFile::exists(t.in("c.txt")));
  // What is done can be written; closing asks first.
  QVERIFY(dialog->write_button()->isEnabled());
  dialog->reject();
  QVERIFY(dialog->isVisible());
  dialog->reject();
  QVERIFY(!dialog->isVisible());
}

void DataTest::a_broken_tagger_or_image_is_told() {
  TaggerStudio t;
  TaggerDialog* dialog = t.open(3, t.images);
  QVERIFY(TaggerStudio::caption(dialog));
  QVERIFY2(dialog->status().contains(QStringLiteral("holds no tagger")),
           qPrintable(dialog->status()));
  QVERIFY(!dialog->write_button()->isEnabled());
  QVERIFY(QFile::resize(t.in("c.png"), 60));
  dialog->form()->folder()->set_path(kTagger);
  QVERIFY(TaggerStudio::caption(dialog));
  QCOMPARE(dialog->proposals()->rowCount(), 3);
  QCOMPARE(dialog->proposals()->unreadable(), 1);
  const QModelIndex broken = dialog->proposals()->index(2, ProposalModel::image);
  QVERIFY(!(broken.flags() & Qt::ItemIsUserCheckable));
  QVERIFY(!cell(dialog, 2, ProposalModel::proposed).isEmpty());
  QTest::mouseClick(dialog->write_button(), Qt::LeftButton);
  QVERIFY(read_bytes(t.in("a.txt")).startsWith("sks, "));
  QVERIFY(!QFile::exists(t.in("c.txt")));
}

void DataTest::screenshots_of_the_tagger() {
  const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS");
  if (keep.isEmpty()) {
    QSKIP("MANTISSA_SCREENSHOTS names no folder");
  }
  QDir().mkpath(keep);
  for (const QString& language :
       {QStringLiteral("en"), QStringLiteral("ja"), QStringLiteral("zh_CN")}) {
    load_language(*qobject_cast<QApplication*>(qApp), language);
    for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
      TaggerStudio t;
      t.session->theme().apply(*qobject_cast<QApplication*>(qApp), mode);
      t.window().resize(1024, 700);
      t.page()->open_tagger();
      TaggerDialog* dialog = t.page()->tagger();
      dialog->form()->folder()->set_path(kTagger);
      dialog->form()->existing_box()->setCurrentIndex(1);
      dialog->form()->threshold()->set_value(0);
      QVERIFY(TaggerStudio::caption(dialog));
      QTest::qWait(200);
      const QString name =
          QStringLiteral("%1/tagger-%2-%3")
              .arg(keep, language,
                   mode == ThemeMode::dark ? QStringLiteral("dark") : QStringLiteral("light"));
      QVERIFY(dialog->grab().save(name + QStringLiteral(".png")));
      dialog->form()->source()->setCurrentIndex(1);
      QVERIFY(dialog->grab().save(name + QStringLiteral("-endpoint.png")));
      dialog->form()->source()->setCurrentIndex(2);
      QVERIFY(dialog->grab().save(name + QStringLiteral("-captioner.png")));
      QVERIFY(t.window().grab().save(name + QStringLiteral("-page.png")));
    }
  }
  for (QTranslator* words : qApp->findChildren<QTranslator*>(Qt::FindDirectChildrenOnly)) {
    delete words;
  }
}

}  // namespace mantissa::gui
