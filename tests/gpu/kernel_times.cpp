// A library that the CUDA driver loads into a process (CUDA_INJECTION64_PATH): it writes when each
// kernel, copy and fill ran on the card, also those within recordings, to the file that
// MANTISSA_KERNEL_TIMES names. A line each: launch, start and duration in ns, name. Nodes of one
// replay share their launch.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cupti.h>
#include <cxxabi.h>
#include <initializer_list>

namespace {

constexpr std::size_t kBufferBytes = 8 << 20;
std::FILE* report = nullptr;

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(ACTIVITY_RECORD_ALIGNMENT, kBufferBytes));
  *size = *buffer == nullptr ? 0 : kBufferBytes;
  *most_records = 0;  // as many as fit
}

template <class Record>
void write(const CUpti_Activity* activity, const char* name) {
  const auto& record = *reinterpret_cast<const Record*>(activity);
  char* demangled = abi::__cxa_demangle(name, nullptr, nullptr, nullptr);
  std::fprintf(report, "%u\t%llu\t%llu\t%s\n", record.correlationId,
               static_cast<unsigned long long>(record.start),
               static_cast<unsigned long long>(record.end - record.start),
               demangled != nullptr ? demangled : name);
  std::free(demangled);
}

void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                          std::size_t valid) {
  CUpti_Activity* record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
    switch (record->kind) {
      case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        write<CUpti_ActivityKernel10>(
            record, reinterpret_cast<const CUpti_ActivityKernel10*>(record)->name);
        break;
      case CUPTI_ACTIVITY_KIND_MEMCPY:
        write<CUpti_ActivityMemcpy6>(record, "copy");
        break;
      case CUPTI_ACTIVITY_KIND_MEMSET:
        write<CUpti_ActivityMemset4>(record, "fill");
        break;
      default:
        break;
    }
  }
  std::free(buffer);
}

void finish() {
  cuptiActivityFlushAll(1);
  std::fclose(report);
}

}  // namespace

/// Called by the driver when the process first uses it; 1: loaded.
extern "C" int InitializeInjection() {
  const char* path = std::getenv("MANTISSA_KERNEL_TIMES");
  report = path == nullptr ? nullptr : std::fopen(path, "w");
  if (report == nullptr) {
    return 0;
  }
  cuptiActivityRegisterCallbacks(give_buffer, take_buffer);
  for (const CUpti_ActivityKind kind : {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                        CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET}) {
    if (const CUptiResult result = cuptiActivityEnable(kind); result != CUPTI_SUCCESS) {
      const char* why = nullptr;
      cuptiGetResultString(result, &why);
      std::fprintf(stderr, "kernel_times: %s\n", why != nullptr ? why : "unknown error");
    }
  }
  cuptiActivityFlushPeriod(100);  // ms: what a killed process has done is kept
  std::atexit(finish);
  return 1;
}
