// The part of PKWARE's APPNOTE 6.3 that every reader of archives knows: local headers (4.3.7), stored files (method 0),
// the central directory (4.3.12) and its end (4.3.16); Zip64 only where an archive is too large for that.
#include "testgen/text/zip.hpp"

#include <array>
#include <cassert>

namespace espalier {

namespace {

constexpr uint64_t limit16 = 0xFFFF, limit32 = 0xFFFFFFFFU; // where Zip64 begins

void put(std::string& to, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) to += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
}

constexpr uint64_t first_day = 1U << 5 | 1U; // 1 January 1980, the first day that the format knows

// What a local header and an entry of the directory have in common.
void put_common(std::string& to, uint32_t crc, size_t size, size_t name_size) {
    put(to, 45, 2); // version needed: one that knows Zip64
    put(to, 0, 2);  // flags
    put(to, 0, 2);  // method: stored
    put(to, 0, 2);  // time
    put(to, first_day, 2);
    put(to, crc, 4);
    put(to, size, 4); // compressed
    put(to, size, 4);
    put(to, name_size, 2);
}

} // namespace

uint32_t crc32(std::string_view bytes) {
    static const auto table = [] {
        std::array<uint32_t, 256> all{};
        for (uint32_t i = 0; i < all.size(); ++i) {
            uint32_t c = i;
            for (int k = 0; k < 8; ++k) c = (c & 1U) != 0 ? 0xEDB88320U ^ c >> 1 : c >> 1;
            all[i] = c;
        }
        return all;
    }();
    uint32_t crc = 0xFFFFFFFFU;
    for (const char c : bytes) crc = table[(crc ^ static_cast<unsigned char>(c)) & 0xFFU] ^ crc >> 8;
    return ~crc;
}

void ZipWriter::add(const std::string& name, std::string_view content) {
    assert(content.size() < limit32 && name.size() < limit16);
    const uint32_t crc = crc32(content);
    std::string header = "PK\3\4";
    put_common(header, crc, content.size(), name.size());
    put(header, 0, 2); // extra field
    sink_(header + name);
    sink_(content);
    const bool far = written_ >= limit32;
    directory_ += "PK\1\2";
    put(directory_, 45, 2); // made by: MS-DOS, so no attributes of Unix
    put_common(directory_, crc, content.size(), name.size());
    put(directory_, far ? 12 : 0, 2); // extra field
    put(directory_, 0, 2);            // comment
    put(directory_, 0, 2);            // disk
    put(directory_, 0, 2);            // internal attributes
    put(directory_, 0, 4);            // external attributes
    put(directory_, far ? limit32 : written_, 4);
    directory_ += name;
    if (far) { // 4.5.3
        put(directory_, 1, 2);
        put(directory_, 8, 2);
        put(directory_, written_, 8);
    }
    written_ += header.size() + name.size() + content.size();
    ++files_;
}

void ZipWriter::finish() {
    std::string end = directory_;
    const bool large = files_ >= limit16 || written_ >= limit32 || directory_.size() >= limit32;
    if (large) {
        end += "PK\6\6"; // 4.3.14
        put(end, 44, 8);
        put(end, 45, 2);
        put(end, 45, 2);
        put(end, 0, 8); // disks
        put(end, files_, 8);
        put(end, files_, 8);
        put(end, directory_.size(), 8);
        put(end, written_, 8);
        end += "PK\6\7"; // 4.3.15
        put(end, 0, 4);
        put(end, written_ + directory_.size(), 8);
        put(end, 1, 4);
    }
    end += "PK\5\6";
    put(end, 0, 4); // disks
    put(end, large ? limit16 : files_, 2);
    put(end, large ? limit16 : files_, 2);
    put(end, large ? limit32 : directory_.size(), 4);
    put(end, large ? limit32 : written_, 4);
    put(end, 0, 2); // comment
    sink_(end);
}

} // namespace espalier
