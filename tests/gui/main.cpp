#include <QApplication>
#include <QtTest>
#include <functional>
#include <map>

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
#include "tests/gui/PagesTest.h"
#include "tests/gui/PlotTest.h"
#include "tests/gui/PreflightTest.h"
#include "tests/gui/ProbeTest.h"
#include "tests/gui/QtOrder.h"
#include "tests/gui/QueueTest.h"
#include "tests/gui/RealEngineTest.h"
#include "tests/gui/RecoveryTest.h"
#include "tests/gui/SamplesTest.h"
#include "tests/gui/SeriesStoreTest.h"
#include "tests/gui/SetupTest.h"
#include "tests/gui/SoakTest.h"
#include "tests/gui/StepRingTest.h"
#include "tests/gui/TrainPageTest.h"
#include "tests/gui/TranslationTest.h"
#include "tests/gui/WidgetsTest.h"
#include "tests/gui/WindowTest.h"

namespace {

template <typename Test>
int run_class(const QStringList& arguments) {
  Test test;
  return QTest::qExec(&test, arguments);
}

}  // namespace

/// gui_tests [Class] [QTest arguments]: all classes, or one.
int main(int argc, char** argv) {
  using namespace mantissa::gui;
  TestApplication app(argc, argv);
  const std::map<QString, std::function<int(const QStringList&)>> classes = {
      {QStringLiteral("BaseFilesTest"), run_class<BaseFilesTest>},
      {QStringLiteral("CardsTest"), run_class<CardsTest>},
      {QStringLiteral("StepRingTest"), run_class<StepRingTest>},
      {QStringLiteral("SeriesStoreTest"), run_class<SeriesStoreTest>},
      {QStringLiteral("PlotTest"), run_class<PlotTest>},
      {QStringLiteral("WidgetsTest"), run_class<WidgetsTest>},
      {QStringLiteral("FamilyIconTest"), run_class<FamilyIconTest>},
      {QStringLiteral("FormTest"), run_class<FormTest>},
      {QStringLiteral("LayoutTest"), run_class<LayoutTest>},
      {QStringLiteral("EmptyPagesTest"), run_class<EmptyPagesTest>},
      {QStringLiteral("EngineTest"), run_class<EngineTest>},
      {QStringLiteral("EngineTextTest"), run_class<EngineTextTest>},
      {QStringLiteral("WindowTest"), run_class<WindowTest>},
      {QStringLiteral("TrainPageTest"), run_class<TrainPageTest>},
      {QStringLiteral("QueueTest"), run_class<QueueTest>},
      {QStringLiteral("SamplesTest"), run_class<SamplesTest>},
      {QStringLiteral("ChaosTest"), run_class<ChaosTest>},
      {QStringLiteral("FrameTest"), run_class<FrameTest>},
      {QStringLiteral("HealthTest"), run_class<HealthTest>},
      {QStringLiteral("HistoryTest"), run_class<HistoryTest>},
      {QStringLiteral("HostileTextTest"), run_class<HostileTextTest>},
      {QStringLiteral("DataTest"), run_class<DataTest>},
      {QStringLiteral("PagesTest"), run_class<PagesTest>},
      {QStringLiteral("DesktopTest"), run_class<DesktopTest>},
      {QStringLiteral("DeviceTest"), run_class<DeviceTest>},
      {QStringLiteral("DiskTest"), run_class<DiskTest>},
      {QStringLiteral("RealEngineTest"), run_class<RealEngineTest>},
      {QStringLiteral("PreflightTest"), run_class<PreflightTest>},
      {QStringLiteral("ProbeTest"), run_class<ProbeTest>},
      {QStringLiteral("RecoveryTest"), run_class<RecoveryTest>},
      {QStringLiteral("SetupTest"), run_class<SetupTest>},
      {QStringLiteral("SoakTest"), run_class<SoakTest>},
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
