#include <QApplication>
#include <QDir>
#include <QFile>
#include <QSaveFile>
#include <QtTest>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include "engine/core/system.h"
#include "gui/preset/SettingsReader.h"
#include "tests/gui/ApartTest.h"
#include "tests/gui/BaseFilesTest.h"
#include "tests/gui/CardsTest.h"
#include "tests/gui/ChaosTest.h"
#include "tests/gui/DataTest.h"
#include "tests/gui/DesktopTest.h"
#include "tests/gui/DeviceTest.h"
#include "tests/gui/DiskTest.h"
#include "tests/gui/EmptyPagesTest.h"
#include "tests/gui/EngineTest.h"
#include "tests/gui/EngineTextTest.h"
#include "tests/gui/FamilyIconTest.h"
#include "tests/gui/FormTest.h"
#include "tests/gui/FrameTest.h"
#include "tests/gui/HealthTest.h"
#include "tests/gui/HistoryTest.h"
#include "tests/gui/HostileTextTest.h"
#include "tests/gui/LayoutTest.h"
#include "tests/gui/ModelPickerTest.h"
#include "tests/gui/NoticeTest.h"
#include "tests/gui/PagesTest.h"
#include "tests/gui/PlotTest.h"
#include "tests/gui/PreflightTest.h"
#include "tests/gui/ProbeTest.h"
#include "tests/gui/QtOrder.h"
#include "tests/gui/QueueTest.h"
#include "tests/gui/RealEngineTest.h"
#include "tests/gui/RecoveryTest.h"
#include "tests/gui/RefusalTest.h"
#include "tests/gui/ResultTest.h"
#include "tests/gui/SamplesTest.h"
#include "tests/gui/ScreenTest.h"
#include "tests/gui/SeriesStoreTest.h"
#include "tests/gui/SetupTest.h"
#include "tests/gui/SoakTest.h"
#include "tests/gui/StepRingTest.h"
#include "tests/gui/ToolsTest.h"
#include "tests/gui/TrainPageTest.h"
#include "tests/gui/TranslationTest.h"
#include "tests/gui/WidgetsTest.h"
#include "tests/gui/WindowTest.h"

namespace {

/// The offscreen platform's own screen is smaller than the window: one of WIDTHxHEIGHT pixels, by
/// default that of a usual monitor.
void make_screen() {
  if (qgetenv("QT_QPA_PLATFORM") != "offscreen") {
    return;
  }
  const QByteArray given = qgetenv("MANTISSA_TEST_SCREEN");
  const QList<QByteArray> size = (given.isEmpty() ? QByteArray("1920x1200") : given).split('x');
  const QString name =
      QDir::temp().filePath(QStringLiteral("mantissa-screen-%1.json").arg(mantissa::process_id()));
  QSaveFile file(name);
  const QByteArray text = R"({"windowFrameMargins": true, "screens": [{"name": "screen", "x": 0, )"
                          R"("y": 0, "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1, "width": )" +
                          size[0] + R"(, "height": )" + size[1] + "}]}";
  if (file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit()) {
    qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + QFile::encodeName(name));
  }
}

template <typename Test>
int run_class(const QStringList& arguments) {
  Test test;
  return QTest::qExec(&test, arguments);
}

}  // namespace

/// gui_tests [Class] [QTest arguments]: all classes, or one. Also the process that reads settings,
/// and with --crash or --hang one that fails to.
int main(int argc, char** argv) {
  using namespace mantissa::gui;
  if (const auto status = run_settings_reader(argc, argv)) {
    return *status;
  }
  if (argc > 1 && std::string(argv[1]) == "--crash") {
    std::abort();
  }
  if (argc > 1 && std::string(argv[1]) == "--hang") {
    std::this_thread::sleep_for(std::chrono::minutes(1));
    return 0;
  }
  make_screen();
  TestApplication app(argc, argv);
  const QString screen = qEnvironmentVariable("QT_QPA_PLATFORM").section(QLatin1Char('='), 1);
  if (!screen.isEmpty()) {
    QFile::remove(screen);
    qputenv("QT_QPA_PLATFORM", "offscreen");  // of programs that tests start
  }
  const std::map<QString, std::function<int(const QStringList&)>> classes = {
      {QStringLiteral("ApartTest"), run_class<ApartTest>},
      {QStringLiteral("BaseFilesTest"), run_class<BaseFilesTest>},
      {QStringLiteral("CardsTest"), run_class<CardsTest>},
      {QStringLiteral("StepRingTest"), run_class<StepRingTest>},
      {QStringLiteral("SeriesStoreTest"), run_class<SeriesStoreTest>},
      {QStringLiteral("PlotTest"), run_class<PlotTest>},
      {QStringLiteral("WidgetsTest"), run_class<WidgetsTest>},
      {QStringLiteral("FamilyIconTest"), run_class<FamilyIconTest>},
      {QStringLiteral("FormTest"), run_class<FormTest>},
      {QStringLiteral("LayoutTest"), run_class<LayoutTest>},
      {QStringLiteral("ModelPickerTest"), run_class<ModelPickerTest>},
      {QStringLiteral("ResultTest"), run_class<ResultTest>},
      {QStringLiteral("EmptyPagesTest"), run_class<EmptyPagesTest>},
      {QStringLiteral("EngineTest"), run_class<EngineTest>},
      {QStringLiteral("EngineTextTest"), run_class<EngineTextTest>},
      {QStringLiteral("WindowTest"), run_class<WindowTest>},
      {QStringLiteral("TrainPageTest"), run_class<TrainPageTest>},
      {QStringLiteral("QueueTest"), run_class<QueueTest>},
      {QStringLiteral("SamplesTest"), run_class<SamplesTest>},
      {QStringLiteral("ScreenTest"), run_class<ScreenTest>},
      {QStringLiteral("ChaosTest"), run_class<ChaosTest>},
      {QStringLiteral("FrameTest"), run_class<FrameTest>},
      {QStringLiteral("HealthTest"), run_class<HealthTest>},
      {QStringLiteral("HistoryTest"), run_class<HistoryTest>},
      {QStringLiteral("HostileTextTest"), run_class<HostileTextTest>},
      {QStringLiteral("DataTest"), run_class<DataTest>},
      {QStringLiteral("PagesTest"), run_class<PagesTest>},
      {QStringLiteral("DesktopTest"), run_class<DesktopTest>},
      {QStringLiteral("DeviceTest"), run_class<DeviceTest>},
      {QStringLiteral("NoticeTest"), run_class<NoticeTest>},
      {QStringLiteral("DiskTest"), run_class<DiskTest>},
      {QStringLiteral("RealEngineTest"), run_class<RealEngineTest>},
      {QStringLiteral("PreflightTest"), run_class<PreflightTest>},
      {QStringLiteral("ProbeTest"), run_class<ProbeTest>},
      {QStringLiteral("RecoveryTest"), run_class<RecoveryTest>},
      {QStringLiteral("RefusalTest"), run_class<RefusalTest>},
      {QStringLiteral("SetupTest"), run_class<SetupTest>},
      {QStringLiteral("SoakTest"), run_class<SoakTest>},
      {QStringLiteral("ToolsTest"), run_class<ToolsTest>},
      {QStringLiteral("TranslationTest"), run_class<TranslationTest>},
  };
  QStringList arguments = app.arguments();
  int failed = 0;
  if (arguments.size() > 1 && classes.contains(arguments[1])) {
    const QString name = arguments.takeAt(1);
    return classes.at(name)(arguments);
  }
  for (const auto& [name, run] : classes) {
    failed += run(arguments);
  }
  return failed;
}
