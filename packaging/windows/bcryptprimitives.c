/* Wine 8 lacks this library of Windows, which libvips imports for one function. For tests under Wine
 * alone (wine.sh); it is in no package. */
#include <windows.h>
/* ntsecapi.h needs windows.h first */
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) {
  return RtlGenRandom(data, (ULONG)size);
}
