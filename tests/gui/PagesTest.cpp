#include "tests/gui/PagesTest.h"

#include <QApplication>
#include <QButtonGroup>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPalette>
#include <QPushButton>
#include <QScrollBar>
#include <QSet>
#include <QTableWidget>
#include <QToolButton>
#include <QTranslator>
#include <QtTest>
#include <algorithm>
#include <set>

#include "engine/core/paths.h"
#include "engine/preset/family_table.h"
#include "engine/store/store.h"
#include "gui/app/PageRail.h"
#include "gui/app/PageTable.h"
#include "gui/app/SetupPage.h"
#include "gui/app/ShortcutsDialog.h"
#include "gui/base/Text.h"
#include "gui/dataset/DataPage.h"
#include "gui/device/DevicePage.h"
#include "gui/history/HistoryPage.h"
#include "gui/history/RunModel.h"
#include "gui/precision/ExponentHistogram.h"
#include "gui/preset/LevelPlot.h"
#include "gui/run/JobPanel.h"
#include "gui/run/PlotsPanel.h"
#include "gui/widgets/PathEdit.h"
#include "gui/wizard/FirstRunWizard.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {
namespace {

/// Parts that Qt creates inside its own controls; those represent them.
bool is_inner(const QWidget* w) {
  const QWidget* parent = w->parentWidget();
  return qobject_cast<const QScrollBar*>(w) != nullptr || (parent == nullptr) ||
         parent->inherits("QAbstractSpinBox") || parent->inherits("QComboBox") ||
         parent->inherits("QMenuBar") || parent->inherits("QHeaderView") ||
         w->inherits("QComboBoxListView") || w->inherits("QTableCornerButton") ||
         w->objectName().startsWith(QLatin1String("qt_")) ||
         (parent->inherits("QAbstractScrollArea") && w->inherits("QHeaderView"));
}

/// As the engine reads it from a file's header; here by the file's name.
ModelFamily family_by_name(const QString& base) {
  const FamilyRow* row = find_family_row(QFileInfo(base).completeBaseName().toStdString());
  return row != nullptr ? row->id : ModelFamily::automatic;
}

bool is_blank(const QImage& image) {
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      if (qAlpha(image.pixel(x, y)) > 0) {
        return false;
      }
    }
  }
  return true;
}

QStringList nameless(const QWidget& root) {
  QStringList out;
  for (const QWidget* w : root.findChildren<QWidget*>()) {
    const bool focusable = w->focusPolicy() != Qt::NoFocus && w->isVisible();
    const auto* label = qobject_cast<const QLabel*>(w);
    if (label != nullptr && !label->text().isEmpty()) {
      continue;  // its text is its name
    }
    if (focusable && !is_inner(w) && w->accessibleName().isEmpty()) {
      QString path;
      for (const QWidget* p = w; p != nullptr; p = p->parentWidget()) {
        path = QString::fromLatin1(p->metaObject()->className()) + QLatin1Char('/') + path;
      }
      out << path;
    }
  }
  return out;
}

std::vector<PresetEntry> built_in() {
  return PresetLibrary(MANTISSA_SOURCE_DIR "/presets").list();
}

}  // namespace

void PagesTest::every_page_by_key() {
  TestSession t{FakeEngine{}};
  t.show();
  for (std::size_t i = 0; i < page_table().size(); ++i) {
    const QKeyCombination keys = page_table()[i].keys;
    QTest::keyClick(&t.window(), keys.key(), keys.keyboardModifiers());
    QVERIFY(t.window().page() == t.window().pages()[i]);
    QVERIFY(t.window().page()->isVisible());
  }
}

void PagesTest::every_row_is_whole() {
  const std::span<const PageRow> rows = page_table();
  QVERIFY(rows.size() >= 6);
  QSet<QString> ids, titles, keys;
  for (const PageRow& row : rows) {
    QVERIFY2(row.make != nullptr && row.id[0] != '\0', row.title);
    // A letter of the title is underlined; without that the texts are the same.
    QCOMPARE(QString::fromLatin1(row.menu_text).remove(QLatin1Char('&')),
             QString::fromLatin1(row.title));
    QCOMPARE(QString::fromLatin1(row.menu_text).count(QLatin1Char('&')), 1);
    ids.insert(QString::fromLatin1(row.id));
    titles.insert(QString::fromLatin1(row.title));
    keys.insert(QKeySequence(row.keys).toString());
    QImage drawn(32, 32, QImage::Format_ARGB32_Premultiplied);
    drawn.fill(Qt::transparent);
    QPainter painter(&drawn);
    paint_icon(painter, row.icon, QRectF(0, 0, 32, 32), Qt::black);
    painter.end();
    QVERIFY2(!is_blank(drawn), row.title);
  }
  const auto count = static_cast<qsizetype>(rows.size());
  QCOMPARE(ids.size(), count);
  QCOMPARE(titles.size(), count);
  QCOMPARE(keys.size(), count);
}

