#pragma once

#include <QObject>
#include <utility>

#include "gui/widgets/PathEdit.h"

namespace mantissa::gui {

class ComparePage;
class PlotWidget;
class RunLibrary;
enum class PlotFormat;

/// Writes a run that is shown, or the curves, to a file that is asked for.
class RunExport : public QObject {
  Q_OBJECT

 public:
  /// `page`: over which it asks.
  RunExport(RunLibrary* library, ComparePage* compare, QWidget* page);

  enum class File { csv, report };
  void write_run(File what, const QString& id);
  /// `id`: of the run that the file is named after.
  void write_plot(PlotWidget* plot, PlotFormat format, const QString& id);
  /// For tests, without a dialog.
  void set_chooser(PathChooser chooser) { choose_ = std::move(chooser); }

 signals:
  void written(const QString& text);
  void problem(const QString& text);

 private:
  void write(File what, const QString& id, const QString& file);

  RunLibrary* library_;
  ComparePage* compare_;
  QWidget* page_;
  PathChooser choose_;
};

}  // namespace mantissa::gui
