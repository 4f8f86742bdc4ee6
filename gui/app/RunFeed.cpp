#include "gui/app/RunFeed.h"

#include "engine/run/run_notes.h"
#include "gui/app/FrameTicker.h"
#include "gui/app/PageStack.h"
#include "gui/base/Text.h"
#include "gui/engine/EngineClient.h"
#include "gui/run/DiskCard.h"
#include "gui/run/LogView.h"
#include "gui/run/RunData.h"
#include "gui/run/RunPage.h"
#include "gui/samples/SampleModel.h"

namespace mantissa::gui {

RunFeed::RunFeed(const WindowFrame& frame) : f_(frame) {
  EngineClient* engine = f_.parts.engine;
  RunData* data = f_.parts.run_data;
  connect(engine, &EngineClient::logged, f_.run->log(), &LogView::append);
  connect(engine, &EngineClient::rated, this,
          [data](const RunRates& rates) { data->set_process_rates(rates); });
  connect(engine, &EngineClient::paused, this,
          [data](const PauseRecord& pause) { data->add_pause(pause); });
  connect(engine, &EngineClient::sampled, this, [this](const SampleRecord& sample) {
    f_.parts.sample_model->add(sample);
    f_.parts.run_data->add_marker(PlotMarker::Kind::sample, sample.step, tr("sample rendered"));
    note(sample_note(sample.step, sample.prompt_index));
    f_.run->on_frame();
  });
  connect(engine, &EngineClient::saved, this, [this](const QString& path, qint64 step) {
    f_.parts.run_data->add_marker(PlotMarker::Kind::saved, step, tr("saved to %1").arg(path), path);
    note(saved_note(step, path.toStdString()));
    f_.run->on_frame();
  });
  connect(engine, &EngineClient::non_finite_found, this, [this](const NonFiniteReport& report) {
    f_.parts.run_data->add_report(report);
    f_.run->on_report();
  });
  connect(engine, &EngineClient::validated, this,
          [data](const ValidationRecord& record) { data->add_validation(record); });
  connect(engine, &EngineClient::health_measured, this,
          [data](const HealthRecord& record) { data->health.add(record); });
  connect(engine, &EngineClient::disk_full, this, [this](const FullDisk& full) {
    f_.run->disk_card()->show_full(full);
    note(Message::verbatim(tr("Paused: the disk is full").toStdString()));
    f_.parts.run_data->add_pause({full.step, true});
    f_.pages->show_page(f_.run);
  });
  connect(f_.ticker, &FrameTicker::frame, f_.run, &RunPage::on_frame);
  connect(f_.ticker, &FrameTicker::labels, this, [this] {
    if (f_.pages->page() == f_.run) {
      f_.run->on_labels();
    }
  });
}

void RunFeed::note(const Message& line) {
  f_.run->log()->append({{LogLevel::info, line}});
}

}  // namespace mantissa::gui
