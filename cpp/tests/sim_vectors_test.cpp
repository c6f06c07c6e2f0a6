// Synthetic blocks against the cycles of a peer simulator (uiCA): each exercises a rule of the Intel pipelines.
#include "cpp/sim/simulator.hpp"
#include "cpp/tests/toy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

namespace corecast {
namespace {

using Fields = std::map<std::string, std::string>;

struct Case {
  std::string name;
  bool loop = false;
  double cycles[3] = {}; // Haswell, Skylake, Cascade Lake
  std::vector<Fields> instructions;
};

std::vector<Case> read_cases() {
  std::ifstream file(std::string(CORECAST_SOURCE_DIR) + "/cpp/tests/data/pipeline_vectors.txt");
  std::vector<Case> out;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::string word;
    if (line.starts_with("case ")) {
      Case next;
      std::string mode;
      words >> word >> next.name >> mode >> next.cycles[0] >> next.cycles[1] >> next.cycles[2];
      next.loop = mode == "loop";
      out.push_back(next);
      continue;
    }
    Fields fields;
    while (words >> word)
      fields[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
    out.back().instructions.push_back(fields);
  }
  return out;
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> out;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, at);)
    out.push_back(part);
  return out;
}

std::string text_of(const Fields& fields, const char* key, const std::string& otherwise = "") {
  const auto found = fields.find(key);
  return found == fields.end() ? otherwise : found->second;
}
long number_of(const Fields& fields, const char* key, long otherwise = 0) {
  const std::string text = text_of(fields, key);
  return text.empty() ? otherwise : std::atol(text.c_str());
}

PipelineParameters skylake() {
  PipelineParameters out = toy::pipeline();
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
  front_end.idq_entries = 64;
  front_end.jcc_erratum = true;
  front_end.uop_cache_needs_both_halves = true;
  front_end.fusion_blocked_branch_offset_mod_64 = 0;
  out.rename.move_elimination_gpr_slots = out.rename.move_elimination_simd_slots = 4;
  out.back_end.reorder_buffer_entries = 224;
  out.back_end.scheduler_entries = 97;
  out.back_end.issue_to_dispatch_cycles = 5;
  out.back_end.port_assignment = PortAssignment::eight_port;
  out.back_end.taken_branch_ports = {"6"};
  MemoryParameters& memory = out.memory;
  memory.fast_pointer_chasing = true;
  memory.fast_pointer_chasing_latency_cycles = 4;
  memory.store_address_cycles = 5;
  memory.store_forward_latency_cycles = 5; // as the peer has it
  memory.store_address_ports_indexed = "1*p23";
  out.fusion.push_back({{"fusible*"}, {"jne"}, true, true, true});
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
  front_end.idq_entries = 56;
  front_end.jcc_erratum = false;
  front_end.uop_cache_needs_both_halves = false;
  front_end.loop_buffer = true;
  front_end.loop_buffer_copies = {{1, 4, 8}, {5, 5, 6}, {6, 6, 5}, {7, 8, 4}, {9, 12, 3}, {13, 28, 2}};
  out.back_end.reorder_buffer_entries = 192;
  out.back_end.scheduler_entries = 60;
  return out;
}

/// Builds one case: its instructions, and the rows that describe them.
class CaseBuilder {
public:
  explicit CaseBuilder(const Case& from) {
    for (const Fields& fields : from.instructions)
      add(fields);
  }

  std::string rows;
  std::vector<Instruction> instructions;

private:
  RegisterId reg(const std::string& name) {
    const auto [found, is_new] = registers_.try_emplace(name, static_cast<RegisterId>(60 + registers_.size()));
    return found->second;
  }

  static std::string ports(const std::string& classes, bool load, const std::string& store, bool indexed) {
    static const std::map<std::string, std::string> sets{{"alu", "p0156"}, {"shift", "p06"}, {"vec", "p015"},
                                                         {"fma", "p01"},   {"p1", "p1"},     {"p0", "p0"},
                                                         {"p5", "p5"},     {"p15", "p15"},   {"br", "p6"}};
    std::string out;
    const auto append = [&](const std::string& set) { out += (out.empty() ? "1*" : "+1*") + set; };
    for (const std::string& name : split(classes, ','))
      if (!name.empty()) append(sets.at(name));
    if (load) append("p23");
    if (!store.empty()) {
      append(indexed ? "p23" : "p237");
      append("p4");
    }
    return out;
  }

  void access(toy::Builder& builder, const std::string& text, bool read, bool write) {
    const std::vector<std::string> parts = split(text, ':');
    builder.memory(reg(parts[0]), std::atol(parts[1].c_str()), 8, read, write);
    if (parts[2] != "-") builder.index(reg(parts[2]), static_cast<std::uint8_t>(std::atoi(parts[3].c_str())));
  }

