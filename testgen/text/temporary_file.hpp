// A file on its way to its place. Where the file system can do that, it has no name until it is whole. Else, and for
// the moment in which it takes the place of another file, its name has 128 random bits, so that it cannot be guessed,
// and no link is followed to it. It is locked while its process lives: so the next run can tell what a killed run left
// from what another run is still writing.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace espalier {

class TemporaryFile {
public:
    // In the folder, with the permissions that a new file gets. Nothing, and errno, where that cannot be.
    static std::optional<TemporaryFile> open(const std::string& folder);
    // The two ways of it.
    static std::optional<TemporaryFile> open_nameless(const std::string& folder);
    static std::optional<TemporaryFile> open_named(const std::string& folder);

    TemporaryFile(TemporaryFile&& other) noexcept;
    TemporaryFile& operator=(TemporaryFile&&) = delete;
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile(); // removes it, unless it has taken its place

    int fd() const { return file_; }
    // Owner and permissions as those of a file, as far as they may be given.
    void resemble(const std::string& path);
    // Becomes the file of that name in its folder, in place of one that is there. False, and errno, where it cannot.
    bool take_place(const std::string& name);

private:
    TemporaryFile(int folder, int file, std::string name) : folder_(folder), file_(file), name_(std::move(name)) {}

    int folder_, file_;
    std::string name_; // empty: it has none
};

// Removes from a folder what runs that were killed have left there.
void clear_leftovers(const std::string& folder);

} // namespace espalier
