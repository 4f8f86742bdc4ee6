#pragma once

#include <QString>
#include <QStringList>

#include "engine/run/run.h"
#include "engine/run/run_control.h"

namespace mantissa::gui {

/// The arguments of `mantissa` that train `job` for this program, with its preset in a file.
QStringList relayed_arguments(const JobSpec& job, const QString& preset_file);

/// Trains `job` as run_training does, but by the program `mantissa` beside this one: on several
/// cards in as many processes, which mpirun starts. The processes get this one's environment.
RunResult launch_training(const JobSpec& job, RunControl& control, RunObserver& observer);

/// In this process, or, on several cards, by launch_training.
RunResult run_on_devices(const JobSpec& job, RunControl& control, RunObserver& observer);

}  // namespace mantissa::gui
