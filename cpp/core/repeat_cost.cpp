#include "cpp/core/repeat_cost.hpp"

#include "cpp/core/form_row.hpp"
#include "cpp/core/pipeline_reader.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace corecast {
namespace {

constexpr const char* key = "repeats";
constexpr double most_certain = 2; // uses of a port that the cost does not name: a load and the address of a store

const Value& required(const PipelineReader& in, const Value& table, const char* name, const char* expected) {
  const Value* value = table.find(name);
  if (value == nullptr) in.fail(std::string(key) + "." + name, expected);
  return *value;
}

std::string required_text(const PipelineReader& in, const Value& table, const char* name) {
  const Value& value = required(in, table, name, "a string");
  if (value.text() == nullptr || value.text()->empty()) in.fail(std::string(key) + "." + name, "a string");
  return *value.text();
}

double figure(const PipelineReader& in, const Value& piece, const char* name, std::optional<double> otherwise) {
  const std::string path = std::string(key) + ".pieces." + name;
  const Value* value = piece.find(name);
  if (value == nullptr && otherwise) return *otherwise;
  if (value == nullptr || value->number() == nullptr || !std::isfinite(*value->number()) || *value->number() < 0)
    in.fail(path, "a number from 0 on");
  return *value->number();
}

std::vector<RepeatPiece> read_pieces(const PipelineReader& in, const Value& table) {
  constexpr const char* expected = "a list of {from = 0, cycles = 20, cycles_per_repetition = 0.5}, ascending";
  const std::string path = std::string(key) + ".pieces";
  const Value::List* list = required(in, table, "pieces", expected).list();
  if (list == nullptr || list->empty()) in.fail(path, expected);
  std::vector<RepeatPiece> pieces;
  for (const Value& item : *list) {
    if (item.table() == nullptr) in.fail(path, expected);
    pieces.push_back({figure(in, item, "from", std::nullopt), figure(in, item, "cycles", std::nullopt),
                      figure(in, item, "cycles_per_repetition", 0)});
    if (pieces.size() > 1 && pieces[pieces.size() - 2].from >= pieces.back().from) in.fail(path, expected);
  }
  return pieces;
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
    if (table.table() == nullptr) in.fail(key, "a list of tables with forms, ports, pieces, source and confidence");
    RepeatCost cost;
    const auto names = [&](const char* name) {
      std::vector<std::string> found = in.strings(required(in, table, name, "a list of strings"), std::string(key) + "." + name);
      if (found.empty()) in.fail(std::string(key) + "." + name, "a list of strings");
      return found;
    };
    cost.forms = names("forms");
    const PortMask kept = ports.mask_of(names("ports"), std::string(key) + ".ports");
    cost.ports = kept & port_bits;
    cost.unit = kept & ~port_bits;
    if (std::popcount(cost.unit) > 1) in.fail(std::string(key) + ".ports", "ports and at most one unit");
    cost.pieces = read_pieces(in, table);
    cost.source = required_text(in, table, "source");
    cost.confidence = required_text(in, table, "confidence");
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
