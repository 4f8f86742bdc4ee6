#pragma once

#include <QString>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "engine/store/image_influence.h"

class QObject;

namespace mantissa::gui {

/// The images that stood out in a run.
struct RunImages {
  QString run;  ///< its id; empty: none
  std::vector<ImageInfluence> images;
};

/// Looks for the latest run that measured images of these names, and answers on the window's
/// thread unless `context` is destroyed by then.
using FindRunImages = std::function<void(const std::set<std::string>& names, QObject* context,
                                         const std::function<void(const RunImages& found)>& got)>;

}  // namespace mantissa::gui
