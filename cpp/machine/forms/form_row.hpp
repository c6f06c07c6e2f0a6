// Parsing one row of a form table. The grammar of the columns is in docs (machine models).
#pragma once

#include "cpp/isa/register_names.hpp"
#include "cpp/machine/derive/vector_length.hpp"
#include "cpp/machine/forms/form_entry.hpp"
#include "cpp/machine/pipeline/pipeline.hpp"

#include <string_view>

namespace corecast {

/// Ports and units by name, and the sets that pipeline.toml names.
class PortNames {
public:
  explicit PortNames(const PipelineParameters& pipeline);

  /// "p015", "V0|V1", a port or a group; nothing where a name is unknown.
  std::optional<PortMask> mask(std::string_view text) const;
  std::optional<unsigned> unit(std::string_view name) const; // index in the common space
  /// The same of a port itself, whatever others its uops may run on; nothing for groups and units.
  std::optional<unsigned> port(std::string_view name) const;
  /// Ports, units and groups by their names, as a key of pipeline.toml lists them. Throws ModelError naming the key.
  PortMask mask_of(const std::vector<std::string>& names, const std::string& key) const;
  /// The pipeline.toml that has the names, for messages.
  const std::string& file() const { return file_; }

private:
  std::optional<PortMask> single(std::string_view name) const;
  std::map<std::string, PortMask, std::less<>> sets_;
  std::map<std::string, unsigned, std::less<>> ports_;
  std::map<std::string, unsigned, std::less<>> units_;
  std::string file_;
};

/// Counts that grow with the vectors are taken for vectors of `vector_bits`. Throws ModelError with `file` and `line`
/// where the row is malformed.
FormEntry parse_row(std::string_view row, const PortNames& ports, const RegisterNames& registers,
                    const std::string& file, std::uint32_t line, double vector_bits = default_vector_bits);

/// "1*p01+1*p23" as the value of a key of pipeline.toml; throws ModelError naming the key.
std::vector<PortUse> parse_port_usage(std::string_view text, const PortNames& ports, const std::string& key);

} // namespace corecast
