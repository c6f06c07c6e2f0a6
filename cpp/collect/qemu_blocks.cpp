// A plugin of QEMU's user-mode emulators: counts how often each translation block runs, in a file that everybody who
// maps it can read at any time, also after the emulator was killed. `corecast collect` loads it and reads the file.
//
// Nothing but C's library is used, and no header of QEMU, which distributions do not ship: what is needed of its
// interface is declared here (docs/devel/tcg-plugins of QEMU describes it). All of it is weak, so that the file also
// loads where there is no QEMU.
#include "cpp/collect/counts_file.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define QEMU_API extern "C" __attribute__((weak))
#define EXPORTED extern "C" __attribute__((visibility("default")))

struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info_t;
using PluginId = std::uint64_t;

QEMU_API void qemu_plugin_register_vcpu_tb_trans_cb(PluginId, void (*)(PluginId, qemu_plugin_tb*));
QEMU_API void qemu_plugin_register_vcpu_tb_exec_cb(qemu_plugin_tb*, void (*)(unsigned, void*), int flags, void* data);
QEMU_API size_t qemu_plugin_tb_n_insns(const qemu_plugin_tb*);
QEMU_API qemu_plugin_insn* qemu_plugin_tb_get_insn(const qemu_plugin_tb*, size_t);
QEMU_API size_t qemu_plugin_insn_size(const qemu_plugin_insn*);
QEMU_API std::uint64_t qemu_plugin_insn_vaddr(const qemu_plugin_insn*);
QEMU_API void* qemu_plugin_insn_haddr(const qemu_plugin_insn*);
QEMU_API void* qemu_plugin_scoreboard_new(size_t);

/// Version of the interface that the plugin asks for. QEMU 9.0 refuses 1, older ones do not know 2; nothing that is
/// used here differs between them.
EXPORTED int qemu_plugin_version;
int qemu_plugin_version = 1;

