#pragma once
// defines: PathEdit, PathListEdit, PathChooser

#include <QStringList>
#include <QWidget>
#include <functional>

#include "gui/app/Theme.h"

class QLineEdit;
class QListWidget;
class QPushButton;
class QToolButton;

namespace mantissa {

/// Asks the user for a path; an empty answer means "never mind". Tests put their own here.
using PathChooser = std::function<QString(QWidget* parent, const QString& start)>;

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

 signals:
  void changed();

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  Options options_;
  QLineEdit* edit_;
};

/// Several folders, in order, without doubles.
class PathListEdit : public QWidget {
  Q_OBJECT

 public:
  PathListEdit(PathEdit::Options options, const Theme* theme, QWidget* parent = nullptr);

  QStringList paths() const;
  void set_paths(const QStringList& paths);
  void add(const QString& path);

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

}  // namespace mantissa
