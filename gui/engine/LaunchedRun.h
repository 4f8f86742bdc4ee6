#pragma once

#include <QString>
#include <QStringList>

#include "engine/run/run.h"
#include "engine/run/run_control.h"

class QProcess;

namespace mantissa::gui {

/// The arguments of `mantissa` that train `job`, with its preset in a file; `ways` follow it.
QStringList train_arguments(const JobSpec& job, const QString& preset_file,
                            const QStringList& ways = {QStringLiteral("--relay")});

/// Sets the program that trains a job with these arguments, and its environment: `mantissa` beside
/// this program, on several cards by mpirun. Throws Error if one is missing.
void set_train_command(QProcess& process, const JobSpec& job, const QStringList& arguments);

/// Trains `job` as run_training does, but by the program `mantissa` beside this one: on several
/// cards in as many processes, which mpirun starts. The processes get this one's environment.
RunResult launch_training(const JobSpec& job, RunControl& control, RunObserver& observer);

/// In this process, or, on several cards, by launch_training.
RunResult run_on_devices(const JobSpec& job, RunControl& control, RunObserver& observer);

}  // namespace mantissa::gui
