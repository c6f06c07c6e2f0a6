// Synthetic blocks against the cycles of a peer simulator (uiCA): each exercises a rule of the Intel pipelines.
#include "cpp/sim/simulator.hpp"
#include "cpp/tests/sim_vectors_cores.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace corecast {
namespace {

using Fields = std::map<std::string, std::string>;

struct Case {
  std::string name;
  bool loop = false;
  std::vector<double> cycles; // by core
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
      words >> word >> next.name >> mode;
      for (double cycles = 0; words >> cycles;)
        next.cycles.push_back(cycles);
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

/// "core case" of each block that is known to differ; the reasons stand in the file.
std::set<std::string> read_differences() {
  std::ifstream file(std::string(CORECAST_SOURCE_DIR) + "/cpp/tests/data/pipeline_vectors_differences.txt");
  std::set<std::string> out;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::string core, name, reason;
    words >> core >> name >> reason;
    CHECK_MESSAGE((reason == "window" || reason == "ports" || reason == "period" || reason == "chase" ||
                   reason == "forwarding" || reason == "measured"),
                  line);
    out.insert(core + " " + name);
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

/// Builds one case: its instructions, and the rows that describe them.
class CaseBuilder {
public:
  CaseBuilder(const Case& from, const toy::PeerCore& core) : core_(core) {
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

  std::string ports(const std::string& names, bool load, const std::string& store, bool indexed) const {
    std::string out;
    const auto append = [&](const std::string& name) { out += (out.empty() ? "" : "+") + core_.classes.at(name); };
    for (const std::string& name : split(names, ','))
      if (!name.empty()) append(name);
    if (load) append("load");
    if (!store.empty()) {
      append(indexed ? "sta indexed" : "sta");
      append("std");
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
    const bool move = number_of(fields, "move_elimination_candidate") != 0 && core_.name != "sandy_bridge";
    const long latency = number_of(fields, "latency_cycles", 1);
    const bool vector = text_of(fields, "outputs").starts_with("XMM");
    const bool indexed = (load + store).find("-") == std::string::npos;
    std::string form = (branch    ? "jne"
                        : fusible ? "fusible"
                                  : "op") +
                       std::to_string(instructions.size()) + (vector ? " xmm" : "");
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
        if (bits == 64 || (immediate >= -(1L << (bits - 1)) && immediate < (1L << (bits - 1))))
          instruction.immediate_bits = bits;
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
      instruction.affine.push_back(
          {reg(output), name.starts_with("ADD_") ? immediate : -immediate, {{reg(inputs[0]), 1}}});
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
    const std::string decode = std::to_string(decoded) + ";" + std::to_string(microcode) + ";" +
                               std::to_string(complex) + ";" +
                               std::to_string(number_of(fields, "available_simple_decoders", 4));
    std::string divider = text_of(fields, "divider_cycles"); // or the whole instruction's, as models have it
    if (!divider.empty())
      divider = std::to_string(std::max(std::atol(divider.c_str()), number_of(fields, "throughput_limit_cycles")));
    const std::string used = ports(classes, !load.empty(), store, indexed);
    const std::string uops = std::to_string(retired) + "/" +
                             std::to_string(used.empty() ? 0 : std::count(used.begin(), used.end(), '*')) + "/" +
                             std::to_string(retired);
    rows += toy::row(form, move ? "" : used, move ? "*->*:0" : latencies, uops,
                     move                                      ? "eliminated"
                     : number_of(fields, "macro_fusible") != 0 ? "fusible:jne"
                                                               : "",
                     divider.empty() ? "" : "DIV:" + divider, decode);
    if (move) rows += toy::row(form + " @same", used, latencies, uops, "", "", decode);
  }

  const toy::PeerCore& core_;
  std::map<std::string, RegisterId> registers_;
};

double simulated(const Case& from, const toy::PeerCore& core) {
  CaseBuilder built(from, core);
  const auto machine = toy::machine(built.rows, core.parameters);
  const toy::Code code(built.instructions);
  sim::SimulateOptions options;
  options.fewest_cycles = 500; // as the peer measures
  options.mode = from.loop ? LoopMode::loop : LoopMode::unroll;
  return sim::simulate(*machine, code.pointers, options).cycles_per_iteration;
}

TEST_CASE("synthetic blocks take the peer's cycles") {
  const std::vector<Case> cases = read_cases();
  REQUIRE(cases.size() == 277);
  const std::vector<toy::PeerCore> cores = toy::peer_cores();
  std::set<std::string> listed = read_differences();
  for (std::size_t c = 0; c < cores.size(); ++c) {
    std::size_t agree = 0;
    for (const Case& each : cases) {
      REQUIRE(each.cycles.size() == cores.size());
      const double cycles = simulated(each, cores[c]);
      const std::string name = cores[c].name + " " + each.name;
      const bool known = listed.erase(name) != 0;
      const bool close = std::abs(cycles - each.cycles[c]) <= 0.0201;
      agree += close ? 1 : 0;
      CHECK_MESSAGE(close != known, name, ": ", cycles, ", the peer ", each.cycles[c], ", listed: ", known);
    }
    CHECK_MESSAGE(agree * 100 >= cases.size() * 90, cores[c].name, ": ", agree, " of ", cases.size());
  }
  CHECK_MESSAGE(listed.empty(), "listed, but no such block: ", *listed.begin());
}

/// What is observed between two cycles.
sim::Observation observed(const Case& from, const toy::PeerCore& core, bool books_ahead) {
  CaseBuilder built(from, core);
  const auto machine = toy::machine(built.rows, core.parameters);
  const toy::Code code(built.instructions);
  sim::ObserveOptions options;
  options.simulate.mode = from.loop ? LoopMode::loop : LoopMode::unroll;
  options.simulate.span = {700, 1900};
  options.simulate.books_ahead = books_ahead;
  return sim::observe(*machine, code.pointers, options);
}

/// The cores, and again with what else makes uops wait for others at other ports, or hand on their results later.
std::vector<toy::PeerCore> cores_that_book() {
  std::vector<toy::PeerCore> cores = toy::peer_cores();
  const std::size_t count = cores.size();
  for (std::size_t c = 0; c < count; ++c) {
    toy::PeerCore core = cores[c];
    core.name += ", one load a bank, two ports late";
    core.parameters.memory.slow_256_bit_memory = false; // such a core has no banks
    core.parameters.memory.load_bank_bytes = 8;
    core.parameters.memory.load_banks = 4;
    core.parameters.memory.load_bank_reads = 1;
    Rule late;
    late.delays = Delays::result;
    late.ports = 0b11;
    late.cycles = 2;
    core.parameters.rules.push_back(late);
    cores.push_back(core);
  }
  return cores;
}

TEST_CASE("uops that are given their cycles when they are renamed start when they would have in turn") {
  for (const toy::PeerCore& core : cores_that_book())
    for (const Case& each : read_cases()) {
      const sim::Observation ahead = observed(each, core, true);
      const sim::Observation in_turn = observed(each, core, false);
      INFO(core.name, " ", each.name);
      CHECK(ahead.simulation.cycles_per_iteration == in_turn.simulation.cycles_per_iteration);
      CHECK(ahead.simulation.port_uops == in_turn.simulation.port_uops);
      CHECK(ahead.simulation.stalls == in_turn.simulation.stalls);
      CHECK(ahead.simulation.counters == in_turn.simulation.counters);
      CHECK(ahead.stalls.size() == in_turn.stalls.size());
      for (std::size_t s = 0; s < std::min(ahead.stalls.size(), in_turn.stalls.size()); ++s) {
        CHECK(ahead.stalls[s].cause == in_turn.stalls[s].cause);
        CHECK(ahead.stalls[s].cycles == in_turn.stalls[s].cycles);
      }
    }
}

/// Cycles of a loop of instructions and a fused pair at its end, on one of the nine cores.
double cycles_of(const toy::PeerCore& core, const std::string& rows, std::vector<Instruction> body) {
  PipelineParameters parameters = core.parameters;
  parameters.back_end.taken_branch_ports.clear();
  const auto machine = toy::machine(rows, parameters);
  const toy::Code code(std::move(body));
  return sim::simulate(*machine, code.pointers, {}).cycles_per_iteration;
}

TEST_CASE("two stores leave in one cycle only to one line") {
  const toy::PeerCore ice_lake = toy::peer_cores()[6];
  const std::string rows =
      toy::row("mov m64, r64", "1*p78+1*p49", "2->mem:4", "1/2/1") + toy::row("add r64, i8", "1*p0156", "*->*:1");
  const auto pair = [&](long apart) {
    return cycles_of(ice_lake, rows, {toy::store(toy::rsi, toy::rax), toy::store(toy::rsi, toy::rax, apart)});
  };
  CHECK(pair(8) == doctest::Approx(1));
  CHECK(pair(64) == doctest::Approx(2));
  // A pointer that walks on stays within the line of the store before.
  CHECK(cycles_of(ice_lake, rows,
                  {toy::store(toy::rsi, toy::rax), toy::add_immediate(toy::rsi, 8), toy::store(toy::rsi, toy::rax)}) ==
        doctest::Approx(1));
}

TEST_CASE("256-bit accesses of Sandy Bridge take its 128-bit units twice") {
  toy::PeerCore core = toy::peer_cores()[0];
  const std::string rows =
      toy::row("load xmm, m", "1*p23", "addr->1:7") + toy::row("store m, xmm", "1*p23+1*p4", "2->mem:4", "1/2/1");
  const auto loads = [&](std::uint32_t width) {
    std::vector<Instruction> body;
    for (int i = 0; i < 2; ++i)
      body.push_back(
          toy::Builder("load xmm, m").operands({toy::out(toy::xmm0)}).memory(toy::rsi, 64 * i, width, true, false));
    return cycles_of(core, rows, body);
  };
  const auto store = [&](std::uint32_t width) {
    return cycles_of(
        core, rows,
        {toy::Builder("store m, xmm").memory(toy::rdi, 0, width, false, true).operands({toy::in(toy::xmm0)})});
  };
  core.parameters.memory.slow_256_bit_memory = true;
  CHECK(loads(16) == doctest::Approx(1));
  CHECK(loads(32) == doctest::Approx(2));
  CHECK(store(16) == doctest::Approx(1));
  CHECK(store(32) == doctest::Approx(2));
  core.parameters.memory.slow_256_bit_memory = false;
  CHECK(loads(32) == doctest::Approx(1));
}

} // namespace
} // namespace corecast