void PagesTest::rows_speak_every_language_data() {
  QTest::addColumn<QString>("language");
  QTest::newRow("zh_CN") << QStringLiteral("zh_CN");
  QTest::newRow("ja") << QStringLiteral("ja");
}

void PagesTest::rows_speak_every_language() {
  QFETCH(QString, language);
  QTranslator words;
  const auto folder = find_resource("i18n");
  QVERIFY(folder.has_value());
  QVERIFY(words.load(QLocale(language), QStringLiteral("mantissa"), QStringLiteral("_"),
                     path_text(*folder)));
  QSet<QString> titles;
  for (const PageRow& row : page_table()) {
    const QString title = words.translate("pages", row.title);
    const QString menu = words.translate("pages", row.menu_text);
    QVERIFY2(!title.isEmpty() && title != QLatin1String(row.title), row.title);
    QVERIFY2(menu.startsWith(title) && menu.contains(QLatin1Char('&')), row.menu_text);
    titles.insert(title);
  }
  QCOMPARE(titles.size(), static_cast<qsizetype>(page_table().size()));
}

void PagesTest::rail_and_menu_follow_the_table() {
  TestSession t{FakeEngine{}};
  t.show();
  const auto* rail = t.window().findChild<PageRail*>();
  QVERIFY(rail != nullptr);
  const QList<QToolButton*> buttons = rail->findChildren<QToolButton*>();
  QCOMPARE(buttons.size(), static_cast<qsizetype>(page_table().size()));
  QStringList commands;
  for (const QAction* action : t.window().findChildren<QAction*>()) {
    commands << action->text();
  }
  for (std::size_t i = 0; i < page_table().size(); ++i) {
    const PageRow& row = page_table()[i];
    QToolButton* button = buttons[static_cast<qsizetype>(i)];
    QCOMPARE(button->text(), QString::fromLatin1(row.title));
    QVERIFY(button->toolTip().contains(QKeySequence(row.keys).toString()));
    QVERIFY(commands.contains(QString::fromLatin1(row.menu_text)));
    button->click();
    QVERIFY(t.window().page() == t.window().pages()[i]);
    QVERIFY(button->isChecked());
  }
}

void PagesTest::every_focusable_widget_has_a_name() {
  TestSession t{FakeEngine{}};
  {
    RunStore store(to_path(t.folder.filePath(QStringLiteral("runs.db"))));
    RunRow row;
    row.id = "r1";
    row.name = "r1";
    row.state = "finished";
    store.create_run(row);
  }
  t.show();
  t.session->document().edit("samples.prompts", nlohmann::json::parse(R"([{"prompt":"a"}])"));
  for (Page* page : t.window().pages()) {
    t.window().show_page(page);
    QVERIFY(QTest::qWaitFor([&] { return !t.window().is_loading(); }, 60000));
    if (page == t.window().history_page()) {
      QVERIFY(QTest::qWaitFor([&] { return t.window().history_page()->model()->rowCount() == 1; }));
      t.window().history_page()->choose(QStringLiteral("r1"));
    }
    QCoreApplication::processEvents();
    const QStringList found = nameless(t.window());
    QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
  }
}

