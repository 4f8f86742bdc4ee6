// DataTest: captions by a Qwen3-VL in this program, with a tiny real one.
#include <QElapsedTimer>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

#include "gui/dataset/CaptionerForm.h"
#include "gui/dataset/ProposalModel.h"
#include "gui/dataset/TaggerDialog.h"
#include "gui/dataset/TaggerForm.h"
#include "gui/widgets/NoWheelSpin.h"
#include "tests/gui/DataStudio.h"
#include "tests/gui/DataTest.h"

namespace mantissa::gui {
namespace {

const QString kCaptioner = QStringLiteral(MANTISSA_TEST_DATA "/golden/captioners/qwen3_vl_head");

struct CaptionerStudio : DataStudio {
  CaptionerStudio() : home_before(qgetenv("MANTISSA_HOME")) {
    qputenv("MANTISSA_HOME", folder.filePath(QStringLiteral("home")).toUtf8());
    fill();
    const QString demo = QStringLiteral(MANTISSA_SOURCE_DIR "/resources/demo/images/zorb_01.png");
    for (const char* name : {"a.png", "b.png", "c.png"}) {
      QFile::remove(in(name));
      QVERIFY(QFile::copy(demo, in(name)));  // its answer ends early
    }
    show_data();
    select({});
  }
  ~CaptionerStudio() { qputenv("MANTISSA_HOME", home_before); }
  CaptionerStudio(const CaptionerStudio&) = delete;
  CaptionerStudio& operator=(const CaptionerStudio&) = delete;

  /// The tiny model whose answers end with one of these tokens.
  QString model(const QByteArray& ends) const {
    const QString copy = folder.filePath(QStringLiteral("captioner"));
    QDir().mkpath(copy);
    for (const QString& file : QDir(kCaptioner).entryList(QDir::Files)) {
      QFile::copy(kCaptioner + QLatin1Char('/') + file, copy + QLatin1Char('/') + file);
    }
    write_bytes(copy + QStringLiteral("/generation_config.json"),
                "{\"eos_token_id\":[" + ends + "]}");
    return copy;
  }
  TaggerDialog* open() {
    QTest::mouseClick(tool_of(page(), QStringLiteral("Caption by a model")), Qt::LeftButton);
    return page()->tagger();
  }
  QByteArray home_before;
};

}  // namespace

void DataTest::a_qwen3_vl_is_recognised_and_writes_sentences() {
  CaptionerStudio t;
  TaggerDialog* dialog = t.open();
  const QString model = t.model("134");
  dialog->form()->folder()->set_path(model);  // where a tagger's folder belongs
  QVERIFY(dialog->form()->uses_captioner() && !dialog->form()->uses_endpoint());
  CaptionerForm* form = dialog->form()->captioner();
  QVERIFY(form->isVisible());
  QCOMPARE(form->model()->path(), model);
  QVERIFY(dialog->form()->tagger().isEmpty());
  form->model()->set_path(t.images);
  QVERIFY(!dialog->start_button()->isEnabled());
  QVERIFY(form->lack().contains(QStringLiteral("no Qwen3-VL")));
  form->model()->set_path(model);
  form->largest_side()->set_value(512);
  dialog->form()->existing_box()->setCurrentIndex(3);
  dialog->form()->trigger()->setText(QStringLiteral("sks"));
  QTest::mouseClick(dialog->start_button(), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return !dialog->is_busy(); }, 20000));
  QVERIFY2(dialog->proposals()->unreadable() == 0, qPrintable(dialog->status()));
  QCOMPARE(dialog->proposals()->rowCount(), 3);
  const QString said = dialog->proposals()->index(0, ProposalModel::proposed).data().toString();
  QVERIFY2(said.startsWith(QStringLiteral("sks, i")), qPrintable(said));
  QCOMPARE(read_bytes(t.in("a.txt")), QByteArray("red, disc"));  // nothing is written yet
  QTest::mouseClick(dialog->write_button(), Qt::LeftButton);
  QVERIFY(read_bytes(t.in("a.txt")).startsWith("sks, i"));
  t.page()->undo_stack()->undo();
  QCOMPARE(read_bytes(t.in("a.txt")), QByteArray("red, disc"));
  // The next time it is found as it was left.
  dialog = t.open();
  QVERIFY(dialog->form()->uses_captioner());
  QCOMPARE(dialog->form()->captioner()->options().largest_side, 512);
  QCOMPARE(dialog->form()->captioner()->model()->path(), model);
}

void DataTest::a_qwen3_vl_is_cancelled_at_once() {
  CaptionerStudio t;
  TaggerDialog* dialog = t.open();
  dialog->form()->folder()->set_path(t.model("299"));  // it goes on to the end of its room
  dialog->form()->existing_box()->setCurrentIndex(3);
  QTest::mouseClick(dialog->start_button(), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return dialog->is_busy(); }, 10000));
  QElapsedTimer clock;
  clock.start();
  QTest::mouseClick(dialog->cancel_button(), Qt::LeftButton);
  QVERIFY(!dialog->is_busy());
  QVERIFY2(clock.elapsed() < 1000, qPrintable(QString::number(clock.elapsed())));
  QVERIFY(!QFile::exists(t.in("c.txt")));
}

}  // namespace mantissa::gui
