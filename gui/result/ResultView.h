#pragma once

#include <QThreadPool>
#include <QWidget>

#include "gui/base/Theme.h"
#include "gui/programs/ProgramFolders.h"
#include "gui/result/EndedRun.h"

class QBoxLayout;
class QGridLayout;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTableWidget;

namespace mantissa::gui {

class ReaderList;
class SamplePairView;

/// What a run has made: its figures, the files, what other programs make of them, the last samples
/// beside the first, and the ways on. The folder is read on a thread of its own.
class ResultView : public QWidget {
  Q_OBJECT

 public:
  explicit ResultView(const Theme* theme, QWidget* parent = nullptr);
  ~ResultView() override;

  void show_run(const EndedRun& run);
  /// No run is shown.
  void clear();
  /// A copy is in progress: another one has to wait.
  void set_copying(bool copying);
  bool is_loading() const;

  /// The chosen file; empty: none.
  QString file() const;
  /// What its copy is called: a checkpoint's has its step in its name.
  QString copy_name() const;
  QTableWidget* files() const { return table_; }
  const ReaderList* readers() const { return readers_; }
  SamplePairView* samples() const { return samples_; }
  QString figures() const;
  /// Which checkpoint to take, and why; empty: none was validated.
  QString suggestion() const;
  /// Whether the last samples repeat training images; empty: not measured.
  QString memorising() const;
  QPushButton* folder_button() const { return folder_; }
  QPushButton* copy_button(Program program) const;
  QPushButton* again_button() const { return again_; }

  QSize minimumSizeHint() const override;

 signals:
  void folder_requested(const QString& path);
  /// `name`: of the copy.
  void copy_requested(const QString& file, const QString& name, mantissa::gui::Program program);
  /// The run's preset is wanted as the draft.
  void again_requested();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* build_facts();
  QLayout* build_buttons();
  void take(const RunFiles& found);
  void show_files();
  /// "step 600, suggested".
  QString origin_text(const ResultFile& file) const;
  void update_buttons();
  void arrange();

  const Theme* theme_;
  EndedRun run_;
  RunFiles found_;
  QStackedWidget* stack_;
  QWidget *facts_ = nullptr, *sample_card_ = nullptr;
  QBoxLayout* across_ = nullptr;
  QGridLayout* buttons_ = nullptr;
  QLabel *mark_ = nullptr, *title_ = nullptr, *figures_ = nullptr, *reason_ = nullptr;
  QLabel *suggestion_ = nullptr, *memorising_ = nullptr;
  QLabel *readers_title_ = nullptr, *note_ = nullptr, *no_files_ = nullptr;
  QTableWidget* table_ = nullptr;
  ReaderList* readers_ = nullptr;
  SamplePairView* samples_ = nullptr;
  QPushButton *folder_ = nullptr, *comfyui_ = nullptr, *webui_ = nullptr, *again_ = nullptr;
  bool copying_ = false;
  int reading_ = 0;
  quint64 asked_ = 0;
  QThreadPool pool_;  ///< last: its task ends before what it uses
};

}  // namespace mantissa::gui
