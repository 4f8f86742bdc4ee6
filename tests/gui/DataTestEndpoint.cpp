// DataTest: captions by a model that a program serves, here a server of this machine.
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <nlohmann/json.hpp>

#include "gui/dataset/EndpointForm.h"
#include "gui/dataset/ProposalModel.h"
#include "gui/dataset/TaggerDialog.h"
#include "gui/dataset/TaggerForm.h"
#include "gui/widgets/NoWheelSpin.h"
#include "tests/gui/DataStudio.h"
#include "tests/gui/DataTest.h"
#include "tests/gui/PostServer.h"

namespace mantissa::gui {
namespace {

using namespace std::chrono_literals;

struct EndpointStudio : DataStudio {
  EndpointStudio() : home_before(qgetenv("MANTISSA_HOME")) {
    qputenv("MANTISSA_HOME", folder.filePath(QStringLiteral("home")).toUtf8());
    fill();
    show_data();
    select({});
    server.reply([](const test::HttpPosted&) {
      return test::HttpReply{
          200, R"({"choices":[{"message":{"content":"\"A red disc.\""},"finish_reason":"stop"}]})"};
    });
  }
  ~EndpointStudio() { qputenv("MANTISSA_HOME", home_before); }
  EndpointStudio(const EndpointStudio&) = delete;
  EndpointStudio& operator=(const EndpointStudio&) = delete;

  TaggerDialog* open() {
    QTest::mouseClick(tool_of(page(), QStringLiteral("Caption by a model")), Qt::LeftButton);
    return page()->tagger();
  }
  /// With the server as the source, for every image.
  TaggerDialog* open_with_server() {
    TaggerDialog* dialog = open();
    dialog->form()->source()->setCurrentIndex(1);
    dialog->form()->existing_box()->setCurrentIndex(3);
    dialog->form()->endpoint()->address()->setText(QString::fromStdString(server.address()));
    return dialog;
  }
  static bool caption(TaggerDialog* dialog) {
    QTest::mouseClick(dialog->start_button(), Qt::LeftButton);
    return QTest::qWaitFor([&] { return !dialog->is_busy(); }, 20000);
  }

  test::HttpServer server{{}};
  QByteArray home_before;
};

}  // namespace

void DataTest::a_served_models_captions_are_reviewed() {
  NEEDS_SERVER;
  EndpointStudio t;
  TaggerDialog* dialog = t.open();
  QVERIFY(!dialog->form()->uses_endpoint());
  dialog->form()->source()->setCurrentIndex(1);
  EndpointForm* form = dialog->form()->endpoint();
  QVERIFY(form->isVisible() && form->address()->text().isEmpty());
  QVERIFY(form->largest_side()->width() >= 60);   // room for its number
  QVERIFY(!dialog->start_button()->isEnabled());  // off without an address
  form->address()->setText(QStringLiteral("http://192.168.0.7:8080/v1"));
  QVERIFY2(form->where().contains(QStringLiteral("192.168.0.7")), qPrintable(form->where()));
  dialog = t.open_with_server();
  form = dialog->form()->endpoint();
  QVERIFY(form->where().contains(QStringLiteral("stay on this computer")));
  form->model()->setText(QStringLiteral("qwen-vl"));
  form->prompt()->setPlainText(QStringLiteral("What is it?"));
  dialog->form()->trigger()->setText(QStringLiteral("sks"));
  QVERIFY(EndpointStudio::caption(dialog));
  QCOMPARE(dialog->proposals()->rowCount(), 3);
  const auto request = nlohmann::json::parse(t.server.posted().front().body);
  QCOMPARE(request["model"], "qwen-vl");
  QCOMPARE(request["messages"][0]["content"][0]["text"], "What is it?");
  QCOMPARE(read_bytes(t.in("a.txt")), QByteArray("red, disc"));  // nothing is written yet
  QTest::mouseClick(dialog->write_button(), Qt::LeftButton);
  QCOMPARE(read_bytes(t.in("a.txt")), QByteArray("sks, A red disc.\n"));
  t.page()->undo_stack()->undo();
  QCOMPARE(read_bytes(t.in("a.txt")), QByteArray("red, disc"));
  QVERIFY(!QFile::exists(t.in("c.txt")));
  // The next time it is found as it was left.
  dialog = t.open();
  QVERIFY(dialog->form()->uses_endpoint());
  QCOMPARE(dialog->form()->endpoint()->options().model, std::string("qwen-vl"));
}

void DataTest::a_served_model_that_fails_is_told() {
  NEEDS_SERVER;
  EndpointStudio t;
  t.server.behave({.refuse = 500});
  TaggerDialog* dialog = t.open_with_server();
  QVERIFY(EndpointStudio::caption(dialog));
  QVERIFY2(dialog->status().contains(QStringLiteral("3 images in a row")) &&
               dialog->status().contains(QStringLiteral("status 500")),
           qPrintable(dialog->status()));
  QCOMPARE(dialog->proposals()->rowCount(), 3);
  QVERIFY(!dialog->write_button()->isEnabled());
  dialog->form()->endpoint()->address()->setText(QStringLiteral("http://127.0.0.1:9"));
  QVERIFY(EndpointStudio::caption(dialog));
  QVERIFY2(dialog->status().contains(QStringLiteral("no program answers"), Qt::CaseInsensitive),
           qPrintable(dialog->status()));
  dialog->form()->endpoint()->address()->setText(QStringLiteral("127.0.0.1:9"));
  QVERIFY(!dialog->start_button()->isEnabled());
}

void DataTest::a_served_model_is_cancelled_at_once() {
  NEEDS_SERVER;
  EndpointStudio t;
  t.server.behave({.wait = 20s});
  TaggerDialog* dialog = t.open_with_server();
  QTest::mouseClick(dialog->start_button(), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return !t.server.posted().empty(); }, 10000));
  QElapsedTimer clock;
  clock.start();
  QTest::mouseClick(dialog->cancel_button(), Qt::LeftButton);
  QVERIFY(!dialog->is_busy());
  t.session.reset();  // waits for the thread
  QVERIFY2(clock.elapsed() < 1500, qPrintable(QString::number(clock.elapsed())));
}

}  // namespace mantissa::gui
