#pragma once

#include <QString>
#include <vector>

#include "engine/plan/devices.h"

namespace mantissa::gui {

struct DiskInfo {
  QString what, folder;  ///< "Runs", "/home/me/.local/share/mantissa"
  std::uint64_t free_bytes = 0, total_bytes = 0;
};

/// What the device page shows.
struct DeviceReport {
  std::vector<DeviceInfo> devices;
  std::vector<DiskInfo> disks;
  std::vector<std::pair<QString, QString>> versions;  ///< "Mantissa", "0.1.0"
};

/// Asks the engine, the driver and the file system; may take a second, so it belongs on a thread.
DeviceReport collect_device_report();

/// As plain text, for a bug report.
QString device_report_text(const DeviceReport& report);

}  // namespace mantissa::gui
