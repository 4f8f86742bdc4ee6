#pragma once

#include <QKeyCombination>
#include <span>
#include <vector>

#include "gui/app/WindowParts.h"
#include "gui/base/Icons.h"
#include "gui/widgets/Page.h"
#include "gui/widgets/PathEdit.h"

namespace mantissa::gui {

/// Dependencies of pages.
struct PageSources {
  WindowParts parts;
  PathChooser open_preset;
  /// Pages made so far: those of the rows above.
  std::vector<Page*> made;

  template <class P>
  P* page() const {
    for (Page* page : made) {
      if (P* wanted = qobject_cast<P*>(page)) {
        return wanted;
      }
    }
    return nullptr;
  }
};

/// A page: the rail, the View menu, its key, the list of keys and `--screenshots` follow from its
/// row.
struct PageRow {
  const char* id;                 ///< of its screenshot
  const char *title, *menu_text;  ///< context "pages"; the latter with its mnemonic
  Icon icon;
  QKeyCombination keys;
  Page* (*make)(const PageSources& from, QWidget* parent);
};

/// Every page, from the top of the rail.
std::span<const PageRow> page_table();

}  // namespace mantissa::gui
