#pragma once

#include <QDialog>

class QLabel;
class QTableWidget;

namespace mantissa {
struct VerifyReport;
}  // namespace mantissa

namespace mantissa::gui {

/// What verifying a run has found: the verdict, and the first steps then and now.
class VerifyDialog : public QDialog {
  Q_OBJECT

 public:
  explicit VerifyDialog(const VerifyReport& report, QWidget* parent = nullptr);

  QLabel* verdict() const { return verdict_; }
  /// A row for each step, then memory, device and version.
  QTableWidget* table() const { return table_; }

 private:
  QLabel* verdict_;
  QTableWidget* table_;
};

}  // namespace mantissa::gui
