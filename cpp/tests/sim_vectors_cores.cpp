#include "cpp/tests/sim_vectors_cores.hpp"

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

PipelineParameters skylake() {
  PipelineParameters out = pipeline();
  FrontEndParameters& front_end = out.front_end;
  front_end.predecode_block_bytes = 16;
  front_end.predecode_width = 5;
  front_end.lcp_stall_cycles = 3;
  front_end.instruction_queue_entries = 25;
  front_end.decoders = 4;
  front_end.complex_decoders = 1;
  front_end.microcode_width = 4;
  front_end.uop_cache_width = 6;
  front_end.uop_cache_block_bytes = 32;
  front_end.uop_cache_line_change_costs = true;
  front_end.idq_entries = 64;
  front_end.jcc_erratum = true;
  front_end.uop_cache_needs_both_halves = true;
  front_end.fusion_blocked_branch_offset_mod_64 = 0;
  out.rename.move_elimination_gpr_slots = out.rename.move_elimination_simd_slots = 4;
  out.back_end.reorder_buffer_entries = 224;
  out.back_end.scheduler_entries = 97;
  out.back_end.issue_to_dispatch_cycles = 5;
  out.back_end.port_assignment = PortAssignment::paired_slots;
  out.back_end.alternating = {0b1100};
  out.back_end.waiting_limit_uops = 3;
  out.back_end.taken_branch_ports = {"6"};
  MemoryParameters& memory = out.memory;
  memory.fast_pointer_chasing = true;
  memory.fast_pointer_chasing_latency_cycles = 4;
  memory.store_address_cycles = 5;
  memory.store_forward_latency_cycles = 5; // as the peer has it
  memory.store_address_ports_indexed = "1*p23";
  out.rules.push_back(fusing({"fusible*"}, {"jne"}));
  return out;
}

PipelineParameters cascade_lake() {
  PipelineParameters out = skylake();
  out.front_end.loop_buffer = true;
  out.front_end.loop_buffer_copies = {{1, 2, 2}, {3, 5, 6}, {6, 6, 2}, {7, 13, 3}, {14, 28, 2}};
  return out;
}

PipelineParameters haswell() {
  PipelineParameters out = skylake();
  FrontEndParameters& front_end = out.front_end;
  front_end.instruction_queue_entries = 20;
  front_end.macro_fusible_may_use_last_decoder = false;
  front_end.uop_cache_to_microcode_cycles = 4;
  front_end.uop_cache_width = 4;
  front_end.uop_cache_line_change_costs = false;
  front_end.idq_entries = 56;
  front_end.jcc_erratum = false;
  front_end.uop_cache_needs_both_halves = false;
  front_end.loop_buffer = true;
  front_end.loop_buffer_copies = {{1, 4, 8}, {5, 5, 6}, {6, 6, 5}, {7, 8, 4}, {9, 12, 3}, {13, 28, 2}};
  out.back_end.reorder_buffer_entries = 192;
  out.back_end.scheduler_entries = 60;
  return out;
}

PipelineParameters ivy_bridge() {
  PipelineParameters out = haswell();
  out.ports = {"0", "1", "2", "3", "4", "5"};
  out.port_groups["ALU"] = {"0", "1", "5"};
  out.front_end.loop_buffer_copies.clear();
  out.rename.move_elimination_pipeline_cycles = 3;
  out.rename.move_elimination_gpr_slot_freed = MoveSlotFreed::one_left_in_idle_cycle;
  out.back_end.reorder_buffer_entries = 168;
  out.back_end.scheduler_entries = 54;
  out.back_end.port_assignment = PortAssignment::rotating;
  out.back_end.slot_order = {0b100011, {{0, {0, 5, 1, 0}}, {1, {1, 5, 0, 1}}, {5, {5, 1, 0, 5}}}};
  out.back_end.taken_branch_ports = {"5"};
  out.memory.store_address_ports = "1*p23";
  return out;
}

PipelineParameters sandy_bridge() {
  PipelineParameters out = ivy_bridge();
  out.front_end.idq_entries = 28;
  return out;
}

PipelineParameters ice_lake() {
  PipelineParameters out = skylake();
  out.ports = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
  FrontEndParameters& front_end = out.front_end;
  front_end.uop_cache_block_bytes = 64;
  front_end.uop_cache_lines_per_block = 6;
  front_end.jcc_erratum = false;
  front_end.uop_cache_needs_both_halves = false;
  front_end.loop_buffer = true;
  front_end.loop_buffer_copies = {{1, 6, 6}, {7, 8, 4}, {9, 12, 3}, {13, 30, 2}};
  front_end.idq_entries = 70;
  out.rename.width = 5;
  out.rename.move_elimination_gpr_slots = 0;
  out.rename.move_elimination_simd_slots.reset(); // no limit
  out.back_end.retire_width = 8;
  out.back_end.reorder_buffer_entries = 352;
  out.back_end.scheduler_entries = 160;
  out.back_end.port_assignment = PortAssignment::ranked;
  out.back_end.alternating = {0b1100, 0b1000010000, 0b110000000};
  out.back_end.waiting_limit_uops = 5;
  out.back_end.first_choice_slot = 4;
  out.back_end.second_choice_slot = 3;
  out.back_end.taken_branch_ports.clear();
  MemoryParameters& memory = out.memory;
  memory.fast_pointer_chasing = false;
  memory.store_address_ports = memory.store_address_ports_indexed = "1*p78";
  memory.store_data_ports = "1*p49";
  memory.paired_stores_line_bytes = 64;
  return out;
}

PipelineParameters rocket_lake() {
  PipelineParameters out = ice_lake();
  out.rename.move_elimination_gpr_slots.reset();
  return out;
}

} // namespace

std::vector<PeerCore> peer_cores() {
  return {{"sandy_bridge", sandy_bridge(), six_ports}, {"ivy_bridge", ivy_bridge(), six_ports},
          {"haswell", haswell(), eight_ports},         {"broadwell", haswell(), eight_ports},
          {"skylake", skylake(), eight_ports},         {"cascade_lake", cascade_lake(), eight_ports},
          {"ice_lake", ice_lake(), ten_ports},         {"tiger_lake", ice_lake(), ten_ports},
          {"rocket_lake", rocket_lake(), ten_ports}};
}

} // namespace corecast::toy
