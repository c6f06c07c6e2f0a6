#include "cpp/machine/repeat_cost.hpp"

#include "cpp/machine/forms/form_row.hpp"
#include "cpp/machine/pipeline/pipeline_reader.hpp"

#include <algorithm>
#include <bit>

namespace corecast {
namespace {

constexpr const char* key = "repeats";
constexpr double most_certain = 2; // uses of a port that the cost does not name: a load and the address of a store

double figure(const Value& piece, const char* name) {
  const Value* value = piece.find(name);
  return value == nullptr ? 0 : *value->number();
}

std::vector<RepeatPiece> read_pieces(const PipelineReader& in, const Value& table) {
  constexpr const char* expected = "a list of {from = 0, cycles = 20, cycles_per_repetition = 0.5}, ascending";
  std::vector<RepeatPiece> pieces;
  for (const Value& item : *table.find("pieces")->list()) {
    pieces.push_back({figure(item, "from"), figure(item, "cycles"), figure(item, "cycles_per_repetition")});
    if (pieces.size() > 1 && pieces[pieces.size() - 2].from >= pieces.back().from) in.fail("repeats.pieces", expected);
  }
  if (pieces.empty()) in.fail("repeats.pieces", expected);
  return pieces;
}

std::vector<std::string> read_names(const PipelineReader& in, const Value& table, const char* name) {
  const std::string path = std::string(key) + "." + name;
  std::vector<std::string> found = in.strings(*table.find(name), path);
  if (found.empty()) in.fail(path, "a list of at least one name");
  return found;
}

} // namespace

std::optional<double> RepeatCost::cycles(std::int64_t count) const {
  const auto wanted = static_cast<double>(count);
  const RepeatPiece* found = nullptr;
  for (const RepeatPiece& piece : pieces)
    if (piece.from <= wanted) found = &piece;
  if (found == nullptr) return std::nullopt;
  return found->cycles + (wanted - found->from) * found->cycles_per_repetition;
}

std::vector<RepeatCost> read_repeats(const PipelineReader& in, const PortNames& ports, PortMask port_bits) {
  std::vector<RepeatCost> out;
  const Value::List* list = in.list(key);
  if (list == nullptr) return out;
  for (const Value& table : *list) {
    RepeatCost cost;
    cost.forms = read_names(in, table, "forms");
    const PortMask kept = ports.mask_of(read_names(in, table, "ports"), std::string(key) + ".ports");
    cost.ports = kept & port_bits;
    cost.unit = kept & ~port_bits;
    if (std::popcount(cost.unit) > 1) in.fail(std::string(key) + ".ports", "ports and at most one unit");
    cost.pieces = read_pieces(in, table);
    cost.source = *table.find("source")->text();
    cost.confidence = *table.find("confidence")->text();
    out.push_back(std::move(cost));
  }
  return out;
}

FormEntry with_repeats(const FormEntry& row, const RepeatCost& cost, double cycles) {
  FormEntry entry = row;
  std::erase_if(entry.ports, [&](const PortUse& use) { return (use.mask & cost.ports) != 0; });
  for (PortUse& use : entry.ports)
    use.count = std::min(use.count, most_certain);
  for (PortMask left = cost.ports; left != 0 && cycles > 0; left &= left - 1)
    entry.ports.push_back({cycles, left & (~left + 1)});
  entry.ports_known = true;
  entry.kept_ports = cost.ports;
  entry.blocking.clear();
  if (cost.unit != 0 && cycles > 0) entry.blocking.push_back({cycles, cost.unit});
  entry.by_count = true;
  entry.uops.reset();
  entry.decode.reset();
  entry.reciprocal_throughput_cycles.reset();
  entry.source = cost.source + "(repeats)+" + row.source;
  entry.confidence = cost.confidence;
  return entry;
}

} // namespace corecast
