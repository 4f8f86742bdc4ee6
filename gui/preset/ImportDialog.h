#pragma once

#include <QDialog>

#include "engine/preset/import.h"
#include "gui/base/Theme.h"

class QLineEdit;
class QTableWidget;

namespace mantissa::gui {

class DiffTable;

/// Preview of an import: the settings side by side with the draft's, and the report of every key.
/// Accepting emits applied().
class ImportDialog : public QDialog {
  Q_OBJECT

 public:
  /// `source` is the file's name, `now` the draft that would be replaced.
  ImportDialog(const ImportResult& result, const QString& source, const Preset& now,
               const Theme* theme, QWidget* parent = nullptr);

  QTableWidget* report() const { return report_; }
  DiffTable* changes() const { return changes_; }

 signals:
  void applied(const Preset& preset);

 private:
  void fill_report(const ImportResult& result);
  void filter(const QString& text);

  const Theme* theme_;
  QTableWidget* report_;
  DiffTable* changes_;
  QLineEdit* search_;
};

}  // namespace mantissa::gui
