#include "cpp/machine/forms/form_row.hpp"

#include "cpp/base/error.hpp"
#include "cpp/isa/form_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace corecast {
namespace {

constexpr std::size_t column_count = 10;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\r'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

/// Calls `each` with every non-empty, trimmed part of `text` between separators.
template <typename Each> void split(std::string_view text, char separator, Each each) {
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    const std::string_view part = trimmed(text.substr(0, end));
    if (!part.empty()) each(part);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
}

struct Place {
  const std::string& file;
  std::uint32_t line;
  const LengthUnits* units = nullptr; // of the row's form
  bool* by_length = nullptr;          // set where a count grows with the vectors

  [[noreturn]] void fail(const std::string& message) const { throw ModelError(message, file, line); }

  double number(std::string_view text, const char* what) const {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value >= 0 && std::isfinite(value)) return value;
    const auto growing = units != nullptr ? growing_count(text, *units) : std::nullopt;
    if (!growing) fail(std::string(what) + ": \"" + std::string(text) + "\" is not a count of cycles or uops");
    *by_length = true;
    return *growing;
  }
};

OperandId parse_endpoint(std::string_view text, const RegisterNames& registers, const Place& place) {
  if (text == "*") return operand_id::any;
  if (text == "mem") return operand_id::memory;
  if (text == "addr") return operand_id::address;
  if (text == "index") return operand_id::index;
  if (text == "flags") return operand_id::flags;
  if (text == "mask") return operand_id::mask;
  unsigned position = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), position);
  if (error == std::errc() && end == text.data() + text.size() && position > 0 && position < operand_id::memory)
    return static_cast<OperandId>(position);
  if (const RegisterId reg = registers.id_of(text); reg != 0)
    return static_cast<OperandId>(operand_id::implicit_register + reg);
  place.fail("latency: \"" + std::string(text) + "\" is neither an operand nor a register");
}

void parse_latency(FormEntry& entry, std::string_view text, const RegisterNames& registers, const Place& place) {
  if (text == "?") {
    entry.latency_known = false;
    return;
  }
  split(text, ';', [&](std::string_view part) {
    const std::size_t arrow = part.find("->");
    const std::size_t colon = part.rfind(':');
    if (arrow == std::string_view::npos || colon == std::string_view::npos || colon < arrow)
      place.fail("latency: \"" + std::string(part) + "\" is not source->destination:cycles");
    LatencyRule rule;
    rule.source = parse_endpoint(trimmed(part.substr(0, arrow)), registers, place);
    rule.destination = parse_endpoint(trimmed(part.substr(arrow + 2, colon - arrow - 2)), registers, place);
    rule.cycles = place.number(trimmed(part.substr(colon + 1)), "latency");
    entry.latency.push_back(rule);
  });
}

/// Latencies are between operands that the form has.
void check_operands(const FormEntry& entry, const Place& place) {
  unsigned last = 0;
  for (const LatencyRule& rule : entry.latency)
    for (const OperandId id : {rule.source, rule.destination})
      if (id < operand_id::memory) last = std::max<unsigned>(last, id);
  if (last == 0) return;
  const std::size_t count = FormText::parse(entry.key).operands.size();
  if (last > count)
    place.fail("latency: operand " + std::to_string(last) + " of a form that has " + std::to_string(count));
}

void parse_blocking(FormEntry& entry, std::string_view text, const PortNames& ports, const Place& place) {
  if (text == "?") return; // unknown: no row of ours may claim that nothing is blocked, nor how long
  while (!text.empty()) {  // a count may contain a '+': parts end before the next name
    const std::size_t colon = text.find(':');
    const std::size_t next = colon == std::string_view::npos ? colon : text.find(':', colon + 1);
    const std::size_t end = next == std::string_view::npos ? text.size() : text.rfind('+', next);
    if (colon == std::string_view::npos || end == std::string_view::npos || end < colon)
      place.fail("blocking: \"" + std::string(text) + "\" is not unit:cycles");
    const std::string_view name = trimmed(text.substr(0, colon));
    const auto unit = ports.unit(name);
    const auto mask = unit ? std::optional(PortMask{1} << *unit) : ports.mask(name);
    if (!mask) place.fail("blocking: unknown unit in \"" + std::string(text.substr(0, end)) + "\"");
    entry.blocking.push_back({place.number(trimmed(text.substr(colon + 1, end - colon - 1)), "blocking"), *mask});
    text.remove_prefix(std::min(text.size(), end + 1));
  }
}

