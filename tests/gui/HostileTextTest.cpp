// Names that would reverse, hide or colour adjacent text: every label, table, list and tooltip of
// the window shows them escaped.
#include "tests/gui/HostileTextTest.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QtTest>

#include "engine/preset/preset_io.h"
#include "gui/app/SetupPage.h"
#include "gui/base/Text.h"
#include "gui/dataset/DataPage.h"
#include "gui/history/ComparePage.h"
#include "gui/run/DiskCard.h"
#include "gui/run/JobPanel.h"
#include "gui/run/MarkerCard.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunPage.h"
#include "gui/samples/SampleGrid.h"
#include "gui/widgets/MessageBar.h"
#include "tests/gui/HistoryStudio.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {
namespace {

/// ESC with a colour, unless files' names can't have it, a right-to-left override and a zero-width
/// space.
#ifdef Q_OS_WIN
const QString kHostile = QString::fromUtf8("evil\xe2\x80\xaegnp\xe2\x80\x8b");
const QString kEscaped = QStringLiteral("evil\\u202egnp\\u200b");
#else
const QString kHostile = QString::fromUtf8("evil\x1b[31m\xe2\x80\xaegnp\xe2\x80\x8b");
const QString kEscaped = QStringLiteral("evil\\x1b[31m\\u202egnp\\u200b");
#endif

/// A displayed text, and its place.
struct Said {
  QString where, text;
};

void add_cells(const QAbstractItemView* view, const QString& where, std::vector<Said>& said) {
  const QAbstractItemModel* model = view->model();
  const QModelIndex root = view->rootIndex();
  for (int row = 0; row < model->rowCount(root); ++row) {
    for (int column = 0; column < model->columnCount(root); ++column) {
      for (const int role : {Qt::DisplayRole, Qt::ToolTipRole, Qt::AccessibleTextRole,
                             Qt::AccessibleDescriptionRole, Qt::StatusTipRole}) {
        said.push_back({QStringLiteral("%1, column %2, role %3").arg(where).arg(column).arg(role),
                        model->data(model->index(row, column, root), role).toString()});
      }
    }
  }
  for (const Qt::Orientation way : {Qt::Horizontal, Qt::Vertical}) {
    const int count = way == Qt::Horizontal ? model->columnCount(root) : model->rowCount(root);
    for (int i = 0; i < count; ++i) {
      for (const int role : {Qt::DisplayRole, Qt::ToolTipRole}) {
        said.push_back(
            {where + QStringLiteral(", header"), model->headerData(i, way, role).toString()});
      }
    }
  }
}

/// Texts of `root` and all its children, hidden pages too, except editable fields.
std::vector<Said> all_said(QWidget* root) {
  std::vector<Said> said;
  QList<QWidget*> widgets = root->findChildren<QWidget*>();
  widgets << root;
  for (QWidget* widget : widgets) {
    const QWidget* parent = widget->parentWidget();
    const QString where =
        QString::fromLatin1(widget->metaObject()->className()) + QStringLiteral(" in ") +
        QString::fromLatin1(parent != nullptr ? parent->metaObject()->className() : "no widget");
    const auto add = [&](const QString& text) { said.push_back({where, text}); };
    for (const QString& text : {widget->toolTip(), widget->accessibleName(),
                                widget->accessibleDescription(), widget->windowTitle()}) {
      add(text);
    }
    for (const QAction* action : widget->actions()) {
      add(action->text());
      add(action->toolTip());
    }
    if (const auto* label = qobject_cast<QLabel*>(widget)) {
      add(label->text());
    } else if (const auto* button = qobject_cast<QAbstractButton*>(widget)) {
      add(button->text());
    } else if (const auto* box = qobject_cast<QComboBox*>(widget)) {
      for (int i = 0; i < box->count(); ++i) {
        add(box->itemText(i));
      }
    } else if (const auto* view = qobject_cast<QAbstractItemView*>(widget);
               view != nullptr && view->model() != nullptr) {
      add_cells(view, where, said);
    } else if (const auto* log = qobject_cast<QPlainTextEdit*>(widget);
               log != nullptr && log->isReadOnly()) {
      add(log->toPlainText());
    }
  }
  return said;
}

bool says(QWidget* root, const QString& text) {
  const std::vector<Said> said = all_said(root);
  return std::any_of(said.begin(), said.end(),
                     [&](const Said& s) { return s.text.contains(text); });
}

/// Nothing hidden anywhere, and at least `at_least` texts that hold the name escaped.
void expect_escaped(QWidget* root, int at_least) {
  int escaped = 0;
  QStringList raw;
  for (const Said& s : all_said(root)) {
    if (shown(s.text) != s.text) {
      raw << s.where + QStringLiteral(": ") + shown(s.text);
    }
    escaped += s.text.contains(kEscaped) ? 1 : 0;
  }
  raw.removeDuplicates();
  QVERIFY2(raw.isEmpty(), qPrintable(raw.join(QLatin1Char('\n'))));
  QVERIFY2(escaped >= at_least, qPrintable(QStringLiteral("%1 times").arg(escaped)));
}

}  // namespace

