#pragma once

#include <QDialog>
#include <QPointer>

#include "gui/base/Theme.h"
#include "gui/programs/ModelScan.h"
#include "gui/widgets/PathEdit.h"

class QLabel;
class QLayout;
class QLineEdit;
class QListWidget;
class QProgressBar;
class QPushButton;
class QTableView;

namespace mantissa::gui {

class AppSettings;
class ModelFilter;
class ModelTable;

/// Lists the base models in the folders of other programs and in the user's own; one is taken.
class ModelPicker : public QDialog {
  Q_OBJECT

 public:
  /// `scan` outlives the dialog and keeps what it has read.
  ModelPicker(ModelScan* scan, FindRoots roots, AppSettings* settings, const Theme* theme,
              QWidget* parent);
  ~ModelPicker() override;

  QLineEdit* search() const { return search_; }
  QTableView* table() const { return table_; }
  QListWidget* folders() const { return folders_; }
  QString status() const;
  QPushButton* use_button() const { return use_; }
  void add_folder(const QString& folder);
  /// For tests, without a dialog.
  void set_folder_chooser(PathChooser chooser) { choose_folder_ = std::move(chooser); }

 signals:
  void chosen(const QString& path);

 private:
  QTableView* build_table();
  QLayout* build_status();
  QWidget* build_folders();
  void connect_parts();
  void look();
  void show_folders(const std::vector<ProgramFolder>& found);
  void remove_folder();
  void update_status();
  void take();

  QPointer<ModelScan> scan_;
  FindRoots roots_;
  AppSettings* settings_;
  const Theme* theme_;
  PathChooser choose_folder_;
  ModelTable* models_;
  ModelFilter* filter_;
  QLineEdit* search_ = nullptr;
  QTableView* table_ = nullptr;
  QListWidget* folders_ = nullptr;
  QLabel* status_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QPushButton *use_ = nullptr, *remove_ = nullptr;
  int others_ = -1;  ///< of the last whole scan; -1: it isn't over
};

}  // namespace mantissa::gui
