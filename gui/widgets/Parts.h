#pragma once

#include <QColor>
#include <QFrame>
#include <QLabel>
#include <QToolButton>
#include <QWidget>
#include <functional>

#include "gui/base/Icons.h"
#include "gui/base/Theme.h"

class QAbstractButton;
class QLineEdit;
class QVBoxLayout;

namespace mantissa::gui {

/// A label that never reads its text as markup; one that wraps breaks long words too. Roles: "",
/// "muted", "error", "warning".
QLabel* make_label(const QString& text, const char* role = "", QWidget* parent = nullptr);
/// A label in bold, for headings within a page.
QLabel* make_heading(const QString& text, QWidget* parent = nullptr);
/// A bordered surface.
QFrame* make_card(QWidget* parent = nullptr);

/// Gives a button an icon in the theme's colours, updated when the theme changes.
using ColorOf = std::function<QColor(const ThemeColors&)>;
void bind_icon(QAbstractButton* button, Icon icon, const Theme* theme, ColorOf color = {});
/// Binds an icon to a label's image, `size` pixels wide.
void bind_icon(QLabel* label, Icon icon, const Theme* theme, ColorOf color, int size = 18);

/// Sets a property used by style sheet selectors, and restyles the widget if it changed.
void set_property(QWidget* widget, const char* name, const QVariant& value);

/// Gives a widget its explanation as a tool tip, and in one line for a screen reader: what it is,
/// what good looks like, what to do, a line each.
void explain(QWidget* widget, const QString& lines);
/// What it is: the first line of an explanation.
QString summary_of(const QString& lines);

/// A button within a field that empties it, called `name`.
void add_clear_button(QLineEdit* edit, const QString& name);

/// Keeps a widget's room while it is hidden, so that nothing moves when it appears.
void keep_room(QWidget* widget);

/// Puts what was added to `box` later behind `before` in the order of Tab, in the order of its
/// making. Returns its last stop.
QWidget* chain_tab_stops(QWidget* before, const QWidget* box);

/// A card with a heading that folds it.
class Section : public QFrame {
  Q_OBJECT

 public:
  Section(const QString& title, const Theme* theme, QWidget* parent = nullptr);
  QVBoxLayout* body() const { return body_; }
  QString title() const { return title_; }
  bool is_open() const { return open_; }
  void set_open(bool open);
  /// Muted text next to the title.
  void set_note(const QString& note);

 private:
  void update_icon();

  QString title_;
  const Theme* theme_;
  QToolButton* header_;
  QLabel* note_;
  QWidget* content_;
  QVBoxLayout* body_;
  bool open_ = true;
};

}  // namespace mantissa::gui