void HostileTextTest::the_scan_finds_what_is_hidden() {
  QWidget window;
  QLabel label(&window);
  QPushButton button(&window);
  QVERIFY(!says(&window, kHostile));
  label.setText(kHostile);
  QVERIFY(says(&window, kHostile));
  label.clear();
  button.setToolTip(kHostile);
  QVERIFY(says(&window, kHostile));
  QCOMPARE(shown(kHostile), kEscaped);
}

void HostileTextTest::images_and_captions() {
  TestSession t(FakeEngine{}, false);
  const QString images = t.folder.filePath(QStringLiteral("images-") + kHostile);
  QVERIFY(QDir().mkpath(images));
  QImage image(128, 128, QImage::Format_RGB32);
  image.fill(Qt::red);
  const QString name = images + QLatin1Char('/') + kHostile;
  QVERIFY(image.save(name + QStringLiteral(".png")));
  const auto write = [](const QString& file, const QByteArray& text) {
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(text);
  };
  write(name + QStringLiteral(".txt"), (kHostile + QStringLiteral(", tag")).toUtf8());
  write(name + QStringLiteral("-broken.png"), "not an image");
  write(name + QStringLiteral("-alone.txt"), "no image has this name");
  t.session->document().edit("data.resolution", 128);
  t.window().setup_page()->job()->set_paths(QString(), {images});
  t.show();
  QSignalSpy scanned(t.window().data_page(), &DataPage::scanned);
  t.window().show_page(t.window().data_page());
  QVERIFY(scanned.wait(20000));
  expect_escaped(t.window().data_page(), 4);
}

void HostileTextTest::runs_in_the_history() {
  HistoryStudio t;
  {
    RunStore store(t.database);
    for (const char* id : {"r1", "r2"}) {
      RunRow row = t.row(QString::fromLatin1(id), QStringLiteral("finished"), recipe("a", 8));
      row.name = kHostile.toStdString();
      row.base = "/models/" + kHostile.toStdString();
      store.create_run(row);
      HistoryStudio::add_steps(store, id, 1, 20, 0.1);
      store.add_event(id, LogLevel::warning, Message::verbatim(kHostile.toStdString()));
      store.annotate(id, kHostile.toStdString(), kHostile.toStdString());
      store.add_sample(id, {10, 0, kHostile.toStdString(), "/nowhere/" + kHostile.toStdString()});
    }
  }
  t.show_history(2);
  t.choose({QStringLiteral("r1"), QStringLiteral("r2")});
  QTest::qWait(100);  // the tags' filter is filled once the list is stable
  expect_escaped(&t.window(), 6);
}

void HostileTextTest::a_run_and_its_end() {
  FakeEngine fake;
  fake.steps = 60;
  fake.hostile = kHostile.toStdString();
  fake.nan_step = 5;
  fake.full_disk_step = 20;
  fake.save_every = 15;
  fake.sample_every = 15;
  TestSession samples(FakeEngine{});
  fake.sample_file = make_test_image(samples.folder.path(), 1);
  TestSession t(fake);
  t.show();
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for(RunState::paused));
  RunPage* page = t.window().run_page();
  QTRY_VERIFY(page->disk_card()->isVisible());
  QVERIFY(page->disk_card()->text().contains(kEscaped));
  QTest::mouseClick(page->disk_card()->retry_button(), Qt::LeftButton);
  QVERIFY(t.wait_for_end());
  QTRY_VERIFY2(t.window().messages()->text().contains(kEscaped),
               qPrintable(shown(t.window().messages()->text())));
  for (const PlotMarker& marker : t.session->data().markers()) {
    page->show_marker(marker);
    expect_escaped(page->marker_card(), 0);
  }
  t.window().sample_grid()->show_step(15);
  expect_escaped(&t.window(), 5);

  fake = {};
  fake.fail_step = 3;
  fake.failure = Error(Message::verbatim("can't read '" + kHostile.toStdString() + "'"));
  fake.hostile = kHostile.toStdString();
  fake.save_every = 2;
  TestSession failing(fake);
  failing.show();
  failing.window().actions()->start->trigger();
  QVERIFY(failing.wait_for_end());
  QTRY_VERIFY(failing.window().run_page()->failure_card()->isVisible());
  failing.window().show_exception(Error(Message::verbatim("can't open " + kHostile.toStdString())));
  expect_escaped(&failing.window(), 3);
}

void HostileTextTest::presets_and_the_queue() {
  TestSession t{FakeEngine{}};
  // A preset's texts may contain invisible characters, but no controls or overrides.
  const QString hidden = QString::fromUtf8("hidden\xe2\x80\x8b\xf3\xa0\x81\x81");
  for (const char* key : {"name", "description", "author"}) {
    t.session->document().edit(key, hidden.toStdString());
  }
  t.session->document().edit("tags", nlohmann::json::array({hidden.toStdString()}));
  t.show();
  t.window().actions()->enqueue->trigger();
  JobPanel* job = t.window().setup_page()->job();
  job->set_paths(QStringLiteral("/models/") + kHostile, {QStringLiteral("/images/") + kHostile});
  t.window().actions()->enqueue->trigger();
  QTest::qWait(100);
  for (Page* page : std::initializer_list<Page*>{t.window().setup_page(), t.window().run_page()}) {
    t.window().show_page(page);
    expect_escaped(&t.window(), 1);
  }
}

}  // namespace mantissa::gui
