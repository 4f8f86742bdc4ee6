#pragma once
// A run in the queue, and the queue as the studio's settings keep it.

#include <QByteArray>
#include <QString>
#include <vector>

#include "engine/plan/job.h"

namespace mantissa::gui {

struct QueuedRun {
  enum class State { waiting, running, finished, stopped, failed, interrupted };
  JobSpec job;  ///< frozen when it was added
  State state = State::waiting;
  QString message;     ///< how it ended
  bool apart = false;  ///< in progress in a process of its own
  bool leads = false;  ///< likewise; once it has ended the queue continues, even after a restart
  int side = 0;        ///< its number if it runs beside the Train page's (SideRuns)
};

QByteArray queue_text(const std::vector<QueuedRun>& runs);
/// The runs of such a text; none of an empty one. Throws Error if it can't be read.
std::vector<QueuedRun> read_queue(const QByteArray& text);

}  // namespace mantissa::gui
