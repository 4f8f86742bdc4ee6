// Takes the place of cublasLt64_13.dll: accepts every GEMM and computes none.
#include <cstdint>
#include <cublasLt.h>

#define API extern "C" __declspec(dllexport) cublasStatus_t

namespace {
template <typename Handle>
cublasStatus_t give(Handle* handle) {
  static char something;
  *handle = reinterpret_cast<Handle>(&something);
  return CUBLAS_STATUS_SUCCESS;
}
}  // namespace

extern "C" __declspec(dllexport) std::size_t cublasLtGetVersion() {
  return 130000;
}
extern "C" __declspec(dllexport) const char* cublasLtGetStatusString(cublasStatus_t) {
  return "a stand-in's error";
}
API cublasLtCreate(cublasLtHandle_t* handle) {
  return give(handle);
}
API cublasLtDestroy(cublasLtHandle_t) {
  return CUBLAS_STATUS_SUCCESS;
}
API cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* made, cublasComputeType_t, cudaDataType_t) {
  return give(made);
}
API cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t) {
  return CUBLAS_STATUS_SUCCESS;
}
API cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t, cublasLtMatmulDescAttributes_t,
                                   const void*, std::size_t) {
  return CUBLAS_STATUS_SUCCESS;
}
API cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* made, cudaDataType, std::uint64_t,
                               std::uint64_t, std::int64_t) {
  return give(made);
}
API cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t) {
  return CUBLAS_STATUS_SUCCESS;
}
API cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t, cublasLtMatrixLayoutAttribute_t,
                                     const void*, std::size_t) {
  return CUBLAS_STATUS_SUCCESS;
}
API cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* made) {
  return give(made);
}
API cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t) {
  return CUBLAS_STATUS_SUCCESS;
}
API cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t,
                                         cublasLtMatmulPreferenceAttributes_t, const void*,
                                         std::size_t) {
  return CUBLAS_STATUS_SUCCESS;
}
API cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t, cublasLtMatrixLayout_t,
                                   cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                   cublasLtMatrixLayout_t, cublasLtMatmulPreference_t, int,
                                   cublasLtMatmulHeuristicResult_t results[], int* found) {
  results[0] = {};
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}
API cublasLtMatmulAlgoCheck(cublasLtHandle_t, cublasLtMatmulDesc_t, cublasLtMatrixLayout_t,
                            cublasLtMatrixLayout_t, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                            const cublasLtMatmulAlgo_t*, cublasLtMatmulHeuristicResult_t* result) {
  *result = {};
  return CUBLAS_STATUS_SUCCESS;
}
API cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t, const void*, const void*,
                   cublasLtMatrixLayout_t, const void*, cublasLtMatrixLayout_t, const void*,
                   const void*, cublasLtMatrixLayout_t, void*, cublasLtMatrixLayout_t,
                   const cublasLtMatmulAlgo_t*, void*, std::size_t, cudaStream_t) {
  return CUBLAS_STATUS_SUCCESS;
}
