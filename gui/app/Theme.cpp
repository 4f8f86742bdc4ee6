#include "gui/app/Theme.h"

#include <QApplication>
#include <QFont>
#include <QPalette>
#include <QToolTip>
#include <cmath>

#include "gui/app/StudioStyle.h"

namespace mantissa {
namespace {

QPalette palette_of(const ThemeColors& c) {
  QPalette p;
  p.setColor(QPalette::Window, c.window);
  p.setColor(QPalette::WindowText, c.text);
  p.setColor(QPalette::Base, c.surface);
  p.setColor(QPalette::AlternateBase, c.window);
  p.setColor(QPalette::Text, c.text);
  p.setColor(QPalette::PlaceholderText, c.muted);
  p.setColor(QPalette::Button, c.surface);
  p.setColor(QPalette::ButtonText, c.text);
  p.setColor(QPalette::BrightText, c.error);
  p.setColor(QPalette::ToolTipBase, c.raised);
  p.setColor(QPalette::ToolTipText, c.text);
  p.setColor(QPalette::Highlight, c.accent);
  p.setColor(QPalette::HighlightedText, c.on_accent);
  p.setColor(QPalette::Link, c.accent);
  p.setColor(QPalette::Light, c.raised);
  p.setColor(QPalette::Midlight, c.raised);
  p.setColor(QPalette::Mid, c.border);
  p.setColor(QPalette::Dark, c.strong_border);
  p.setColor(QPalette::Shadow, c.dark ? QColor(0, 0, 0) : QColor(120, 128, 138));
  QColor faded = c.muted;
  faded.setAlphaF(0.65F);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    p.setColor(QPalette::Disabled, role, faded);
  }
  p.setColor(QPalette::Disabled, QPalette::Base, c.window);
  p.setColor(QPalette::Disabled, QPalette::Highlight, c.border);
  return p;
}

/// @name stands for the colour of that name.
constexpr const char* kSheet = R"(
QToolTip { background: @raised; color: @text; border: 1px solid @strong; padding: 5px 7px; }
QMenuBar { background: @window; padding: 2px 6px; }
QMenuBar::item { padding: 4px 9px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: @raised; }
QMenu { background: @surface; border: 1px solid @border; padding: 4px; }
QMenu::item { padding: 5px 26px 5px 26px; border-radius: 4px; }
QMenu::item:selected { background: @accent; color: @onaccent; }
QMenu::item:disabled { color: @muted; background: transparent; }
QMenu::separator { height: 1px; background: @border; margin: 4px 6px; }
QMenu::icon { left: 6px; }
QMenu::indicator { left: 7px; }

QFrame[card="true"] { background: @surface; border: 1px solid @border; border-radius: 8px; }
QFrame[card="error"] { background: @errsurface; border: 1px solid @error; border-radius: 8px; }
QFrame[bar="top"] { background: @surface; border: none; border-bottom: 1px solid @border; }
QFrame[bar="bottom"] { background: @surface; border: none; border-top: 1px solid @border; }
QFrame[bar="rail"] { background: @surface; border: none; border-right: 1px solid @border; }
QScrollArea, QScrollArea > QWidget > QWidget[flat="true"] { background: transparent; border: none; }
QSplitter::handle { background: transparent; }

QLabel[role="muted"] { color: @muted; }
QLabel[role="error"] { color: @error; }
QLabel[role="warning"] { color: @warning; }

QLineEdit, QPlainTextEdit, QAbstractSpinBox, QListWidget {
  background: @surface; border: 1px solid @strong; border-radius: 5px; padding: 3px 7px;
  selection-background-color: @accent; selection-color: @onaccent; }
QLineEdit, QAbstractSpinBox { min-height: 20px; }
QLineEdit:hover, QAbstractSpinBox:hover, QPlainTextEdit:hover { border-color: @muted; }
QLineEdit:focus, QAbstractSpinBox:focus, QPlainTextEdit:focus, QListWidget:focus {
  border-color: @accent; }
QLineEdit:disabled, QAbstractSpinBox:disabled, QPlainTextEdit:disabled {
  background: @window; border-color: @border; color: @muted; }
QLineEdit[invalid="true"], QAbstractSpinBox[invalid="true"], QPlainTextEdit[invalid="true"] {
  border-color: @error; }
QAbstractSpinBox QLineEdit, QComboBox QLineEdit {
  border: none; background: transparent; padding: 0; min-height: 0; }
QComboBox QAbstractItemView { background: @surface; border: 1px solid @border; outline: none;
  selection-background-color: @accent; selection-color: @onaccent; padding: 3px; }
QPlainTextEdit[log="true"] { border-color: @border; border-radius: 8px; padding: 6px; }

QPushButton { background: @surface; border: 1px solid @strong; border-radius: 5px;
  padding: 5px 12px; min-height: 18px; }
QPushButton:hover { background: @raised; }
QPushButton:pressed { background: @border; }
QPushButton:focus { border-color: @accent; }
QPushButton:disabled { background: @window; border-color: @border; color: @disabled; }
QPushButton[kind="primary"] { background: @accent; border-color: @accent; color: @onaccent;
  font-weight: 600; }
QPushButton[kind="primary"]:hover { background: @accenthover; }
QPushButton[kind="primary"]:focus { border-color: @text; }
QPushButton[kind="primary"]:disabled { background: @window; border-color: @border;
  color: @disabled; }
QPushButton[kind="danger"]:enabled { color: @error; }
QPushButton[kind="danger"]:hover { background: @errsurface; border-color: @error; }

QToolButton { background: transparent; border: 1px solid transparent; border-radius: 5px;
  padding: 4px; }
QToolButton:hover { background: @raised; }
QToolButton:checked { background: @raised; border-color: @strong; }
QToolButton:focus { border-color: @accent; }
QToolButton[kind="rail"] { padding: 8px 4px 6px 4px; color: @muted; border: none; }
QToolButton[kind="rail"]:hover { color: @text; background: @raised; }
QToolButton[kind="rail"]:checked { color: @accent; background: @raised; font-weight: 600; }
QToolButton[kind="rail"]:focus { border: 1px solid @accent; }
QToolButton[kind="chip"] { border: 1px solid @strong; border-radius: 13px; padding: 3px 10px; }
QToolButton[kind="chip"]:checked { background: @accent; border-color: @accent; color: @onaccent; }
QToolButton[kind="chip"]:focus { border-color: @text; }
QToolButton[kind="section"] { border: none; font-weight: 600; padding: 2px; text-align: left; }
QToolButton[kind="disclosure"] { border: none; color: @accent; padding: 2px; }

QProgressBar { background: @border; border: none; border-radius: 3px; max-height: 6px;
  min-height: 6px; text-align: center; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }
QProgressBar[level="warning"]::chunk { background: @warning; }
QProgressBar[level="error"]::chunk { background: @error; }
QProgressBar[thin="true"] { border-radius: 0; max-height: 3px; min-height: 3px;
  background: transparent; }
QProgressBar[thin="true"]::chunk { border-radius: 0; }

QSlider::groove:horizontal { height: 4px; background: @border; border-radius: 2px; }
QSlider::sub-page:horizontal { height: 4px; background: @accent; border-radius: 2px; }
QSlider::handle:horizontal { width: 14px; height: 14px; margin: -5px 0; border-radius: 7px;
  background: @accent; }
QSlider::handle:horizontal:focus { border: 2px solid @text; }

QScrollBar { background: transparent; border: none; margin: 0; }
QScrollBar:vertical { width: 10px; }
QScrollBar:horizontal { height: 10px; }
QScrollBar::handle { background: @strong; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover { background: @muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QTableView { background: @surface; border: 1px solid @border; border-radius: 8px;
  gridline-color: transparent; outline: none; selection-background-color: @raised;
  selection-color: @text; }
QTableView::item:selected { background: transparent; }
QHeaderView { background: transparent; }
QHeaderView::section { background: @surface; color: @muted; border: none; padding: 4px 8px; }
QTableCornerButton::section { background: @surface; border: none; }
)";

QString sheet_of(const ThemeColors& c) {
  QString sheet = QString::fromLatin1(kSheet);
  QColor disabled = c.muted;
  disabled = c.dark ? disabled.darker(150) : disabled.lighter(150);
  // Longer names first, so that @strong is never eaten by a shorter one.
  const std::pair<const char*, QColor> names[] = {
      {"@accenthover", c.dark ? c.accent.lighter(112) : c.accent.darker(112)},
      {"@errsurface", c.error_surface},
      {"@onaccent", c.on_accent},
      {"@disabled", disabled},
      {"@surface", c.surface},
      {"@warning", c.warning},
      {"@window", c.window},
      {"@raised", c.raised},
      {"@border", c.border},
      {"@strong", c.strong_border},
      {"@accent", c.accent},
      {"@muted", c.muted},
      {"@error", c.error},
      {"@text", c.text},
  };
  for (const auto& [name, color] : names) {
    sheet.replace(QLatin1String(name), color.name());
  }
  return sheet;
}

}  // namespace

const ThemeColors& Theme::light_colors() {
  static const ThemeColors colors{
      .dark = false,
      .window = QColor(0xf4, 0xf5, 0xf7),
      .surface = QColor(0xff, 0xff, 0xff),
      .raised = QColor(0xe9, 0xee, 0xf4),
      .border = QColor(0xdc, 0xe0, 0xe6),
      .strong_border = QColor(0xb9, 0xc0, 0xca),
      .text = QColor(0x1a, 0x1d, 0x22),
      .muted = QColor(0x5a, 0x64, 0x70),
      .accent = QColor(0x00, 0x6a, 0xa8),
      .on_accent = QColor(0xff, 0xff, 0xff),
      .ok = QColor(0x00, 0x74, 0x55),
      .warning = QColor(0x93, 0x5a, 0x00),
      .error = QColor(0xb2, 0x3a, 0x00),
      .error_surface = QColor(0xfd, 0xf1, 0xea),
      .grid = QColor(0xea, 0xed, 0xf1),
      .series = {QColor(0x00, 0x72, 0xb2), QColor(0xd5, 0x5e, 0x00), QColor(0x00, 0x8f, 0x68),
                 QColor(0xb8, 0x5f, 0x92), QColor(0xb8, 0x7d, 0x00), QColor(0x2b, 0x90, 0xc8)},
  };
  return colors;
}

const ThemeColors& Theme::dark_colors() {
  static const ThemeColors colors{
      .dark = true,
      .window = QColor(0x15, 0x17, 0x1b),
      .surface = QColor(0x1d, 0x20, 0x25),
      .raised = QColor(0x2a, 0x2f, 0x37),
      .border = QColor(0x31, 0x36, 0x3f),
      .strong_border = QColor(0x4a, 0x52, 0x5e),
      .text = QColor(0xe7, 0xea, 0xee),
      .muted = QColor(0x9f, 0xa8, 0xb4),
      .accent = QColor(0x56, 0xb4, 0xe9),
      .on_accent = QColor(0x0b, 0x1a, 0x24),
      .ok = QColor(0x33, 0xc5, 0x98),
      .warning = QColor(0xf0, 0xb4, 0x3c),
      .error = QColor(0xff, 0x8a, 0x4d),
      .error_surface = QColor(0x35, 0x22, 0x1a),
      .grid = QColor(0x2a, 0x2e, 0x35),
      .series = {QColor(0x56, 0xb4, 0xe9), QColor(0xf0, 0x8a, 0x3c), QColor(0x2f, 0xc2, 0x94),
                 QColor(0xdb, 0x8d, 0xb8), QColor(0xe6, 0xb4, 0x3a), QColor(0x8f, 0xb8, 0xff)},
  };
  return colors;
}

Theme::Theme(QObject* parent) : QObject(parent), colors_(light_colors()) {}

void Theme::apply(QApplication& app, ThemeMode mode) {
  if (!started_) {
    started_ = true;
    system_dark_ = app.palette().color(QPalette::Window).lightnessF() < 0.5;
    QFont font = app.font();
    if (font.pointSizeF() < 10) {
      font.setPointSizeF(10);
    }
    app.setFont(font);
  }
  mode_ = mode;
  const bool dark = mode == ThemeMode::dark || (mode == ThemeMode::system && system_dark_);
  colors_ = dark ? dark_colors() : light_colors();
  app.setStyle(new StudioStyle(colors_));
  app.setPalette(palette_of(colors_));
  app.setStyleSheet(sheet_of(colors_));
  QToolTip::setPalette(app.palette());
  emit changed();
}

double contrast_ratio(const QColor& a, const QColor& b) {
  const auto linear = [](double c) {
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  const auto luminance = [&](const QColor& c) {
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
  };
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

}  // namespace mantissa
