#pragma once

#include <QString>
#include <vector>

#include "engine/plan/devices.h"

namespace mantissa::gui {

struct DiskInfo {
  QString what, folder;  ///< "Runs", "/home/me/.local/share/mantissa"; or why it can't be used
  std::uint64_t free_bytes = 0, total_bytes = 0;  ///< total 0: unknown
};

/// The content of the device page.
struct DeviceReport {
  std::vector<DeviceInfo> devices;
  std::vector<DiskInfo> disks;
  std::vector<std::pair<QString, QString>> versions;  ///< "Mantissa", "0.1.0"
  QString tests;  ///< results of device_tests; empty: none were made
};

/// Queries the engine, the driver and the file system; may take a second, so run it on a thread.
DeviceReport collect_device_report();

/// A self-test of each device, as text; takes seconds.
QString device_tests(const std::vector<DeviceInfo>& devices);

/// As plain text, for a bug report.
QString device_report_text(const DeviceReport& report);

}  // namespace mantissa::gui