/// What it is, and what good looks like or what to do: of every view that a page offers, every plot
/// and every measure.
void PagesTest::every_view_and_plot_is_explained() {
  TestSession t{FakeEngine{}};
  t.show();
  int views = 0;
  for (const auto* chip : t.window().findChildren<QToolButton*>()) {
    // What cards do is written below the choice.
    const bool one_of_several = (chip->autoExclusive() || chip->group() != nullptr) &&
                                !t.window().device_page()->isAncestorOf(chip);
    if (chip->property("kind") == QStringLiteral("chip") && chip->isCheckable() && one_of_several) {
      ++views;
      QVERIFY2(chip->toolTip().count(QStringLiteral("<p>")) >= 2,
               qPrintable(chip->text() + QLatin1String(": ") + chip->toolTip()));
    }
  }
  QVERIFY(views >= 25);
  int plots = 0;
  for (const auto* plot : t.window().findChildren<PlotWidget*>()) {
    ++plots;
    QVERIFY2(plot->explanation().contains(QLatin1Char('\n')), qPrintable(plot->title()));
  }
  QVERIFY(plots >= static_cast<int>(kRunPlots) + 2);
  for (const QWidget* widget :
       {static_cast<QWidget*>(t.window().findChild<LevelPlot*>()),
        static_cast<QWidget*>(t.window().findChild<ExponentHistogram*>())}) {
    QVERIFY(widget->toolTip().count(QStringLiteral("<p>")) == 3);
  }
}

void PagesTest::palette_has_contrast() {
  TestSession t{FakeEngine{}};
  auto& app = *qobject_cast<QApplication*>(qApp);
  for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
    t.session->theme().apply(app, mode);
    const QPalette p = QApplication::palette();
    const std::pair<QPalette::ColorRole, QPalette::ColorRole> pairs[] = {
        {QPalette::WindowText, QPalette::Window},
        {QPalette::Text, QPalette::Base},
        {QPalette::Text, QPalette::AlternateBase},
        {QPalette::ButtonText, QPalette::Button},
        {QPalette::HighlightedText, QPalette::Highlight},
        {QPalette::ToolTipText, QPalette::ToolTipBase},
        {QPalette::PlaceholderText, QPalette::Base},
        {QPalette::Link, QPalette::Base}};
    for (const auto group : {QPalette::Active, QPalette::Inactive}) {
      for (const auto& [text, ground] : pairs) {
        const double ratio = contrast_ratio(p.color(group, text), p.color(group, ground));
        QVERIFY2(ratio >= 4.5,
                 qPrintable(QStringLiteral("role %1 on %2: %3").arg(text).arg(ground).arg(ratio)));
      }
    }
  }
}

void PagesTest::shortcuts_dialog_lists_the_keys() {
  TestSession t{FakeEngine{}};
  t.show();
  QTest::keyClick(&t.window(), Qt::Key_F1);
  auto* dialog = t.window().findChild<ShortcutsDialog*>();
  QVERIFY(dialog != nullptr && dialog->isVisible());
  QVERIFY(nameless(*dialog).isEmpty());
  auto* table = dialog->findChild<QTableWidget*>();
  QStringList keys;
  for (int i = 0; i < table->rowCount(); ++i) {
    keys << table->item(i, 1)->text();
    QVERIFY(!table->item(i, 2)->text().isEmpty());
  }
  for (const char* wanted : {"Ctrl+6", "F5", "Ctrl+K"}) {
    QVERIFY2(keys.contains(QString::fromLatin1(wanted)), wanted);
  }
  dialog->findChild<QLineEdit*>()->setText(QStringLiteral("ctrl+k"));
  int shown = 0;
  for (int i = 0; i < table->rowCount(); ++i) {
    shown += table->isRowHidden(i) ? 0 : 1;
  }
  QCOMPARE(shown, 1);
  QTest::keyClick(dialog, Qt::Key_Escape);
  QVERIFY(!dialog->isVisible());
}

void PagesTest::wizard_leads_to_the_demo() {
  TestSession t{FakeEngine{}, false};
  t.show();
  FirstRunWizard wizard(built_in(), family_by_name, &t.session->theme(), &t.window());
  wizard.setAttribute(Qt::WA_DeleteOnClose, false);
  std::optional<FirstRunChoice> chosen;
  connect(&wizard, &FirstRunWizard::chosen, [&](const FirstRunChoice& c) { chosen = c; });
  wizard.open();
  QVERIFY(nameless(wizard).isEmpty());
  QVERIFY(!wizard.back_button()->isEnabled());
  wizard.next_button()->click();
  QVERIFY(nameless(wizard).isEmpty());
  wizard.next_button()->click();
  QCOMPARE(wizard.step(), FirstRunWizard::goal_step);
  wizard.back_button()->click();
  QCOMPARE(wizard.step(), FirstRunWizard::images_step);
  wizard.next_button()->click();
  if (const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS"); !keep.isEmpty()) {
    QVERIFY(wizard.grab().save(keep + QStringLiteral("/wizard.png")));
  }
  wizard.next_button()->click();
  QVERIFY(chosen.has_value());
  QCOMPARE(chosen->base, QStringLiteral("demo"));
  QCOMPARE(chosen->images, QStringList{QStringLiteral("demo")});
  QVERIFY(chosen->preset && chosen->preset->name == "Demo");
  wizard.choose_goal(QStringLiteral("demo-z-image"));
  QCOMPARE(wizard.choice().base, QStringLiteral("demo-z-image"));
}

