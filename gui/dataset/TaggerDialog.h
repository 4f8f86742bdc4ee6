#pragma once

#include <QDialog>
#include <QTimer>
#include <QVector>
#include <string>

#include "gui/base/Theme.h"
#include "gui/dataset/CaptionTask.h"
#include "gui/run/PhaseClock.h"

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QTableView;

namespace mantissa::gui {

class AppSettings;
class CaptionBook;
class DatasetModel;
class NoWheelCombo;
class ProposalModel;
class TaggerForm;

/// Captions images by a tagger or another model: the captions are shown as they come, may be
/// edited, and are written when they are accepted.
class TaggerDialog : public QDialog {
  Q_OBJECT

 public:
  /// The images that the page shows, and those of them that are selected.
  struct Images {
    DatasetModel* model = nullptr;
    CaptionBook* book = nullptr;
    QVector<int> shown, selected;
  };
  struct Defaults {
    std::string device;  ///< that computes
    QString trigger;     ///< the preset's trigger word
  };
  TaggerDialog(Images images, const Defaults& defaults, AppSettings* settings, const Theme* theme,
               QWidget* parent);

  TaggerForm* form() const { return form_; }
  NoWheelCombo* scope() const { return scope_; }
  QPushButton* start_button() const { return start_; }
  QPushButton* cancel_button() const { return cancel_; }
  QPushButton* write_button() const { return write_; }
  QPushButton* undo_button() const { return undo_; }
  QTableView* table() const { return table_; }
  ProposalModel* proposals() const { return proposals_; }
  QString status() const;
  bool is_busy() const { return task_->is_busy(); }

 signals:
  /// Captions were written.
  void written(int captions);
  /// The latest captions by a model shall be put back.
  void undo_wanted();

 public slots:
  /// While it works, cancels that; captions that nobody accepted are left only when asked twice.
  void reject() override;

 private:
  void build_table();
  void build_work(QHBoxLayout* row);
  void build_buttons(QHBoxLayout* row);
  void start();
  void end();
  void show_progress();
  void update_buttons();
  void write_chosen();
  void say(const QString& text, bool error = false);
  const QVector<int>& scope_items() const;
  /// Images of the scope that will be captioned.
  QVector<int> wanted() const;

  Images images_;
  std::string device_;
  const Theme* theme_;
  TaggerForm* form_;
  CaptionTask* task_;
  ProposalModel* proposals_;
  PhaseClock clock_;
  QTimer ticks_;
  NoWheelCombo* scope_ = nullptr;
  QTableView* table_ = nullptr;
  QPushButton *start_ = nullptr, *cancel_ = nullptr, *write_ = nullptr, *undo_ = nullptr;
  QProgressBar* bar_ = nullptr;
  QLabel *count_ = nullptr, *status_ = nullptr;
  bool warned_ = false;  ///< that accepted nothing yet
};

}  // namespace mantissa::gui
