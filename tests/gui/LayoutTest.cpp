#include "tests/gui/LayoutTest.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollArea>
#include <QStyleOptionComboBox>
#include <QStyleOptionFrame>
#include <QToolButton>
#include <QTranslator>
#include <QtTest>
#include <functional>

#include "engine/preset/schema.h"
#include "gui/app/HelpDialog.h"
#include "gui/app/PageTable.h"
#include "gui/app/SetupPage.h"
#include "gui/base/Language.h"
#include "gui/base/Text.h"
#include "gui/dataset/DataPage.h"
#include "gui/precision/PrecisionPanel.h"
#include "gui/preset/PresetDocument.h"
#include "gui/run/JobPanel.h"
#include "gui/widgets/ElideLabel.h"
#include "tests/gui/HistoryStudio.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {
namespace {

constexpr int kLeastEdit = 60, kLeastNumber = 36;  // fields narrower than this can't be read

bool has_room(const QLabel* label) {
  if (label->text().isEmpty()) {
    return true;
  }
  return label->wordWrap() ? label->height() >= label->heightForWidth(label->width())
                           : label->width() >= label->sizeHint().width() &&
                                 label->height() >= label->sizeHint().height();
}

bool has_room(const QAbstractButton* button) {
  const auto* tool = qobject_cast<const QToolButton*>(button);
  const bool icon = tool != nullptr && tool->toolButtonStyle() == Qt::ToolButtonIconOnly;
  return button->text().isEmpty() || icon ||
         (button->width() >= button->minimumSizeHint().width() &&
          button->height() >= button->fontMetrics().height() + 4);
}

bool has_room(const QComboBox* combo) {
  QStyleOptionComboBox option;
  option.initFrom(combo);
  option.editable = combo->isEditable();
  const QRect edit = combo->style()->subControlRect(QStyle::CC_ComboBox, &option,
                                                    QStyle::SC_ComboBoxEditField, combo);
  const int icon = combo->itemIcon(combo->currentIndex()).isNull() ? 0 : combo->iconSize().width();
  return edit.width() - icon >= combo->fontMetrics().boundingRect(combo->currentText()).width();
}

/// What it asks for can be read while it is empty.
bool has_room(const QLineEdit* edit) {
  QStyleOptionFrame option;
  option.initFrom(edit);
  QRect room = edit->style()->subElementRect(QStyle::SE_LineEditContents, &option, edit);
  for (const auto* inside : edit->findChildren<QToolButton*>()) {
    if (inside->isVisible() && inside->x() < edit->width() / 2) {
      room.setLeft(std::max(room.left(), inside->geometry().right()));
    } else if (inside->isVisible()) {
      room.setRight(std::min(room.right(), inside->x()));
    }
  }
  return !edit->text().isEmpty() ||
         edit->fontMetrics().horizontalAdvance(edit->placeholderText()) <= room.width();
}

/// What can't be scrolled in a direction shows all of it.
bool has_room(const QScrollArea* area) {
  const QWidget* inside = area->widget();
  const bool across = area->horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff;
  const bool down = area->verticalScrollBarPolicy() != Qt::ScrollBarAlwaysOff;
  return inside == nullptr || ((across || inside->width() <= area->viewport()->width()) &&
                               (down || inside->height() <= area->viewport()->height()));
}

QString text_of(const QWidget* widget) {
  const auto* edit = qobject_cast<const QLineEdit*>(widget);
  const QVariant text = edit != nullptr ? edit->placeholderText() : widget->property("text");
  return text.toString().isEmpty() ? widget->accessibleName() : text.toString();
}

bool shows_text(const QWidget* widget) {
  return qobject_cast<const QLabel*>(widget) != nullptr ||
         qobject_cast<const QAbstractButton*>(widget) != nullptr ||
         qobject_cast<const QComboBox*>(widget) != nullptr ||
         qobject_cast<const QLineEdit*>(widget) != nullptr;
}

/// Whether it ends outside of what it is in, which cuts it off.
bool leaves_its_parent(const QWidget* widget) {
  return !widget->isWindow() && !widget->parentWidget()->rect().contains(widget->geometry());
}

/// Whether it lies over a neighbour: a layout without room puts one over the other.
bool covers_a_neighbour(const QWidget* widget) {
  for (const auto* other :
       widget->parentWidget()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
    if (other != widget && other->isVisible() && shows_text(other) &&
        widget->geometry().intersects(other->geometry())) {
      return true;
    }
  }
  return false;
}

/// What is cut, a line each.
QString squeezed(const QWidget* whole) {
  QString list;
  for (const auto* widget : whole->findChildren<QWidget*>()) {
    if (!widget->isVisible()) {
      continue;
    }
    bool fits = !shows_text(widget) || (!covers_a_neighbour(widget) && !leaves_its_parent(widget));
    if (!fits) {
      // told below
    } else if (const auto* label = qobject_cast<const QLabel*>(widget)) {
      fits = has_room(label);
    } else if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) {
      fits = has_room(button);
    } else if (const auto* combo = qobject_cast<const QComboBox*>(widget)) {
      fits = has_room(combo);
    } else if (const auto* edit = qobject_cast<const QLineEdit*>(widget)) {
      const bool number = widget->parent()->inherits("QAbstractSpinBox");
      fits = widget->width() >= (number ? kLeastNumber : kLeastEdit) && has_room(edit);
    } else if (const auto* area = qobject_cast<const QScrollArea*>(widget)) {
      fits = has_room(area);
    }
    if (!fits) {
      list += QStringLiteral("\n%1 \"%2\": %3 x %4 of %5 x %6")
                  .arg(QString::fromLatin1(widget->metaObject()->className()), text_of(widget))
                  .arg(widget->width())
                  .arg(widget->height())
                  .arg(widget->sizeHint().width())
                  .arg(widget->sizeHint().height());
    }
  }
  return list;
}

