#include "cpp/tests/sim_vectors_cores.hpp"

#include "cpp/tests/shipped_pipelines.hpp"

#include <utility>

namespace corecast::toy {
namespace {

using Classes = std::map<std::string, std::string>;

const Classes six_ports{{"alu", "1*p015"}, {"shift", "1*p05"}, {"vec", "1*p015"}, {"fma", "1*p0"},
                        {"p1", "1*p1"},    {"p0", "1*p0"},     {"p5", "1*p5"},    {"p15", "1*p15"},
                        {"br", "1*p5"},    {"load", "1*p23"},  {"sta", "1*p23"},  {"sta indexed", "1*p23"},
                        {"std", "1*p4"}};
const Classes eight_ports{{"alu", "1*p0156"}, {"shift", "1*p06"}, {"vec", "1*p015"}, {"fma", "1*p01"},
                          {"p1", "1*p1"},     {"p0", "1*p0"},     {"p5", "1*p5"},    {"p15", "1*p15"},
                          {"br", "1*p6"},     {"load", "1*p23"},  {"sta", "1*p237"}, {"sta indexed", "1*p23"},
                          {"std", "1*p4"}};
const Classes ten_ports{{"alu", "1*p0156"}, {"shift", "1*p06"}, {"vec", "1*p015"}, {"fma", "1*p01"},
                        {"p1", "1*p1"},     {"p0", "1*p0"},     {"p5", "1*p5"},    {"p15", "1*p15"},
                        {"br", "1*p06"},    {"load", "1*p23"},  {"sta", "1*p78"},  {"sta indexed", "1*p78"},
                        {"std", "1*p49"}};

/// The shipped model, with what the blocks' instructions are called in place of its own pairs.
PeerCore peer(const std::string& name, const Classes& classes) {
  PipelineParameters out = shipped_pipeline(name);
  out.rules = {fusing({"fusible*"}, {"jne"})};
  return {name, std::move(out), classes};
}

} // namespace

std::vector<PeerCore> peer_cores() {
  return {peer("sandy_bridge", six_ports), peer("ivy_bridge", six_ports), peer("haswell", eight_ports),
          peer("broadwell", eight_ports),  peer("skylake", eight_ports),  peer("cascade_lake", eight_ports),
          peer("ice_lake", ten_ports),     peer("tiger_lake", ten_ports), peer("rocket_lake", ten_ports)};
}

} // namespace corecast::toy
