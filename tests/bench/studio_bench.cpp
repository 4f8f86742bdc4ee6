// How responsive the window is during a run of 200 steps a second with 100,000 images open.
// studio_bench FOLDER [images] [seconds]: FOLDER keeps the images, with captions, for the next
// time.

#include <QApplication>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QListView>
#include <QScrollBar>
#include <QSignalSpy>
#include <QtTest>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "gui/app/FrameTicker.h"
#include "gui/app/SetupPage.h"
#include "gui/dataset/DataPage.h"
#include "gui/plot/PlotWidget.h"
#include "gui/preset/PresetDocument.h"
#include "gui/run/JobPanel.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunPage.h"
#include "tests/bench/stalls.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {
namespace {

constexpr std::chrono::microseconds kStep{5000};

/// Works in the window for some seconds, `act` twenty times in each.
void measure(TestSession& t, const char* what, double seconds,
             const std::function<void(int)>& act) {
  FrameTicker* ticker = t.window().ticker();
  QTest::qWait(300);
  ticker->reset_figures();
  const std::size_t before = t.session->data().loss.size();
  std::int64_t paint = 0;
  Latency latency(&t.window());
  QElapsedTimer timer;
  timer.start();
  for (int i = 0; static_cast<double>(timer.elapsed()) < 1000 * seconds; ++i) {
    act(i);
    QTest::qWait(50);
    for (const PlotWidget* plot :
         {t.window().run_page()->loss_plot(), t.window().run_page()->grad_plot()}) {
      paint = std::max(paint, plot->last_paint_ns());
    }
  }
  const double took = static_cast<double>(timer.elapsed()) / 1000;
  const std::vector<double> waits = latency.end();
  std::printf(
      "%-22s %5.1f steps/s, %4.1f ticks/s; a click waits: median %.2f ms, 99 %% %.1f ms, "
      "at most %.1f ms; longest tick %.2f ms, paint of a plot %.2f ms\n",
      what, static_cast<double>(t.session->data().loss.size() - before) / took,
      static_cast<double>(ticker->ticks()) / took, quantile(waits, 0.5), quantile(waits, 0.99),
      quantile(waits, 1), static_cast<double>(ticker->longest_tick_ns()) / 1e6,
      static_cast<double>(paint) / 1e6);
  std::fflush(stdout);
}

int run(const QString& folder, int count, double seconds) {
  QElapsedTimer timer;
  timer.start();
  make_images(folder, count);
  std::printf("%d images there after %.1f s\n", count, static_cast<double>(timer.elapsed()) / 1000);
  FakeEngine engine = endless_engine();
  engine.per_step = kStep;
  TestSession t(engine, false);
  t.session->document().edit("data.resolution", 64);
  t.window().setup_page()->job()->set_paths(QStringLiteral("demo"), {folder});
  t.show();
  DataPage* data = t.window().data_page();
  QSignalSpy scanned(data, &DataPage::scanned);
  timer.start();
  Latency while_scanning(&t.window());
  t.window().show_page(data);
  if (!scanned.wait(600'000)) {
    return 1;
  }
  const std::vector<double> waits = while_scanning.end();
  std::printf("scanned in %.1f s: %s; a click waits at most %.1f ms\n",
              static_cast<double>(timer.elapsed()) / 1000, qPrintable(data->summary()),
              quantile(waits, 1));
  t.window().actions()->start->trigger();
  if (!t.wait_for(RunState::training, 20000)) {
    return 1;
  }
  measure(t, "Train", seconds, [&](int) { t.window().show_page(t.window().run_page()); });
  t.window().show_page(data);
  QScrollBar* bar = data->list()->verticalScrollBar();
  measure(t, "Data, scrolling", seconds, [&](int i) {
    bar->setValue(
        static_cast<int>(static_cast<std::int64_t>(i) * 977 * 163 % std::max(bar->maximum(), 1)));
  });
  measure(t, "Data, next image", seconds,
          [&](int i) { data->list()->setCurrentIndex(data->list()->model()->index(i, 0)); });
  measure(t, "Data, search", seconds, [&](int i) {
    data->search()->setText(i % 20 < 10 ? QStringLiteral("tone 1") : QStringLiteral("tone 12"));
  });
  measure(t, "all pages in turn", seconds, [&](int i) {
    t.window().show_page(
        t.window().pages()[static_cast<std::size_t>(i) % t.window().pages().size()]);
  });
  t.window().actions()->stop->trigger();
  return t.wait_for_end(20000) ? 0 : 1;
}

}  // namespace
}  // namespace mantissa::gui

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "studio_bench: expects a folder for the images\n");
    return 2;
  }
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  QApplication app(argc, argv);
  return mantissa::gui::run(QString::fromLocal8Bit(argv[1]),
                            argc > 2 ? std::atoi(argv[2]) : 100'000,
                            argc > 3 ? std::atof(argv[3]) : 10);
}
