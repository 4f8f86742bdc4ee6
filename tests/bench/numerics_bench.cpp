// What the Numerics view costs a run: steps a second of the real engine in the window, with
// Numerics and with Curves in view, in turns within one run (A B B A). numerics_bench [seconds of a
// turn] [rounds]

#include <QApplication>
#include <QElapsedTimer>
#include <QtTest>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "gui/app/SetupPage.h"
#include "gui/precision/HealthView.h"
#include "gui/preset/PresetDocument.h"
#include "gui/run/JobPanel.h"
#include "gui/run/PlotsPanel.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunPage.h"
#include "tests/gui/RealStudio.h"

namespace mantissa::gui {
namespace {

constexpr int kEndless = 1'000'000, kLooked = 1500;  // steps; after so many the map is full

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

int run(int seconds, int rounds) {
  RealStudio studio;
  Session& s = *studio.session;
  s.document().open(QStringLiteral(MANTISSA_SOURCE_DIR "/presets/demo.json"));
  s.document().edit("data.resolution", 64);
  s.document().edit("training.steps", kEndless);
  s.document().edit("samples.every", 0);
  s.document().edit("output.save_every", 0);
  s.window().setup_page()->job()->use_demo();
  s.window().show();
  s.window().actions()->start->trigger();
  const auto reached = [&] { return s.data().step() >= kLooked || studio.ended; };
  if (!QTest::qWaitFor(reached, 600'000) || studio.ended) {
    std::fprintf(stderr, "it did not train: %s\n", studio.end.failure.message.text().c_str());
    return 1;
  }
  RunPage* page = s.window().run_page();
  s.window().show_page(page);
  const auto steps_a_second = [&](QWidget* view) {
    page->show_view(view);
    QTest::qWait(1000);
    const std::int64_t from = s.data().step();
    QElapsedTimer clock;
    clock.start();
    QTest::qWait(1000 * seconds);
    return 1e9 * static_cast<double>(s.data().step() - from) /
           static_cast<double>(clock.nsecsElapsed());
  };
  std::vector<double> curves, numerics, ratios;
  for (int i = 0; i < rounds; ++i) {
    const double a = steps_a_second(page->plots()), b = steps_a_second(page->health());
    const double c = steps_a_second(page->health()), d = steps_a_second(page->plots());
    curves.insert(curves.end(), {a, d});
    numerics.insert(numerics.end(), {b, c});
    ratios.push_back((b + c) / (a + d));
    std::printf("round %d: Curves %.2f %.2f, Numerics %.2f %.2f steps/s\n", i + 1, a, d, b, c);
    std::fflush(stdout);
  }
  std::printf(
      "%zu layer statistics; median Curves %.2f, Numerics %.2f steps/s; median ratio %.4f\n",
      s.data().health.size(), median(curves), median(numerics), median(ratios));
  s.engine().request_stop(RunControl::Stop::discard);
  return QTest::qWaitFor([&] { return studio.ended; }, 60'000) ? 0 : 1;
}

}  // namespace
}  // namespace mantissa::gui

int main(int argc, char** argv) {
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  QApplication app(argc, argv);
  return mantissa::gui::run(argc > 1 ? std::atoi(argv[1]) : 10, argc > 2 ? std::atoi(argv[2]) : 4);
}
