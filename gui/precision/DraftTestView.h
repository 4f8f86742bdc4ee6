#pragma once

#include <QWidget>
#include <cstdint>

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace mantissa::gui {

class ElideLabel;
class EmptyState;
class PresetDocument;

/// A view that measures something of the draft by a few steps: a button that starts it, one that
/// cancels it, progress, a verdict, and a line about what is outdated or in the way.
class DraftTestView : public QWidget {
  Q_OBJECT

 public:
  /// Why it can't start now; empty if it can.
  void set_refusal(const QString& why);
  void set_running(bool on);
  void show_progress(const QString& phase, std::int64_t done, std::int64_t total);

  QPushButton* run_button() const { return run_; }
  QPushButton* cancel_button() const { return cancel_; }
  QString verdict() const;
  /// The line below the verdict.
  QString note() const;

 signals:
  void cancel_requested();

 protected:
  /// Accessible names of the two buttons and the progress.
  struct Names {
    QString run, cancel, progress;
  };
  DraftTestView(PresetDocument* document, const Names& names, QWidget* parent);

  QVBoxLayout* column() const { return column_; }
  /// Beside the buttons: what is added stands before the progress.
  void add_tool(QWidget* tool);
  void add_verdict();
  /// The text shown before the first test, with a button of its own that starts it: until then that
  /// one is the primary button.
  void add_intro(EmptyState* intro, const QString& run);
  void tell(const QString& verdict, const QString& role);
  /// Shows the state of what is common; `why` it can't start, and what the note says else.
  void show_common(const QString& run, const QString& why, const QString& otherwise);
  virtual void update_state() = 0;

  PresetDocument* document_;
  QString refusal_;
  bool running_ = false;

 private:
  QVBoxLayout* column_;
  QHBoxLayout* tools_;
  QPushButton *run_, *cancel_, *begin_ = nullptr;
  ElideLabel* phase_;
  QLabel *verdict_, *note_;
  QProgressBar* bar_;
  QWidget* progress_;
};

}  // namespace mantissa::gui
