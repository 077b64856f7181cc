// An archive of files as one stream of bytes, for formats that are folders: so they too are written whole or not at
// all. Nothing is compressed, and no time is written down, so that the same files make the same archive.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "testgen/text/write_file.hpp"

namespace espalier {

class ZipWriter {
public:
    explicit ZipWriter(const Sink& sink) : sink_(sink) {}
    // Names are relative paths in ASCII; a file has less than four gigabytes. The archive may have more, and any
    // number of files.
    void add(const std::string& name, std::string_view content);
    void finish();

private:
    const Sink& sink_;
    uint64_t written_ = 0;
    uint64_t files_ = 0;
    std::string directory_;
};

uint32_t crc32(std::string_view bytes);

} // namespace espalier
