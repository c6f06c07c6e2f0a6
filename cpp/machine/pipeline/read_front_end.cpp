#include "cpp/machine/pipeline/read_front_end.hpp"

namespace corecast {
namespace {

double count_in(const Value& item, std::string_view key) {
  return *item.find(key)->number(); // required, and checked
}

} // namespace

void read_uop_cache_entry_limits(const PipelineReader& in, FrontEndParameters& out) {
  constexpr const char* key = "uop_cache.entry_limits";
  const Value::List* list = in.list(key);
  if (list == nullptr) return;
  std::vector<UopCacheEntryLimit>& limits = out.uop_cache_entry_limits;
  for (const Value& item : *list) {
    limits.push_back({count_in(item, "uops"), count_in(item, "constants"), count_in(item, "wide_constants")});
    if (limits.size() > 1 && limits[limits.size() - 2].uops >= limits.back().uops)
      in.fail(key, "in ascending order of uops");
  }
}

void read_loop_buffer_copies(const PipelineReader& in, FrontEndParameters& out) {
  constexpr const char* key = "loop_buffer.copies";
  const Value::List* list = in.list(key);
  if (list == nullptr) return;
  out.loop_buffer_copies_known = true;
  for (const Value& item : *list) {
    const Value::List& row = *item.list();
    if (row.size() != 3) in.fail(key, "a list of [from, to, copies]");
    out.loop_buffer_copies.push_back({*row[0].number(), *row[1].number(), *row[2].number()});
  }
}

} // namespace corecast