/// Runs with samples, images, a preset with a list of each kind.
std::unique_ptr<HistoryStudio> shown_studio() {
  auto t = std::make_unique<HistoryStudio>();
  RunStore store(t->database);
  const QString image = make_test_image(t->folder.path(), 1);
  for (const char* id : {"r1", "r2"}) {
    store.create_run(t->row(QString::fromLatin1(id), QStringLiteral("finished"), recipe(id, 8)));
    HistoryStudio::add_steps(store, id, 1, 12, 0.1);
    store.add_sample(id, {10, 0, "a red disc", image.toStdString()});
    store.add_health(id, fake_health(5));
    store.add_health(id, fake_health(10));
  }
  store.flush();
  PresetDocument& document = t->session->document();
  document.edit("samples.prompts", nlohmann::json::parse(R"([{"prompt": "a red disc"}])"));
  document.edit("adapter.ranks",
                nlohmann::json::parse(R"([{"layers": "denoiser.mid_block.*", "rank": 8}])"));
  document.edit("precision.pins", {{"unet.conv_in", "fp32"}});
  return t;
}

/// Shows every page and every view of a page at a size, and calls `look` with the name of each.
void for_every_view(MainWindow& window, const QSize& size,
                    const std::function<void(const QString&)>& look) {
  window.resize(size);
  const auto wait = [&](const QString& id) {
    QVERIFY(QTest::qWaitFor([&] { return !window.is_loading(); }, 20000));
    QTest::qWait(30);
    QCOMPARE(window.size(), size);
    look(id);
  };
  for (std::size_t i = 0; i < page_table().size(); ++i) {
    Page* page = window.pages()[i];
    window.show_page(page);
    wait(QString::fromLatin1(page_table()[i].id));
    for (const Page::Look& view : page->looks()) {
      if (view.show()) {
        wait(view.id);
      }
    }
  }
}

/// A button without a word on it.
bool is_icon_alone(const QAbstractButton* button) {
  const auto* tool = qobject_cast<const QToolButton*>(button);
  return !button->icon().isNull() &&
         (button->text().isEmpty() ||
          (tool != nullptr && tool->toolButtonStyle() == Qt::ToolButtonIconOnly));
}

