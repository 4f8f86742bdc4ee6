// Takes the place of cudnn64_9.dll: a cuDNN without engines, so that our own kernels do all of it.
#include <cstddef>
#include <cstdint>
#include <cudnn.h>

#define API extern "C" __declspec(dllexport) cudnnStatus_t

extern "C" __declspec(dllexport) std::size_t cudnnGetVersion() {
  return 91900;
}
extern "C" __declspec(dllexport) const char* cudnnGetErrorString(cudnnStatus_t) {
  return "a stand-in without engines";
}
extern "C" __declspec(dllexport) void cudnnGetLastErrorString(char* text, std::size_t bytes) {
  if (bytes > 0) {
    text[0] = 0;
  }
}
API cudnnCreate(cudnnHandle_t* handle) {
  static char something;
  *handle = reinterpret_cast<cudnnHandle_t>(&something);
  return CUDNN_STATUS_SUCCESS;
}
API cudnnDestroy(cudnnHandle_t) {
  return CUDNN_STATUS_SUCCESS;
}
API cudnnSetStream(cudnnHandle_t, cudaStream_t) {
  return CUDNN_STATUS_SUCCESS;
}
API cudnnGetStream(cudnnHandle_t, cudaStream_t* stream) {
  *stream = nullptr;
  return CUDNN_STATUS_SUCCESS;
}
API cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t, cudnnBackendDescriptor_t*) {
  return CUDNN_STATUS_NOT_SUPPORTED;
}
API cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t) {
  return CUDNN_STATUS_SUCCESS;
}
API cudnnBackendSetAttribute(cudnnBackendDescriptor_t, cudnnBackendAttributeName_t,
                             cudnnBackendAttributeType_t, std::int64_t, const void*) {
  return CUDNN_STATUS_NOT_SUPPORTED;
}
API cudnnBackendGetAttribute(cudnnBackendDescriptor_t, cudnnBackendAttributeName_t,
                             cudnnBackendAttributeType_t, std::int64_t, std::int64_t*, void*) {
  return CUDNN_STATUS_NOT_SUPPORTED;
}
API cudnnBackendFinalize(cudnnBackendDescriptor_t) {
  return CUDNN_STATUS_NOT_SUPPORTED;
}
API cudnnBackendExecute(cudnnHandle_t, cudnnBackendDescriptor_t, cudnnBackendDescriptor_t) {
  return CUDNN_STATUS_NOT_SUPPORTED;
}
