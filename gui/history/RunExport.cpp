#include "gui/history/RunExport.h"

#include <QSaveFile>

#include "engine/core/error.h"
#include "engine/store/metrics.h"
#include "gui/base/EngineText.h"
#include "gui/history/ComparePage.h"
#include "gui/history/RunLibrary.h"
#include "gui/history/RunReport.h"
#include "gui/plot/PlotExport.h"

namespace mantissa::gui {
namespace {

void write_text(const QString& file, const QByteArray& text) {
  QSaveFile out(file);
  if (!out.open(QIODevice::WriteOnly) || out.write(text) != text.size() || !out.commit()) {
    throw Error(message<"can't write {file}: {reason}; choose a folder you may write to.">(
        file.toStdString(), out.errorString().toStdString()));
  }
}

QString with_suffix(const QString& file, const QString& suffix) {
  return file.endsWith(suffix, Qt::CaseInsensitive) ? file : file + suffix;
}

}  // namespace

RunExport::RunExport(RunLibrary* library, ComparePage* compare, QWidget* page)
    : QObject(page),
      library_(library),
      compare_(compare),
      page_(page),
      choose_(save_chooser(tr("Export"), tr("All files (*)"), QString())) {}

void RunExport::write_run(File what, const QString& id) {
  if (library_->run(id) == nullptr) {
    return;
  }
  const QString suffix = what == File::csv ? QStringLiteral(".csv") : QStringLiteral(".md");
  choose_(page_, id + suffix, [this, what, id, suffix](const QString& chosen) {
    write(what, id, with_suffix(chosen, suffix));
  });
}

void RunExport::write_plot(PlotWidget* plot, PlotFormat format, const QString& id) {
  const QString suffix = plot_suffix(format);
  choose_(page_, id + suffix, [this, plot, format, suffix](const QString& chosen) {
    const QString file = with_suffix(chosen, suffix);
    try {
      compare_->show_view(ComparePage::curves);
      export_plot(*plot, format, file);
      emit written(tr("Written to %1").arg(file));
    } catch (const Error& e) {
      emit problem(error_text(message_of(e)));
    }
  });
}

void RunExport::write(File what, const QString& id, const QString& file) {
  const RunSummary* run = library_->run(id);
  const RunDetail* detail = compare_->detail(id);
  if (run == nullptr || detail == nullptr) {
    return;
  }
  try {
    if (what == File::csv) {
      write_text(file, QByteArray::fromStdString(metrics_csv(detail->steps, detail->validation)));
    } else {
      write_text(file, run_report(*run, *detail).toUtf8());
    }
    emit written(tr("Written to %1").arg(file));
  } catch (const Error& e) {
    emit problem(error_text(message_of(e)));
  }
}

}  // namespace mantissa::gui
