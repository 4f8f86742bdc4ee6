#include "gui/dataset/DuplicateFinder.h"

#include <utility>

#include "engine/io/image.h"

namespace mantissa::gui {

void DuplicateFinder::start(std::vector<ImageItem> items) {
  run([this, items = std::move(items)](const Progress& progress) -> std::function<void()> {
    const ImageLibrary library;
    return [this, groups = find_duplicates(items, progress)] { emit found(groups); };
  });
}

}  // namespace mantissa::gui