/// A setting's key within a tip's sentence; a tip that is the key alone, or has it set as code, is
/// for those who write presets.
QString key_in(const QString& tip) {
  static const QRegularExpression code(QStringLiteral("<code>.*?</code>"));
  const QString words = QString(tip).remove(code);
  for (const Setting& setting : settings()) {
    const QString key = to_qstring(setting.key);
    if (key.contains(QLatin1Char('.')) && words.contains(key)) {
      return find_setting(words.toStdString()) == nullptr ? key : QString();
    }
  }
  return {};
}

/// What a widget says that stands alone: a label, a button, what a field asks for, a choice.
QStringList said_alone(const QWidget* widget) {
  QStringList said;
  if (const auto* combo = qobject_cast<const QComboBox*>(widget)) {
    for (int i = 0; i < combo->count(); ++i) {
      said << combo->itemText(i);
    }
  } else if (const auto* edit = qobject_cast<const QLineEdit*>(widget)) {
    said << edit->placeholderText();
  } else if (const auto* view = qobject_cast<const QHeaderView*>(widget)) {
    for (int i = 0; i < view->count(); ++i) {
      said << view->model()->headerData(i, view->orientation()).toString();
    }
  } else if (widget->inherits("QLabel") || widget->inherits("QAbstractButton") ||
             widget->inherits("mantissa::gui::ElideLabel")) {
    said << widget->property("text").toString();
    if (const auto* elided = qobject_cast<const ElideLabel*>(widget)) {
      said << elided->text();
    }
  }
  return said;
}

}  // namespace

void LayoutTest::cleanup() {
  for (QTranslator* words : qApp->findChildren<QTranslator*>(Qt::FindDirectChildrenOnly)) {
    delete words;
  }
}

void LayoutTest::everything_has_its_room_data() {
  QTest::addColumn<QString>("language");
  for (const char* code : {"en", "zh_CN", "ja"}) {
    QTest::newRow(code) << QString::fromLatin1(code);
  }
}

void LayoutTest::everything_has_its_room() {
  QFETCH(QString, language);
  QVERIFY(load_language(*qobject_cast<QApplication*>(qApp), language));
  const auto t = shown_studio();
  MainWindow& window = t->window();
  t->show();
  t->session->open_run(QStringLiteral("r1"));
  window.setup_page()->job()->use_demo();
  const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS");
  QStringList cut;
  const auto check = [&](const QString& id, const QSize& size) {
    const QString place =
        QStringLiteral("%1-%2-%3x%4").arg(language, id).arg(size.width()).arg(size.height());
    if (!keep.isEmpty()) {
      QVERIFY(window.grab().save(QStringLiteral("%1/layout-%2.png").arg(keep, place)));
    }
    if (const QString list = squeezed(&window); !list.isEmpty()) {
      cut << place + list;
    }
  };
  for (const QSize& size : {QSize(900, 600), QSize(1280, 800)}) {
    for_every_view(window, size, [&](const QString& id) { check(id, size); });
  }
  for (const QString& list : cut) {
    qWarning("%s", qPrintable(list));
  }
  QCOMPARE(cut.size(), 0);
}

void LayoutTest::an_icon_alone_has_a_name_and_a_tip() {
  const auto t = shown_studio();
  t->show();
  t->session->open_run(QStringLiteral("r1"));
  QSet<const QAbstractButton*> seen;
  QStringList nameless;
  for_every_view(t->window(), QSize(1024, 700), [&](const QString& id) {
    for (const auto* button : t->window().findChildren<QAbstractButton*>()) {
      if (button->isVisible() && is_icon_alone(button)) {
        seen.insert(button);
        if (button->toolTip().isEmpty() || button->accessibleName().isEmpty()) {
          nameless << QStringLiteral("%1: %2 of %3, \"%4\", \"%5\"")
                          .arg(id, QString::fromLatin1(button->metaObject()->className()),
                               QString::fromLatin1(button->parent()->metaObject()->className()),
                               button->accessibleName(), button->toolTip());
        }
      }
    }
  });
  QVERIFY2(seen.size() > 20, qPrintable(QString::number(seen.size())));
  QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QLatin1Char('\n'))));
}

