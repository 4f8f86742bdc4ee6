#include "tests/gui/WidgetsTest.h"

#include <QFontDatabase>
#include <QFontInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScopedPointer>
#include <QScrollBar>
#include <QTextDocument>
#include <QTextOption>
#include <QToolButton>
#include <QWheelEvent>
#include <QtTest>
#include <cmath>
#include <limits>
#include <random>

#include "engine/core/paths.h"
#include "engine/core/percent.h"
#include "gui/base/StudioFont.h"
#include "gui/base/Text.h"
#include "gui/base/Theme.h"
#include "gui/plot/Axis.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/NumberText.h"
#include "gui/widgets/Parts.h"
#include "gui/widgets/SciSpin.h"
#include "gui/widgets/ToolRow.h"
#include "gui/widgets/WrapLabel.h"

namespace mantissa::gui {

void WidgetsTest::numbers_read_back() {
  std::mt19937_64 rng(5);
  SciSpin spin(-1e300, 1e300);
  for (int i = 0; i < 2000; ++i) {
    const double v = std::ldexp(std::uniform_real_distribution<double>(-1, 1)(rng),
                                static_cast<int>(rng() % 200) - 100);
    QCOMPARE(format_exact(v).toDouble(), v);
    spin.set_value(v);
    QCOMPARE(spin.value().value(), v);
  }
  QCOMPARE(format_exact(1e-4), QStringLiteral("1e-4"));
  QCOMPARE(format_exact(0.9), QStringLiteral("0.9"));
  QCOMPARE(format_exact(65536), QStringLiteral("65536"));
}

void WidgetsTest::numbers_are_read_as_people_type_them() {
  const std::pair<const char*, double> numbers[] = {
      {"3.5e-4", 3.5e-4},     {"3,5e-4", 3.5e-4}, {"0,001", 0.001},
      {"0,5", 0.5},           {",5", 0.5},        {"12,000", 12000},
      {"12,000.5", 12000.5},  {"1 000 000", 1e6}, {"-0,25", -0.25},
      {"1,000e-4", 1.000e-4}, {" 7 ", 7},         {"1e3", 1000}};
  for (const auto& [text, number] : numbers) {
    const auto read = read_number(QString::fromLatin1(text));
    QVERIFY2(read && *read == number, text);
  }
  for (const char* text :
       {"", "fast", "1,000,00", "1.000,5", "1e", "1,2,3", "inf", "nan", "1e999"}) {
    QVERIFY2(!read_number(QString::fromLatin1(text)), text);
  }
  const std::pair<const char*, std::int64_t> whole[] = {{"1e6", 1000000},
                                                        {"2.5e3", 2500},
                                                        {"2,5e3", 2500},
                                                        {"2,500", 2500},
                                                        {"9007199254740991", 9007199254740991}};
  for (const auto& [text, number] : whole) {
    const auto read = read_whole_number(QString::fromLatin1(text));
    QVERIFY2(read && *read == number, text);
  }
  for (const char* text : {"2.500", "2,5", "1e", "1.5", "99999999999999999999", "1e40", "1e-3"}) {
    QVERIFY2(!read_whole_number(QString::fromLatin1(text)), text);
  }
}

void WidgetsTest::steps_change_the_leading_digit() {
  const SciSpin spin(0, 10);
  QCOMPARE(spin.stepped(1e-4, 1), 2e-4);
  QCOMPARE(spin.stepped(1e-4, -1), 9e-5);
  QCOMPARE(spin.stepped(9e-5, 1), 1e-4);
  QCOMPARE(spin.stepped(2.5e-4, 1), 3e-4);
  QCOMPARE(spin.stepped(2.5e-4, -1), 2e-4);
  QCOMPARE(spin.stepped(10, 1), 10.0);
  QCOMPARE(spin.stepped(0, 1), 0.01);
  QCOMPARE(spin.stepped(0, -1), 0.0);
  QCOMPARE(spin.stepped(0.2, 1), 0.3);
}

void WidgetsTest::integers_step_within_bounds() {
  NoWheelSpin spin(1, 9007199254740991);
  spin.set_value(9007199254740990);
  spin.stepBy(1);
  spin.stepBy(10);
  QCOMPARE(spin.value().value(), std::int64_t{9007199254740991});
  spin.set_value(3);
  spin.stepBy(-10);
  QCOMPARE(spin.value().value(), std::int64_t{1});
}

void WidgetsTest::wheel_needs_focus() {
  QWidget window;
  NoWheelSpin spin(0, 100, &window);
  SciSpin number(0, 100, &window);
  NoWheelCombo combo(&window);
  combo.addItems({QStringLiteral("a"), QStringLiteral("b")});
  spin.set_value(5);
  number.set_value(5);
  window.show();
  for (QWidget* widget : {static_cast<QWidget*>(&spin), static_cast<QWidget*>(&number),
                          static_cast<QWidget*>(&combo)}) {
    QWheelEvent wheel(QPointF(5, 5), widget->mapToGlobal(QPointF(5, 5)), {}, {0, 120}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    widget->clearFocus();
    QCoreApplication::sendEvent(widget, &wheel);
    QVERIFY2(!wheel.isAccepted(), "the page must get the wheel");
  }
  QCOMPARE(spin.value().value(), std::int64_t{5});
  QCOMPARE(number.value().value(), 5.0);
  QCOMPARE(combo.currentIndex(), 0);
}

void WidgetsTest::a_row_of_tools_shows_the_names_that_fit() {
  auto* inside = new QWidget;
  auto* line = new QHBoxLayout(inside);
  std::vector<QToolButton*> tools;
  for (const char* name : {"Open", "Show everything that there is", "Save"}) {
    auto* tool = new QToolButton(inside);
    tool->setText(QString::fromLatin1(name));
    tool->setIcon(inside->style()->standardIcon(QStyle::SP_FileIcon));
    tool->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    line->addWidget(tool);
    tools.push_back(tool);
  }
  ToolRow row(inside);
  row.show();
  const int all = row.sizeHint().width();
  const auto named = [&] {
    QString shown;
    for (const QToolButton* tool : tools) {
      shown += tool->toolButtonStyle() == Qt::ToolButtonTextBesideIcon ? tool->text().front()
                                                                       : QLatin1Char('-');
    }
    return shown;
  };
  row.resize(all + 20, 60);
  QTRY_COMPARE(named(), QStringLiteral("OSS"));
  row.resize(all - 20, 60);
  QTRY_COMPARE(named(), QStringLiteral("OS-"));
  row.resize(all - tools[1]->fontMetrics().horizontalAdvance(tools[1]->text()) + 10, 60);
  QTRY_COMPARE(named(), QStringLiteral("O-S"));
  QTRY_COMPARE(row.horizontalScrollBar()->maximum(), 0);
  // A name that grows takes the room of others rather than hiding them.
  row.resize(all + 20, 60);
  QTRY_COMPARE(named(), QStringLiteral("OSS"));
  tools[0]->setText(QStringLiteral("Open in the program that made it"));
  QTRY_COMPARE(named(), QStringLiteral("O-S"));
  QTRY_COMPARE(row.horizontalScrollBar()->maximum(), 0);
}

void WidgetsTest::a_row_of_tools_says_all_before_it_names_them() {
  auto* inside = new QWidget;
  auto* line = new QHBoxLayout(inside);
  auto* field = new QLineEdit(inside);
  auto* said = new ElideLabel(QStringLiteral("30 without a caption · 12 exact copies"), inside);
  auto* tool = new QToolButton(inside);
  tool->setText(QStringLiteral("Find duplicates of the images"));
  tool->setIcon(inside->style()->standardIcon(QStyle::SP_FileIcon));
  tool->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  line->addWidget(field, 1);
  line->addWidget(said);
  line->addWidget(tool);
  ToolRow row(inside);
  row.show();
  row.resize(2000, 60);
  QTRY_COMPARE(tool->toolButtonStyle(), Qt::ToolButtonTextBesideIcon);
  QTRY_VERIFY(said->width() >= said->sizeHint().width());
  const int icons = inside->minimumSizeHint().width() - tool->sizeHint().width();
  row.resize(icons + 60, 60);  // no room for the name
  QTRY_COMPARE(tool->toolButtonStyle(), Qt::ToolButtonIconOnly);
  QTRY_VERIFY(said->width() >= said->sizeHint().width());
  said->set_text(said->text() + QStringLiteral(" · 7 for validation and a few more"));
  QTRY_VERIFY(said->width() < said->sizeHint().width());  // cut rather than scrolled out of sight
}

void WidgetsTest::percentages_have_no_space_and_no_powers_of_ten() {
  QCOMPARE(percent_text(1.0), QStringLiteral("100%"));
  QCOMPARE(percent_text(0.0004, 2), QStringLiteral("0.04%"));
  QCOMPARE(rounded_percent(0.2468, 2), QStringLiteral("25%"));
  QCOMPARE(rounded_percent(0.0002, 2), QStringLiteral("0.02%"));
  QCOMPARE(rounded_percent(1.7, 2), QStringLiteral("170%"));
  QCOMPARE(rounded_percent(12.5, 3), QStringLiteral("1250%"));
  QCOMPARE(rounded_percent(1.24e-7, 2), QStringLiteral("0.000012%"));
  QCOMPARE(rounded_percent(std::numeric_limits<double>::infinity(), 2), QStringLiteral("∞%"));
  QCOMPARE(rounded_percent(std::nan(""), 2), QStringLiteral("NaN"));
  for (const double share : {3.9, 0.2468, 0.99449, 1e-9}) {
    QCOMPARE(rounded_percent(share, 3), to_qstring(mantissa::percent_text(share, 3)));
  }
}

void WidgetsTest::durations_and_bytes() {
  QCOMPARE(format_duration(567), QStringLiteral("9:27"));
  QCOMPARE(format_duration(3725), QStringLiteral("1:02:05"));
  QCOMPARE(format_duration(-1), QStringLiteral("–"));
  QCOMPARE(format_duration(47.5 * 3600), QStringLiteral("47:30:00"));
  QCOMPARE(format_duration(50 * 3600), QStringLiteral("2 d 2 h"));
  QCOMPARE(format_step_time(0.85), QStringLiteral("850 ms"));
  QCOMPARE(format_step_time(14.2), QStringLiteral("14 s"));
  QCOMPARE(format_bytes(9'800'000'000), QStringLiteral("9.8 GB"));
  QCOMPARE(format_bytes(999'999), QStringLiteral("1.0 MB"));
  QCOMPARE(format_bytes(12), QStringLiteral("12 B"));
  QCOMPARE(format_number(std::nan("")), QStringLiteral("NaN"));
}

void WidgetsTest::themes_have_contrast() {
  for (const ThemeColors& c : {Theme::light_colors(), Theme::dark_colors()}) {
    for (const QColor& surface : {c.window, c.surface, c.raised}) {
      QVERIFY(contrast_ratio(c.text, surface) >= 7);
      QVERIFY(contrast_ratio(c.muted, surface) >= 4.5);
      QVERIFY(contrast_ratio(c.error, surface) >= 4.5);
      QVERIFY(contrast_ratio(c.warning, surface) >= 4.5);
      QVERIFY(contrast_ratio(c.accent, surface) >= 4.5);
    }
    QVERIFY(contrast_ratio(c.text, c.error_surface) >= 7);
    QVERIFY(contrast_ratio(c.on_accent, c.accent) >= 4.5);
    for (const QColor& line : c.series) {
      // Graphics: WCAG 1.4.11.
      QVERIFY(contrast_ratio(line, c.surface) >= 3);
    }
  }
}

void WidgetsTest::a_choice_that_does_not_fit_keeps_its_end() {
  NoWheelCombo combo;
  combo.addItems({QStringLiteral("Text encoder 1"), QStringLiteral("Text encoder 2")});
  combo.resize(400, combo.sizeHint().height());
  QCOMPARE(combo.drawn_text(), QStringLiteral("Text encoder 1"));
  combo.resize(90, combo.sizeHint().height());
  QVERIFY2(combo.drawn_text().contains(QStringLiteral("…")) &&
               combo.drawn_text().endsWith(QLatin1Char('1')),
           qPrintable(combo.drawn_text()));
  QVERIFY(!combo.grab().isNull());
}

void WidgetsTest::a_long_name_breaks_where_a_label_wraps() {
  const QString plain = QStringLiteral("Could not read the file");
  QCOMPARE(with_breaks(plain), plain);
  const QString name =
      QStringLiteral("zorb_demo-0123456789").repeated(12) + QStringLiteral(".safetensors");
  QVERIFY(with_breaks(name) != name);
  QCOMPARE(with_breaks(name).remove(QChar(0x200B)), name);
  for (const QString& whole :
       {QStringLiteral(
            "画像のファイルを読み込めませんでした。フォルダーの場所を確かめてください。"),
        QStringLiteral("无法读取该文件夹中的任何图像，请检查文件夹是否存在。"),
        QStringLiteral("👩‍👩‍👧‍👦").repeated(4)}) {
    QCOMPARE(with_breaks(whole), whole);
  }
  QCOMPARE(with_breaks(name + QStringLiteral("を読めません。")),
           with_breaks(name) + QStringLiteral("を読めません。"));
  for (const bool selectable : {false, true}) {
    const QScopedPointer<QLabel> label(make_label(name));
    label->setWordWrap(true);
    if (selectable) {
      label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    QVERIFY2(label->minimumSizeHint().width() < 300,
             qPrintable(QString::number(label->minimumSizeHint().width())));
    QVERIFY(label->heightForWidth(200) > 5 * label->fontMetrics().height());
    label->resize(200, label->heightForWidth(200));
    QVERIFY(!label->grab().isNull());
    QCOMPARE(label->text(), name);  // what is copied and read aloud has no breaks
  }
}

namespace {

struct PaintCount : QObject {
  int paints = 0;
  bool eventFilter(QObject*, QEvent* event) override {
    paints += event->type() == QEvent::Paint ? 1 : 0;
    return false;
  }
};

}  // namespace

void WidgetsTest::a_label_that_breaks_words_is_painted_once() {
  const QScopedPointer<QLabel> label(
      make_label(QStringLiteral("zorb_demo-0123456789").repeated(12)));
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->resize(200, 300);
  PaintCount count;
  label->installEventFilter(&count);
  label->show();
  QVERIFY(QTest::qWaitForWindowExposed(label.data()));
  QTest::qWait(200);
  QVERIFY(count.paints > 0);
  QVERIFY2(count.paints < 10, qPrintable(QString::number(count.paints)));
  const auto breaks = [&] {
    return label->findChild<QTextDocument*>()->defaultTextOption().wrapMode() ==
           QTextOption::WrapAtWordBoundaryOrAnywhere;
  };
  QVERIFY(breaks());
  label->resize(240, 300);
  QVERIFY(!label->grab().isNull());
  QVERIFY(breaks());
  label->setText(QStringLiteral("another_demo-0123456789").repeated(12));
  QVERIFY(!label->grab().isNull());
  QVERIFY(breaks());
}

void WidgetsTest::the_font_is_the_desktops_or_inter() {
  for (const QString& family : QFontDatabase::families()) {
    const bool fallback =
        family.startsWith(QLatin1String("DejaVu")) || family.startsWith(QLatin1String("Bitstream"));
    if (!fallback && QFontInfo(QFont(family)).family() == family) {
      const QFont kept = studio_font(QFont(family, 7));
      QCOMPARE(kept.family(), family);
      QCOMPARE(kept.pointSizeF(), 10.0);
    }
  }
  if (!find_resource("fonts/Inter-Regular.otf")) {
    QSKIP("built without Inter (fonts-inter)");
  }
  const QFont font = studio_font(QFont(QStringLiteral("DejaVu Sans"), 12));
  QCOMPARE(QFontInfo(font).family(), QStringLiteral("Inter"));
  QCOMPARE(font.pointSizeF(), 12.0);
  QVERIFY(find_resource("fonts/LICENSE.txt").has_value());
}

void WidgetsTest::digits_beside_japanese_are_as_wide_as_others() {
  const QFontMetricsF metrics(fixed_font());
  const auto width = [&](const QString& text) { return metrics.horizontalAdvance(text); };
  QCOMPARE(width(QStringLiteral("ステップ300")) - width(QStringLiteral("ステップ")),
           width(QStringLiteral("300")));
}

}  // namespace mantissa::gui