namespace {

using namespace corecast::collect;

__attribute__((constructor)) void choose_version() {
  if (qemu_plugin_scoreboard_new != nullptr) qemu_plugin_version = 2; // new in 9.0
}

constexpr std::size_t step_bytes = std::size_t{1} << 20; // by which the file grows
constexpr std::size_t most_block_bytes = 4096;           // of the longest translation block: 512 instructions

std::uint8_t* base = nullptr;
int counts_file = -1;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

Header& header() {
  return *reinterpret_cast<Header*>(base);
}
CodeRecord* code_at(std::uint64_t place) {
  return reinterpret_cast<CodeRecord*>(base + place);
}

/// Space for a record with so many bytes behind it, 0 where the disk is full. Children that the program forks share the
/// file and this count.
std::uint64_t reserve(std::size_t record, std::uint32_t behind) {
  const std::uint64_t bytes = (record + behind + 7) & ~std::uint64_t{7};
  const std::uint64_t place = __atomic_fetch_add(&header().used, bytes, __ATOMIC_RELAXED);
  const std::uint64_t end = place + bytes;
  const std::uint64_t grown = (end + step_bytes - 1) / step_bytes * step_bytes;
  // Without a reservation, writing would end the program with SIGBUS when the disk is full.
  if (end > file_bytes ||
      posix_fallocate(counts_file, static_cast<off_t>(place), static_cast<off_t>(grown - place)) != 0) {
    __atomic_store_n(&header().full, 1, __ATOMIC_RELAXED);
    return 0;
  }
  auto* head = reinterpret_cast<RecordHead*>(base + place);
  head->record = static_cast<std::uint16_t>(record);
  head->bytes = behind; // whoever is stopped before the record is whole leaves one that can be skipped
  return place;
}

/// From here on the record counts.
void publish(RecordHead& head, std::uint16_t kind) {
  __atomic_store_n(&head.kind, kind, __ATOMIC_RELEASE);
}

// ---- modules: which file a piece of memory comes from

struct Mapping {
  std::uint64_t begin, end; // addresses of the host
  std::uint32_t module;     // 0: no file
};
constexpr std::size_t most_mappings = 4096;
Mapping mappings[most_mappings];
std::size_t mapping_count = 0;

std::uint32_t add_module(const char* path, std::uint64_t guest, std::uint64_t offset) {
  const auto length = static_cast<std::uint32_t>(std::strlen(path));
  const std::uint64_t place = reserve(sizeof(ModuleRecord), length);
  if (place == 0) return 0;
  auto* record = reinterpret_cast<ModuleRecord*>(base + place);
  record->guest = guest;
  record->offset = offset;
  record->number = __atomic_add_fetch(&header().modules, 1, __ATOMIC_RELAXED);
  std::memcpy(record + 1, path, length);
  publish(record->head, module_kind);
  return record->number;
}

/// Looks an address of the host up in the process' list of mappings.
Mapping look_up(std::uint64_t host, std::uint64_t guest) {
  Mapping found{host & ~std::uint64_t{4095}, (host | 4095) + 1, 0};
  std::FILE* list = std::fopen("/proc/self/maps", "re");
  if (list == nullptr) return found;
  char line[4096 + 128];
  while (std::fgets(line, sizeof line, list) != nullptr) {
    std::uint64_t begin = 0, end = 0, offset = 0;
    int path_at = -1;
    if (std::sscanf(line, "%" SCNx64 "-%" SCNx64 " %*4s %" SCNx64 " %*s %*s %n", &begin, &end, &offset, &path_at) < 3)
      continue;
    if (host < begin || host >= end) continue;
    found = {begin, end, 0};
    if (path_at < 0 || line[path_at] != '/') break;
    line[std::strcspn(line, "\n")] = 0;
    found.module = add_module(line + path_at, guest - (host - begin), offset);
    break;
  }
  std::fclose(list);
  return found;
}

std::uint32_t module_of(std::uint64_t host, std::uint64_t guest) {
  for (std::size_t i = mapping_count; i-- > 0;)
    if (host >= mappings[i].begin && host < mappings[i].end) return mappings[i].module;
  if (mapping_count == most_mappings) mapping_count = 0;
  mappings[mapping_count] = look_up(host, guest);
  return mappings[mapping_count++].module;
}

// ---- blocks that are known: QEMU translates them again whenever its cache of translations was full

std::uint64_t* table = nullptr; // places of records, 0: free
std::size_t table_size = 0, table_used = 0;

std::size_t slot_of(std::uint64_t address, std::uint32_t size) {
  std::uint64_t hash = (address ^ size) * 0x9E37'79B9'7F4A'7C15U;
  hash ^= hash >> 29;
  return static_cast<std::size_t>(hash) & (table_size - 1);
}

bool grow_table() {
  std::uint64_t* old = table;
  const std::size_t old_size = table_size;
  const std::size_t size = old_size == 0 ? 4096 : 2 * old_size;
  auto* fresh = static_cast<std::uint64_t*>(std::calloc(size, sizeof(std::uint64_t)));
  if (fresh == nullptr) return false;
  table = fresh;
  table_size = size;
  for (std::size_t i = 0; i < old_size; ++i) {
    if (old[i] == 0) continue;
    const CodeRecord* record = code_at(old[i]);
    std::size_t at = slot_of(record->address, record->head.bytes);
    while (table[at] != 0)
      at = (at + 1) & (table_size - 1);
    table[at] = old[i];
  }
  std::free(old);
  return true;
}

/// The record of a block, made where it is new; null where there is no space.
CodeRecord* record_of(std::uint64_t address, const std::uint8_t* code, std::uint32_t size, std::uint64_t host) {
  if (2 * table_used >= table_size && !grow_table()) return nullptr;
  std::size_t at = slot_of(address, size);
  for (; table[at] != 0; at = (at + 1) & (table_size - 1)) {
    CodeRecord* known = code_at(table[at]);
    if (known->address == address && known->head.bytes == size && std::memcmp(known + 1, code, size) == 0) return known;
  }
  const std::uint32_t module = module_of(host, address);
  const std::uint64_t place = reserve(sizeof(CodeRecord), size);
  if (place == 0) return nullptr;
  table[at] = place;
  ++table_used;
  CodeRecord* record = code_at(place);
  record->address = address;
  record->module = module;
  std::memcpy(record + 1, code, size);
  publish(record->head, code_kind);
  return record;
}

void on_execution(unsigned, void* record) {
  __atomic_fetch_add(&static_cast<CodeRecord*>(record)->count, 1, __ATOMIC_RELAXED);
}

void on_translation(PluginId, qemu_plugin_tb* tb) {
  std::uint8_t code[most_block_bytes];
  std::uint32_t size = 0;
  const std::size_t count = qemu_plugin_tb_n_insns(tb);
  if (count == 0) return;
  const qemu_plugin_insn* first = qemu_plugin_tb_get_insn(tb, 0);
  const auto host = reinterpret_cast<std::uint64_t>(qemu_plugin_insn_haddr(first));
  for (std::size_t i = 0; i < count; ++i) {
    const qemu_plugin_insn* each = qemu_plugin_tb_get_insn(tb, i);
    const std::size_t bytes = qemu_plugin_insn_size(each);
    const void* at = qemu_plugin_insn_haddr(each);
    if (at == nullptr || size + bytes > sizeof code) break;
    std::memcpy(code + size, at, bytes);
    size += static_cast<std::uint32_t>(bytes);
  }
  if (size == 0) return;
  pthread_mutex_lock(&lock);
  CodeRecord* record = record_of(qemu_plugin_insn_vaddr(first), code, size, host);
  pthread_mutex_unlock(&lock);
  if (record != nullptr) qemu_plugin_register_vcpu_tb_exec_cb(tb, on_execution, 0, record);
}

bool open_file(const char* path) {
  counts_file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (counts_file < 0 || ftruncate(counts_file, static_cast<off_t>(file_bytes)) != 0) return false;
  if (posix_fallocate(counts_file, 0, static_cast<off_t>(step_bytes)) != 0) return false;
  void* memory = mmap(nullptr, file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, counts_file, 0);
  if (memory == MAP_FAILED) return false;
  base = static_cast<std::uint8_t*>(memory);
  std::memcpy(header().magic, file_magic, sizeof file_magic);
  header().used = sizeof(Header);
  return true;
}

} // namespace

EXPORTED int qemu_plugin_install(PluginId id, const qemu_info_t*, int argc, char** argv) {
  constexpr char option[] = "out=";
  for (int i = 0; i < argc; ++i) {
    if (std::strncmp(argv[i], option, sizeof option - 1) != 0) continue;
    if (!open_file(argv[i] + sizeof option - 1)) {
      std::perror("corecast: the file of counts");
      return 1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    return 0;
  }
  std::fputs("corecast: the plugin takes out=FILE\n", stderr);
  return 1;
}
