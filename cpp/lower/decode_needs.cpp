#include "cpp/lower/decode_needs.hpp"

#include <algorithm>

namespace corecast {

DecodeNeeds decode_needs(const FrontEndParameters& parameters, const FormEntry* entry) {
  if (entry != nullptr && entry->decode) return *entry->decode;
  DecodeNeeds needs;
  const double fused = entry != nullptr && entry->uops ? std::max(1.0, entry->uops->fused) : 1.0;
  needs.laminated_uops = std::min(fused, parameters.complex_decoder_max_uops);
  needs.microcode_uops = fused - needs.laminated_uops;
  needs.complex_decoder = fused > 1;
  return needs;
}

} // namespace corecast
