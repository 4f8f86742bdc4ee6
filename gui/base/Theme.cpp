#include "gui/base/Theme.h"

#include <QApplication>
#include <QPalette>
#include <QToolTip>
#include <cmath>

#include "gui/base/StudioFont.h"
#include "gui/base/StudioStyle.h"
#include "gui/base/SystemTheme.h"

namespace mantissa::gui {
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
QFrame[card="true"][floating="true"] { background: @raised; border-color: @strong; }
QFrame[bar="top"] { background: @surface; border: none; border-bottom: 1px solid @border; }
QFrame[bar="bottom"] { background: @surface; border: none; border-top: 1px solid @border; }
QFrame[bar="rail"] { background: @surface; border: none; border-right: 1px solid @border; }
QScrollArea, QScrollArea > QWidget > QWidget[flat="true"] { background: transparent; border: none; }
QScrollArea { border: 1px solid transparent; border-radius: 5px; }
QScrollArea[plain="true"] { border: none; }
QScrollArea:focus { border-color: @accent; }
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
QPushButton[kind="link"] { background: transparent; border: none; color: @accent; padding: 2px 0; }
QPushButton[kind="link"]:hover, QPushButton[kind="link"]:focus { text-decoration: underline; }
QPushButton[kind="choice"] { text-align: left; }
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
QToolButton[kind="section"] { font-weight: 600; padding: 1px; text-align: left; }
QToolButton[kind="disclosure"] { color: @accent; padding: 1px; }

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

QTabWidget::pane { border: 1px solid @border; background: @surface; }
QTabBar::tab { background: transparent; border: none; border-bottom: 2px solid transparent;
  padding: 6px 12px; color: @muted; }
QTabBar::tab:hover { color: @text; }
QTabBar::tab:selected { color: @text; border-bottom-color: @accent; }
QTabBar::tab:selected:focus { background: @raised; }

QTableView { background: @surface; border: 1px solid @border; border-radius: 8px;
  gridline-color: transparent; outline: none; selection-background-color: @raised;
  selection-color: @text; }
QListView[gallery="true"] { background: @surface; border: 1px solid @border;
  border-radius: 8px; outline: none; }
QTableView:focus, QListView[gallery="true"]:focus { border-color: @accent; }
QTableView::item:selected { background: transparent; }
QTableView[rows="true"]::item { padding: 0 6px; border: none; }
QTableView[rows="true"]::item:selected { background: @raised; color: @text; }
QListWidget::item { border-radius: 5px; padding: 3px 4px; }
QListWidget::item:hover { background: @raised; }
QListWidget::item:selected { background: @raised; color: @accent; }
QToolButton::menu-indicator { image: none; }
QHeaderView { background: transparent; }
QHeaderView::section { background: transparent; color: @muted; border: none; padding: 4px 8px; }
QTableCornerButton::section { background: transparent; border: none; }
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

ThemeColors colors_of(bool dark) {
  const auto pick = [dark](QRgb on_light, QRgb on_dark) {
    return QColor(dark ? on_dark : on_light);
  };
  return {
      .dark = dark,
      .window = pick(0xf4f5f7, 0x15171b),
      .surface = pick(0xffffff, 0x1d2025),
      .raised = pick(0xe9eef4, 0x2a2f37),
      .border = pick(0xdce0e6, 0x31363f),
      .strong_border = pick(0xb9c0ca, 0x4a525e),
      .text = pick(0x1a1d22, 0xe7eaee),
      .muted = pick(0x5a6470, 0x9fa8b4),
      .accent = pick(0x006aa8, 0x56b4e9),
      .on_accent = pick(0xffffff, 0x0b1a24),
      .ok = pick(0x007455, 0x33c598),
      .warning = pick(0x935a00, 0xf0b43c),
      .error = pick(0xb23a00, 0xff8a4d),
      .error_surface = pick(0xfdf1ea, 0x35221a),
      .grid = pick(0xeaedf1, 0x2a2e35),
      .series = {pick(0x0072b2, 0x56b4e9), pick(0xd55e00, 0xf08a3c), pick(0x008f68, 0x2fc294),
                 pick(0xb85f92, 0xdb8db8), pick(0xb87d00, 0xe6b43a), pick(0x2b90c8, 0x8fb8ff)},
  };
}

}  // namespace

const ThemeColors& Theme::light_colors() {
  static const ThemeColors colors = colors_of(false);
  return colors;
}

const ThemeColors& Theme::dark_colors() {
  static const ThemeColors colors = colors_of(true);
  return colors;
}

Theme::Theme(QObject* parent) : QObject(parent), colors_(light_colors()) {}

void Theme::apply(QApplication& app, ThemeMode mode) {
  if (!started_) {
    started_ = true;
    system_dark_ = system_prefers_dark(app.palette());
    app.setFont(studio_font(app.font()));
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

}  // namespace mantissa::gui