void parse_uops(FormEntry& entry, std::string_view text, const Place& place) {
  if (text.empty() || text == "?") return;
  std::array<double, 3> counts{};
  std::size_t found = 0;
  split(text, '/', [&](std::string_view part) {
    if (found == counts.size()) place.fail("uops: more than fused/unfused/retired");
    counts[found++] = place.number(part, "uops");
  });
  if (found == 1)
    counts[1] = counts[2] = counts[0];
  else if (found != 3)
    place.fail("uops: give fused/unfused/retired or one number");
  entry.uops = UopCounts{counts[0], counts[1], counts[2]};
}

void parse_decode(FormEntry& entry, std::string_view text, const Place& place) {
  if (text.empty() || text == "?") return;
  std::array<double, 4> fields{1, 0, 0, -1};
  std::size_t found = 0;
  split(text, ';', [&](std::string_view part) {
    if (found == fields.size()) place.fail("decode: more than four fields");
    fields[found++] = place.number(part, "decode");
  });
  entry.decode = DecodeNeeds{fields[0], fields[1], fields[2] != 0, static_cast<int>(fields[3])};
}

void parse_flags(FormEntry& entry, std::string_view text, const Place& place) {
  FormFlags& flags = entry.flags;
  split(text, ',', [&](std::string_view part) {
    constexpr std::string_view fusible = "fusible";
    if (part == "eliminated")
      flags.eliminated = true;
    else if (part == "zero_idiom")
      flags.zero_idiom = true;
    else if (part == "dep_breaking")
      flags.dependency_breaking = true;
    else if (part == "microcoded")
      flags.microcoded = true;
    else if (part == "locked")
      flags.locked = true;
    else if (part == "serializing")
      flags.serializing = true;
    else if (part == "begins_group")
      flags.begins_group = true;
    else if (part.starts_with(fusible) && (part.size() == fusible.size() || part[fusible.size()] == ':')) {
      entry.fusible_listed = true;
      if (part.size() == fusible.size()) entry.fusible.emplace_back("*");
      // Mnemonics inside the list are separated by '|' or blanks: the comma separates flags.
      std::string_view list = part.substr(std::min(part.size(), fusible.size() + 1));
      const char separator = list.find('|') != std::string_view::npos ? '|' : ' ';
      split(list, separator, [&](std::string_view mnemonic) { entry.fusible.emplace_back(mnemonic); });
    } else if (entry.fusible_listed && part.starts_with("j")) {
      entry.fusible.emplace_back(part); // "fusible:je,jne": further members of the list
    } else {
      place.fail("flags: unknown flag \"" + std::string(part) + "\"");
    }
  });
}

} // namespace

PortNames::PortNames(const PipelineParameters& pipeline) : file_(pipeline.file) {
  unsigned next = 0;
  for (const std::string& port : pipeline.ports) {
    if (!ports_.emplace(port, next).second) throw ModelError("ports.names: \"" + port + "\" is there twice", file_);
    sets_[port] = PortMask{1} << next++;
  }
  for (const auto& [port, members] : pipeline.port_spread) {
    PortMask mask = 0;
    for (const std::string& member : members) {
      const auto found = this->port(member);
      if (!found) throw ModelError("ports.spread." + port + ": unknown port \"" + member + "\"", file_);
      mask |= PortMask{1} << *found;
    }
    if (mask == 0) throw ModelError("ports.spread." + port + " has no ports", file_);
    sets_[port] = mask;
  }
  for (const std::string& unit : pipeline.units) {
    units_[unit] = next;
    sets_.emplace(unit, PortMask{1} << next++);
  }
  for (const auto& [group, members] : pipeline.port_groups) {
    PortMask mask = 0;
    for (const std::string& member : members) {
      const auto found = sets_.find(member);
      if (found == sets_.end()) throw ModelError("ports.groups." + group + ": unknown port \"" + member + "\"", file_);
      mask |= found->second;
    }
    if (mask == 0) throw ModelError("ports.groups." + group + " has no ports", file_);
    if (!sets_.emplace(group, mask).second)
      throw ModelError("ports.groups." + group + ": a port, a unit or a group has this name already", file_);
  }
}

