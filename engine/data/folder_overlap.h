#pragma once

#include <vector>

#include "engine/data/data_finding.h"
#include "engine/data/set_folders.h"

namespace mantissa {

/// Folders of prior or validation images that are also those of the images, or one in the other:
/// what is then used for what. `uses_prior`: whether prior folders are scanned.
void find_overlaps(const SetFolders& folders, bool uses_prior, std::vector<DataFinding>& findings);

}  // namespace mantissa
