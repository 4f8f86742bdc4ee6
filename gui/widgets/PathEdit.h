#pragma once

#include <QStringList>
#include <QWidget>
#include <functional>

#include "gui/base/Theme.h"

class QLineEdit;
class QListWidget;
class QPushButton;
class QToolButton;

namespace mantissa::gui {

/// Asks the user for a path and calls `chosen` with it, or never. Returns at once: no dialog runs a
/// nested event loop. Tests pass their own.
using PathChooser = std::function<void(QWidget* parent, const QString& start,
                                       std::function<void(const QString&)> chosen)>;

/// One path: typed, dropped, browsed for, or the built-in "demo" with one click.
class PathEdit : public QWidget {
  Q_OBJECT

 public:
  struct Options {
    QString name;         ///< for accessibility: "Base model"
    QString placeholder;  ///< shown while empty
    PathChooser choose;
    bool offer_demo = false;
  };
  PathEdit(Options options, const Theme* theme, QWidget* parent = nullptr);

  QString path() const;
  void set_path(const QString& path);
  /// Opens the chooser.
  void browse();

 signals:
  void changed();

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  Options options_;
  QLineEdit* edit_;
};

/// Several folders, in order, without duplicates.
class PathListEdit : public QWidget {
  Q_OBJECT

 public:
  PathListEdit(PathEdit::Options options, const Theme* theme, QWidget* parent = nullptr);

  QStringList paths() const;
  void set_paths(const QStringList& paths);
  void add(const QString& path);
  /// Opens the chooser for a folder to add.
  void browse();

 signals:
  void changed();

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void remove_selected();

  PathEdit::Options options_;
  QListWidget* list_;
  QPushButton* remove_;
};

/// Choosers with the platform's dialogs.
PathChooser folder_chooser(const QString& title);
PathChooser file_chooser(const QString& title, const QString& filter);
/// `suffix` (".json") is added if the user gave none.
PathChooser save_chooser(const QString& title, const QString& filter, const QString& suffix);

}  // namespace mantissa::gui
