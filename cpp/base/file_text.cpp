#include "cpp/base/file_text.hpp"

#include "cpp/base/error.hpp"

#include <cstdint>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace corecast {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 30;
constexpr const char* packed_suffix = ".gz";

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

/// What gzip packed into `packed`; nothing where it is something else, or damaged.
std::shared_ptr<char[]> unpacked(std::string_view packed, std::size_t& size) {
  constexpr std::size_t least_bytes = 18;       // a header and a trailer
  constexpr std::size_t most_compressed = 1100; // no input is packed to less than a 1032th
  constexpr int gzip_only = 16 + MAX_WBITS;
  if (packed.size() < least_bytes) return nullptr;
  size = 0; // the trailer ends with it
  for (std::size_t i = packed.size(); i-- > packed.size() - 4;)
    size = size << 8U | static_cast<unsigned char>(packed[i]);
  if (size > most_bytes || size / most_compressed > packed.size()) return nullptr;
  const auto text = std::make_shared_for_overwrite<char[]>(size + 1); // one more: the end is seen at once
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.get());
  stream.avail_out = static_cast<uInt>(size + 1);
  if (::inflateInit2(&stream, gzip_only) != Z_OK) return nullptr;
  const int status = ::inflate(&stream, Z_FINISH);
  ::inflateEnd(&stream);
  return status == Z_STREAM_END && stream.total_out == size && stream.avail_in == 0 ? text : nullptr;
}

} // namespace

FileText::FileText(std::string text) {
  const auto owned = std::make_shared<const std::string>(std::move(text));
  owner_ = owned;
  text_ = *owned;
}

FileText FileText::read(const std::string& file) {
  if (::access(file.c_str(), F_OK) != 0 && ::access((file + packed_suffix).c_str(), F_OK) == 0) {
    const FileText packed = read_plain(file + packed_suffix);
    std::size_t size = 0;
    const auto text = unpacked(packed.view(), size);
    if (!text) throw ModelError("is damaged", file + packed_suffix);
    return {text, {text.get(), size}};
  }
  return read_plain(file);
}

FileText FileText::read_plain(const std::string& file) {
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
