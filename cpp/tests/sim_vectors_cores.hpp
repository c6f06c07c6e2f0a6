// The nine Intel cores of the synthetic blocks: parameters as the peer has them, and what a class of uops runs on.
#pragma once

#include "cpp/tests/toy.hpp"

#include <map>
#include <string>
#include <vector>

namespace corecast::toy {

struct PeerCore {
  std::string name;
  PipelineParameters parameters;
  std::map<std::string, std::string> classes; // of the blocks' uops -> port usage
};

/// In the order of the file's columns: Sandy Bridge, Ivy Bridge, Haswell, Broadwell, Skylake, Cascade Lake, Ice Lake,
/// Tiger Lake, Rocket Lake.
std::vector<PeerCore> peer_cores();

} // namespace corecast::toy