void LayoutTest::tips_call_settings_by_their_names() {
  const auto t = shown_studio();
  MainWindow& window = t->window();
  t->session->document().edit("precision.compute", "fp16");
  t->session->document().edit("precision.loss_scaling", "off");  // refused, with its settings
  t->show();
  t->session->open_run(QStringLiteral("r1"));
  QVERIFY(QTest::qWaitFor([&] { return window.setup_page()->precision()->refused() == 1; }));
  QStringList keys;
  for_every_view(window, QSize(1280, 800), [&](const QString& id) {
    for (const auto* widget : window.findChildren<QWidget*>()) {
      const bool is_finding = widget->parent()->inherits("mantissa::gui::PreflightLine") &&
                              widget->inherits("QLabel");  // in the words of `mantissa check`
      if (const QString key = is_finding ? QString() : key_in(widget->toolTip()); !key.isEmpty()) {
        keys << QStringLiteral("%1: %2").arg(id, widget->toolTip());
      }
    }
  });
  keys.removeDuplicates();
  QVERIFY2(keys.isEmpty(), qPrintable(keys.join(QLatin1Char('\n'))));
}

void LayoutTest::what_stands_alone_begins_with_a_capital() {
  // Names of files, devices and systems, what a user has written, and a word between two fields.
  static const QRegularExpression small(QStringLiteral("\\A[a-z][a-z']*(?:[ ,:]|\\z)")),
      name(QStringLiteral(
          "\\A(?:cpu|cuda|demo|r1|r2|linux|sse|avx|a red disc|kohya|diffusers|to)\\b"));
  const auto t = shown_studio();
  t->show();
  t->session->open_run(QStringLiteral("r1"));
  t->window().setup_page()->job()->use_demo();
  QStringList found;
  for_every_view(t->window(), QSize(1280, 800), [&](const QString& id) {
    for (const auto* widget : t->window().findChildren<QWidget*>()) {
      const bool is_value = widget->parent()->inherits("mantissa::gui::DiffTable");
      const bool is_said = widget->isVisible() && !is_value;
      for (const QString& text : is_said ? said_alone(widget) : QStringList()) {
        if (text.contains(small) && !text.contains(name)) {
          found << QStringLiteral("%1: %2").arg(id, text);
        }
      }
    }
  });
  found.removeDuplicates();
  QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
}

void LayoutTest::the_guide_says_that_it_is_in_english_data() {
  everything_has_its_room_data();
}

void LayoutTest::the_guide_says_that_it_is_in_english() {
  QFETCH(QString, language);
  QVERIFY(load_language(*qobject_cast<QApplication*>(qApp), language));
  Theme theme;
  HelpDialog dialog(HelpDialog::guide, &theme, nullptr);
  dialog.setAttribute(Qt::WA_DeleteOnClose, false);
  dialog.show();
  const bool is_english = language == QLatin1String("en");
  const QString note = is_english                        ? QString()
                       : language == QLatin1String("ja") ? QStringLiteral("英語")
                                                         : QStringLiteral("英文");
  int told = 0;
  for (const QLabel* label : dialog.findChildren<QLabel*>()) {
    told += label->isVisible() && label->text().contains(note) ? 1 : 0;
  }
  QCOMPARE(told, is_english ? 0 : 1);
}

void LayoutTest::a_squeezed_text_is_noticed() {
  Theme theme;
  theme.apply(*qobject_cast<QApplication*>(qApp), ThemeMode::light);
  QWidget whole;
  auto* label = new QLabel(QStringLiteral("a label"), &whole);
  auto* combo = new QComboBox(&whole);
  combo->addItem(QStringLiteral("a choice of some length"));
  combo->move(0, 60);
  auto* area = new QScrollArea(&whole);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setWidgetResizable(true);
  area->move(0, 120);
  auto* inside = new QWidget;
  area->setWidget(inside);
  whole.resize(600, 400);
  whole.show();
  label->adjustSize();
  combo->adjustSize();
  QCOMPARE(squeezed(&whole), QString());
  label->resize(label->width() / 2, label->height());
  combo->resize(combo->width() / 2, combo->height());
  inside->setMinimumWidth(area->width() + 50);
  QTest::qWait(20);
  QCOMPARE(squeezed(&whole).count(QLatin1Char('\n')), 3);
  combo->move(0, 4);  // over the label
  QVERIFY(squeezed(&whole).contains(QStringLiteral("a label")));
}

}  // namespace mantissa::gui
