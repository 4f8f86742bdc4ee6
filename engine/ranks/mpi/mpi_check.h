#pragma once

#include <array>
#include <mpi.h>
#include <stdexcept>
#include <string>

namespace mantissa {

/// Throws std::runtime_error with MPI's reason.
inline void check_mpi(int status) {
  if (status != MPI_SUCCESS) {
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(status, text.data(), &length);
    throw std::runtime_error(std::string(text.data(), static_cast<std::size_t>(length)));
  }
}

}  // namespace mantissa
