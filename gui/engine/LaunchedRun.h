#pragma once

#include <QString>
#include <QStringList>

#include "engine/run/run.h"
#include "engine/run/run_control.h"

namespace mantissa::gui {

/// The arguments of `mantissa` that train `job`, with its preset in a file; `ways` follow it.
QStringList train_arguments(const JobSpec& job, const QString& preset_file,
                            const QStringList& ways = {QStringLiteral("--relay")});

/// The program that trains with them, `mantissa` beside this one. Throws Error if it is missing.
QString train_program();

/// Trains `job` as run_training does, but by the program `mantissa` beside this one, which gets
/// this one's environment.
RunResult launch_training(const JobSpec& job, RunControl& control, RunObserver& observer);
/// Trains `job` likewise, but by the program of that path.
RunResult train_by(const QString& program, const JobSpec& job, RunControl& control,
                   RunObserver& observer);

}  // namespace mantissa::gui
