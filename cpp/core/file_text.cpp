#include "cpp/core/file_text.hpp"

#include "cpp/core/error.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace corecast {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 30;
constexpr std::size_t copied_bytes = std::size_t{1} << 17; // smaller files, as users write them, may be edited in place

class OpenFile {
public:
  explicit OpenFile(const std::string& file) : descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  int descriptor() const { return descriptor_; }

private:
  int descriptor_;
};

/// Whether all of `text` could be filled from the file.
bool fill(std::string& text, int descriptor) {
  std::size_t got = 0;
  while (got < text.size()) {
    const ssize_t more = ::read(descriptor, text.data() + got, text.size() - got);
    if (more <= 0) return false;
    got += static_cast<std::size_t>(more);
  }
  return true;
}

} // namespace

FileText::FileText(std::string text) {
  const auto owned = std::make_shared<const std::string>(std::move(text));
  owner_ = owned;
  text_ = *owned;
}

FileText FileText::read(const std::string& file) {
  const OpenFile open(file);
  struct stat status {};
  if (open.descriptor() < 0 || ::fstat(open.descriptor(), &status) != 0 || !S_ISREG(status.st_mode) ||
      static_cast<std::size_t>(status.st_size) > most_bytes)
    throw ModelError("cannot be read", file);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size < copied_bytes) {
    std::string text(size, '\0');
    if (!fill(text, open.descriptor())) throw ModelError("cannot be read", file);
    return FileText(std::move(text));
  }
  void* place = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, open.descriptor(), 0);
  if (place == MAP_FAILED) throw ModelError("cannot be read", file);
  const std::shared_ptr<const void> owner(place, [size](const void* mapped) { ::munmap(const_cast<void*>(mapped), size); });
  return {owner, {static_cast<const char*>(place), size}};
}

} // namespace corecast