std::optional<PortMask> PortNames::single(std::string_view name) const {
  const auto found = sets_.find(name);
  if (found == sets_.end()) return std::nullopt;
  return found->second;
}

std::optional<PortMask> PortNames::mask(std::string_view text) const {
  if (const auto whole = single(text)) return whole;
  PortMask result = 0;
  if (text.find('|') != std::string_view::npos) {
    bool known = true;
    split(text, '|', [&](std::string_view part) {
      const auto one = single(part);
      known = known && one.has_value();
      result |= one.value_or(0);
    });
    if (!known || result == 0) return std::nullopt;
    return result;
  }
  if (text.size() < 2 || text.front() != 'p') return std::nullopt;
  for (const char& letter : text.substr(1)) {
    const auto one = single(std::string_view(&letter, 1));
    if (!one) return std::nullopt;
    result |= *one;
  }
  return result;
}

std::optional<unsigned> PortNames::unit(std::string_view name) const {
  const auto found = units_.find(name);
  if (found != units_.end()) return found->second;
  // A port may be blocked like a unit: by its name, or as "p0".
  const auto port = mask(name);
  if (!port || (*port & (*port - 1)) != 0) return std::nullopt;
  unsigned index = 0;
  while ((PortMask{1} << index) != *port)
    ++index;
  return index;
}

std::optional<unsigned> PortNames::port(std::string_view name) const {
  const auto found = ports_.find(name);
  if (found == ports_.end()) return std::nullopt;
  return found->second;
}

PortMask PortNames::mask_of(const std::vector<std::string>& names, const std::string& key) const {
  PortMask result = 0;
  for (const std::string& name : names) {
    const auto found = single(name);
    if (!found) throw ModelError(key + " must be names of ports, units and groups; there is no " + name, file_);
    result |= *found;
  }
  return result;
}

namespace {

std::vector<PortUse> parse_uses(std::string_view text, const PortNames& ports, const Place& place,
                                const std::string& key = "ports") {
  std::vector<PortUse> uses;
  split(text, '+', [&](std::string_view part) {
    const std::size_t star = part.find('*');
    const double count = star == std::string_view::npos ? 1 : place.number(trimmed(part.substr(0, star)), key.c_str());
    const std::string_view name = star == std::string_view::npos ? part : trimmed(part.substr(star + 1));
    const auto mask = ports.mask(name);
    if (!mask) place.fail(key + ": unknown port in \"" + std::string(part) + "\"");
    uses.push_back({count, *mask});
  });
  return uses;
}

} // namespace

std::vector<PortUse> parse_port_usage(std::string_view text, const PortNames& ports, const std::string& key) {
  return parse_uses(text, ports, {ports.file(), 0}, key);
}

FormEntry parse_row(std::string_view row, const PortNames& ports, const RegisterNames& registers,
                    const std::string& file, std::uint32_t line, double vector_bits) {
  FormEntry entry;
  const LengthUnits units = length_units(row.substr(0, row.find('\t')), vector_bits);
  const Place place{file, line, &units, &entry.by_length};
  std::array<std::string_view, column_count> cells;
  std::size_t count = 0;
  while (true) {
    const std::size_t tab = row.find('\t');
    if (count == column_count) place.fail("more than ten columns");
    cells[count++] = trimmed(row.substr(0, tab));
    if (tab == std::string_view::npos) break;
    row.remove_prefix(tab + 1);
  }
  if (count != column_count) place.fail("expected ten columns, found " + std::to_string(count));

  entry.key = cells[0];
  entry.file = file;
  entry.line = line;
  if (cells[1] == "?")
    entry.ports_known = false;
  else
    entry.ports = parse_uses(cells[1], ports, place);
  parse_blocking(entry, cells[2], ports, place);
  parse_latency(entry, cells[3], registers, place);
  check_operands(entry, place);
  parse_uops(entry, cells[4], place);
  parse_decode(entry, cells[5], place);
  parse_flags(entry, cells[6], place);
  if (!cells[7].empty() && cells[7] != "?") entry.reciprocal_throughput_cycles = place.number(cells[7], "rthroughput");
  entry.source = cells[8];
  entry.confidence = cells[9];
  return entry;
}

} // namespace corecast
