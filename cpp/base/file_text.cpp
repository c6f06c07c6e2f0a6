#include "cpp/base/file_text.hpp"

#include "cpp/base/error.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace corecast {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 30;

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

/// Whether `size` bytes could be read from the file.
bool fill(char* text, std::size_t size, int descriptor) {
  std::size_t got = 0;
  while (got < size) {
    const ssize_t more = ::read(descriptor, text + got, size - got);
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
  struct stat status{};
  if (open.descriptor() < 0 || ::fstat(open.descriptor(), &status) != 0 || !S_ISREG(status.st_mode) ||
      static_cast<std::size_t>(status.st_size) > most_bytes)
    throw ModelError("cannot be read", file);
  const auto size = static_cast<std::size_t>(status.st_size);
  const auto text = std::make_shared_for_overwrite<char[]>(size); // a string would be filled with zeros first
  if (!fill(text.get(), size, open.descriptor())) throw ModelError("cannot be read", file);
  return {text, {text.get(), size}};
}

} // namespace corecast