void PagesTest::wizard_says_what_the_base_model_is() {
  TestSession t{FakeEngine{}, false};
  FirstRunWizard wizard(built_in(), family_by_name, &t.session->theme(), &t.window());
  wizard.setAttribute(Qt::WA_DeleteOnClose, false);
  const auto offered = [&] {
    std::set<std::string_view> families;
    bool demo = false;
    for (const PresetEntry& goal : wizard.goals()) {
      const FamilyRow& row = family_row(goal.preset.model.family);
      if (wizard.offers(to_qstring(goal.id))) {
        families.insert(row.id.name());
        demo = demo || goal.id == row.demo.name;
      }
    }
    return std::pair(families, demo);
  };
  QVERIFY(offered().second);
  QCOMPARE(wizard.choice().preset->name, std::string("Demo"));
  const QString file = t.folder.filePath(QStringLiteral("sdxl.safetensors"));
  QFile out(file);
  QVERIFY(out.open(QIODevice::WriteOnly) && out.resize(4'000'000));
  wizard.base()->set_path(file);
  QVERIFY(!offered().second);  // never the demo's preset for a model of one's own
  QTRY_COMPARE(wizard.base_text(), QStringLiteral("SDXL · 4.0 MB"));
  QVERIFY(offered() == std::pair(std::set<std::string_view>{"sdxl"}, false));
  QVERIFY(wizard.choice().preset->model.family == ModelFamily("sdxl"));
  QCOMPARE(wizard.choice().base, file);
  QDir(t.folder.path()).mkdir(QStringLiteral("licensed"));
  const QString licensed = t.folder.filePath(QStringLiteral("licensed/sdxl.safetensors"));
  QByteArray header(R"({"__metadata__":{"modelspec.license":"CreativeML Open RAIL++-M"}})");
  QFile with(licensed);
  QVERIFY(
      with.open(QIODevice::WriteOnly) &&
      with.write(QByteArray(1, static_cast<char>(header.size())) + QByteArray(7, '\0') + header));
  with.close();
  wizard.base()->set_path(licensed);
  QTRY_VERIFY2(
      wizard.base_text().endsWith(QStringLiteral("licence: CreativeML Open RAIL++-M (metadata)")),
      qPrintable(wizard.base_text()));
  const QString other = t.folder.filePath(QStringLiteral("other.bin"));
  QVERIFY(QFile::copy(file, other));
  wizard.base()->set_path(other);
  QTRY_VERIFY(wizard.base_text().startsWith(QStringLiteral("No model that Mantissa can train")));
  wizard.base()->set_path(file + QStringLiteral("x"));
  QCOMPARE(wizard.base_text(), QStringLiteral("There is no such file or folder."));
}

void PagesTest::wizard_can_be_skipped_and_comes_once() {
  TestSession t{FakeEngine{}, false};
  t.show();
  FirstRunWizard* wizard = t.session->welcome();
  QVERIFY(wizard != nullptr);
  wizard->skip_button()->click();
  QVERIFY(t.window().setup_page()->job()->job().base.empty());
  QVERIFY(t.session->welcome() == nullptr);
}

void PagesTest::wizard_has_every_family() {
  TestSession t{FakeEngine{}, false};
  FirstRunWizard wizard(built_in(), family_by_name, &t.session->theme(), &t.window());
  wizard.setAttribute(Qt::WA_DeleteOnClose, false);
  QString texts;
  for (const QLabel* label : wizard.findChildren<QLabel*>()) {
    texts += label->text();
  }
  for (const FamilyRow* row : family_rows()) {
    const std::string name(row->id.name());
    QVERIFY2(texts.contains(to_qstring(family_models(*row))), name.c_str());
    const bool has_goal = std::ranges::any_of(wizard.goals(), [&](const PresetEntry& goal) {
      return goal.preset.model.family == row->id;
    });
    QVERIFY2(has_goal, name.c_str());
  }
}

}  // namespace mantissa::gui