  void add(const Fields& fields) {
    const std::string load = text_of(fields, "load");
    const std::string store = text_of(fields, "store");
    const std::string classes = text_of(fields, "alu_uop_classes");
    const std::string name = text_of(fields, "form");
    const bool branch = number_of(fields, "is_branch") != 0;
    const bool fusible = number_of(fields, "macro_fusible") != 0;
    const bool move = number_of(fields, "move_elimination_candidate") != 0;
    const long latency = number_of(fields, "latency_cycles", 1);
    const bool vector = text_of(fields, "outputs").starts_with("XMM");
    const bool indexed = (load + store).find("-") == std::string::npos;
    std::string form = (branch ? "jne" : fusible ? "fusible" : "op") + std::to_string(instructions.size()) + (vector ? " xmm" : "");
    if (name == "MOV_(R64,_M64)" && classes.empty()) form = "mov r64, m64";

    toy::Builder builder(form);
    builder.mnemonic(branch ? "jne" : fusible ? "fusible" : "op");
    builder.length(static_cast<std::uint8_t>(number_of(fields, "length_bytes")));
    for (const std::string& output : split(text_of(fields, "outputs"), ','))
      builder.operands({toy::out(reg(output))});
    for (const std::string& input : split(text_of(fields, "inputs"), ','))
      builder.operands({toy::in(reg(input))});
    for (const std::string& flag : split(text_of(fields, "flag_inputs"), ','))
      builder.operands({toy::in(reg(flag))});
    for (const std::string& flag : split(text_of(fields, "flag_outputs"), ','))
      builder.operands({toy::out(reg(flag))});
    if (!load.empty() && load == store)
      access(builder, load, true, true);
    else if (!load.empty())
      access(builder, load, true, false);
    if (!store.empty() && load != store) access(builder, store, false, true);
    if (branch) builder.branch();
    Instruction instruction = builder;
    instruction.opcode_offset_bytes = static_cast<std::uint8_t>(number_of(fields, "nominal_opcode_position"));
    instruction.length_changing_prefix = number_of(fields, "lcp") != 0;
    if (const long immediate = number_of(fields, "immediate"); immediate != 0)
      for (std::uint8_t bits : {64, 32, 16, 8})
        if (bits == 64 || (immediate >= -(1L << (bits - 1)) && immediate < (1L << (bits - 1)))) instruction.immediate_bits = bits;
    add_affine(instruction, fields, name);
    instructions.push_back(instruction);
    if (rows.find("\n" + form + "\t") == std::string::npos && !rows.starts_with(form + "\t"))
      add_row(fields, form, load, store, classes, latency, indexed, move);
  }

  void add_affine(Instruction& instruction, const Fields& fields, const std::string& name) {
    const std::string output = text_of(fields, "outputs");
    const std::vector<std::string> inputs = split(text_of(fields, "inputs"), ',');
    if (output.empty() || inputs.empty() || !text_of(fields, "load").empty()) return;
    const long immediate = number_of(fields, "immediate");
    if (name.starts_with("MOV_("))
      instruction.affine.push_back({reg(output), 0, {{reg(inputs[0]), 1}}});
    else if (name.starts_with("INC") || name.starts_with("DEC"))
      instruction.affine.push_back({reg(output), name.starts_with("INC") ? 1 : -1, {{reg(inputs[0]), 1}}});
    else if ((name.starts_with("ADD_") || name.starts_with("SUB_")) && immediate != 0)
      instruction.affine.push_back({reg(output), name.starts_with("ADD_") ? immediate : -immediate, {{reg(inputs[0]), 1}}});
  }

  void add_row(const Fields& fields, const std::string& form, const std::string& load, const std::string& store,
               const std::string& classes, long latency, bool indexed, bool move) {
    const long decoded = number_of(fields, "decoder_l_uops", 1);
    const long microcode = number_of(fields, "ms_uops");
    const long retired = number_of(fields, "retire_slots", decoded + microcode);
    const long complex = number_of(fields, "complex_decoder", decoded > 1 || microcode > 0);
    const std::string cycles = std::to_string(latency);
    std::string latencies = "*->*:" + cycles;
    if (!load.empty()) {
      const std::string whole = std::to_string(5 + (classes.empty() ? 0 : latency));
      latencies += ";addr->*:" + whole + ";index->*:" + whole + ";mem->mem:" + std::to_string(latency + 5);
    }
    if (!store.empty()) latencies += ";*->mem:" + std::to_string(latency + 4);
    const std::string decode = std::to_string(decoded) + ";" + std::to_string(microcode) + ";" + std::to_string(complex) +
                               ";" + std::to_string(number_of(fields, "available_simple_decoders", 4));
    const std::string divider = text_of(fields, "divider_cycles");
    const std::string used = ports(classes, !load.empty(), store, indexed);
    const std::string uops = std::to_string(retired) + "/" + std::to_string(used.empty() ? 0 : std::count(used.begin(), used.end(), '*')) + "/" + std::to_string(retired);
    rows += toy::row(form, move ? "" : used, move ? "*->*:0" : latencies, uops,
                     move ? "eliminated" : number_of(fields, "macro_fusible") != 0 ? "fusible:jne" : "",
                     divider.empty() ? "" : "DIV:" + divider, decode);
    if (move) rows += toy::row(form + " @same", used, latencies, uops, "", "", decode);
  }

  std::map<std::string, RegisterId> registers_;
};

double simulated(const Case& from, const PipelineParameters& parameters) {
  CaseBuilder built(from);
  const auto machine = toy::machine(built.rows, parameters);
  const toy::Code code(built.instructions);
  sim::SimulateOptions options;
  options.mode = from.loop ? LoopMode::loop : LoopMode::unroll;
  return sim::simulate(*machine, code.pointers, options).cycles_per_iteration;
}

TEST_CASE("synthetic blocks take the peer's cycles") {
  const std::vector<Case> cases = read_cases();
  REQUIRE(cases.size() == 277);
  const PipelineParameters cores[] = {haswell(), skylake(), cascade_lake()};
  const char* const names[] = {"haswell", "skylake", "cascade_lake"};
  for (int core = 0; core < 3; ++core) {
    std::size_t agree = 0;
    for (const Case& each : cases) {
      const double cycles = simulated(each, cores[core]);
      const bool close = std::abs(cycles - each.cycles[core]) <= 0.0201;
      agree += close ? 1 : 0;
      if (!close) MESSAGE(std::string(names[core]), " ", each.name, ": ", cycles, ", the peer ", each.cycles[core]);
    }
    CHECK_MESSAGE(agree * 100 >= cases.size() * 97, std::string(names[core]), ": ", agree, " of ", cases.size());
  }
}

} // namespace
} // namespace corecast
