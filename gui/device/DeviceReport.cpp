#include "gui/device/DeviceReport.h"

#include <QCoreApplication>
#include <QStorageInfo>
#include <QSysInfo>

#include "engine/core/paths.h"
#include "engine/plan/device_test.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(DeviceReport)
};

}  // namespace

DeviceReport collect_device_report() {
  DeviceReport report;
  report.devices = list_devices();
  const std::pair<QString, std::filesystem::path (*)()> folders[] = {
      {Words::tr("Runs"), data_dir}, {Words::tr("Cache"), cache_dir}};
  for (const auto& [what, place] : folders) {
    try {
      const QString folder = path_text(place());
      const QStorageInfo disk(folder);
      report.disks.push_back(
          {what, folder, static_cast<std::uint64_t>(std::max<qint64>(disk.bytesAvailable(), 0)),
           static_cast<std::uint64_t>(std::max<qint64>(disk.bytesTotal(), 0))});
    } catch (const std::exception& e) {
      report.disks.push_back({what, error_text(message_of(e)), 0, 0});
    }
  }
  report.versions = {
      {QStringLiteral("Mantissa"), QCoreApplication::applicationVersion()},
      {QStringLiteral("Qt"), QString::fromLatin1(qVersion())},
      {Words::tr("System"), QSysInfo::prettyProductName()},
      {Words::tr("Kernel"), QSysInfo::kernelType() + QLatin1Char(' ') + QSysInfo::kernelVersion()},
      {Words::tr("Architecture"), QSysInfo::currentCpuArchitecture()}};
  for (const DeviceInfo& d : report.devices) {
    if (!d.libraries.empty()) {
      report.versions.emplace_back(QStringLiteral("CUDA"), to_qstring(d.libraries));
      break;
    }
  }
  return report;
}

QString device_tests(const std::vector<DeviceInfo>& devices) {
  QString text;
  for (const DeviceInfo& device : devices) {
    text += to_qstring(device_test_text(test_device(device)));
  }
  return text;
}

QString device_report_text(const DeviceReport& report) {
  QString out;
  for (const DeviceInfo& d : report.devices) {
    out += QStringLiteral("%1: %2\n").arg(to_qstring(d.id), to_qstring(d.name));
    out += d.usable
               ? Words::tr("  ready") + QLatin1Char('\n')
               : Words::tr("  can't be used: %1").arg(message_text(d.reason)) + QLatin1Char('\n');
    if (d.threads > 0) {
      out += Words::tr("  threads: %1").arg(d.threads) + QLatin1Char('\n');
    }
    if (!d.compute_capability.empty()) {
      out += Words::tr("  compute capability: %1").arg(to_qstring(d.compute_capability)) +
             QLatin1Char('\n');
    }
    if (!d.driver.empty()) {
      out += Words::tr("  driver: %1").arg(to_qstring(d.driver)) + QLatin1Char('\n');
    }
    if (d.memory_bytes > 0) {
      out += (d.free_bytes > 0 ? Words::tr("  memory: %1 free of %2")
                                     .arg(format_bytes(d.free_bytes), format_bytes(d.memory_bytes))
                               : Words::tr("  memory: %1").arg(format_bytes(d.memory_bytes))) +
             QLatin1Char('\n');
    }
    if (!d.features.empty()) {
      QStringList features;
      for (const std::string& f : d.features) {
        features << to_qstring(f);
      }
      out += Words::tr("  instruction sets: %1").arg(features.join(QLatin1Char(' '))) +
             QLatin1Char('\n');
    }
  }
  for (const DiskInfo& disk : report.disks) {
    out += Words::tr("%1: %2, %3 free of %4")
               .arg(disk.what, disk.folder, format_bytes(disk.free_bytes),
                    format_bytes(disk.total_bytes)) +
           QLatin1Char('\n');
  }
  for (const auto& [what, version] : report.versions) {
    out += QStringLiteral("%1: %2\n").arg(what, version);
  }
  return out + report.tests;
}

}  // namespace mantissa::gui
