// Which file a name stands for, however it is spelt: links are followed, also one that leads to a file that is not
// there yet.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace espalier {

struct FileIdentity {
    dev_t device = 0;
    ino_t inode = 0;
    std::string name; // of a file that is not there: its name in the folder that the rest identifies

    bool operator==(const FileIdentity&) const = default;
};
// Nothing where not even the folder is there.
std::optional<FileIdentity> identity_of(const std::string& path);

// The name of the file itself, after all links that lead to it; errno and nothing where they lead nowhere.
std::optional<std::string> without_links(const std::string& path);
// Of a name without links: the folder that it is in, and its name there.
std::string folder_of(const std::string& path);
std::string name_in_folder(const std::string& path);

// A name such as /dev/stdout that stands for an open descriptor of this process.
std::optional<int> own_descriptor(const std::string& path);

bool is_regular(const std::string& path);          // is there, and a file that can be replaced by another
bool is_character_device(const std::string& path); // a terminal, /dev/null: can be written twice

} // namespace espalier
