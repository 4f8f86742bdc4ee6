#pragma once

#include <string>

#include "engine/plan/job.h"

namespace mantissa {

/// The content of job.json: a run as started.
struct JobFile {
  std::string id;
  JobSpec job;
};

/// Its text, with a checksum. Paths are made absolute, but those of what is built in.
std::string to_text(const JobFile& file);

/// Throws Error naming `label` and the field that is missing or of another type, or reporting a
/// checksum mismatch. Files of version 1 have none.
JobFile parse_job_file(const std::string& text, const std::string& label);

}  // namespace mantissa
