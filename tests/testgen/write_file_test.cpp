#include <doctest/doctest.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "lang/lang.hpp"
#include "testgen/write_file.hpp"

using namespace espalier;

namespace {

struct Folder {
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "write-file-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path = name;
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::permissions(path, std::filesystem::perms::owner_all, ignored);
        std::filesystem::remove_all(path, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::string file(const std::string& name) const { return (path / name).string(); }
    size_t entries() const {
        size_t count = 0;
        for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(path)) ++count;
        return count;
    }
    std::filesystem::path path;
};

} // namespace

TEST_CASE("a file is written to the byte, and nothing else is left") {
    const Folder folder;
    const std::string content("a\0b\r\n\xff", 6);
    CHECK(write_file(folder.file("out.xml"), content).empty());
    CHECK(read_file(folder.file("out.xml")) == content);
    CHECK(write_file(folder.file("out.xml"), "shorter").empty());
    CHECK(read_file(folder.file("out.xml")) == "shorter");
    CHECK(write_file(folder.file("empty"), "").empty());
    CHECK(read_file(folder.file("empty")) == "");
    const std::string large(5'000'000, 'x');
    CHECK(write_file(folder.file("large"), large).empty());
    CHECK(read_file(folder.file("large")) == large);
    CHECK(folder.entries() == 3);
}

TEST_CASE("a file that may not get as large is an error, and nothing of it is left") {
    const Folder folder;
    CHECK(write_file(folder.file("out"), "old").empty());
    rlimit before{};
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
    rlimit small = before;
    small.rlim_cur = 1000;
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    const std::string problem = write_file(folder.file("out"), std::string(5000, 'x'));
    REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
    CHECK(problem == "cannot write `" + folder.file("out") + "`: File too large");
    CHECK(read_file(folder.file("out")) == "old");
    CHECK(folder.entries() == 1);
}

TEST_CASE("a file is replaced whole: who has the old one open reads the old one") {
    const Folder folder;
    CHECK(write_file(folder.file("out"), "old").empty());
    struct stat before {};
    struct stat after {};
    CHECK(stat(folder.file("out").c_str(), &before) == 0);
    std::filesystem::create_hard_link(folder.file("out"), folder.file("link"));
    CHECK(write_file(folder.file("out"), "new").empty());
    CHECK(stat(folder.file("out").c_str(), &after) == 0);
    CHECK(before.st_ino != after.st_ino);
    CHECK(read_file(folder.file("link")) == "old");
    CHECK(read_file(folder.file("out")) == "new");
}

TEST_CASE("where it cannot be written, the reason is said and nothing changes") {
    const Folder folder;
    const std::string problem = write_file(folder.file("no/such/folder/out"), "text");
    CHECK(problem.find("no/such/folder/out") != std::string::npos);
    CHECK(problem.find("No such file or directory") != std::string::npos);
    CHECK_FALSE(write_file(folder.path.string(), "text").empty()); // a folder is no file
    CHECK(folder.entries() == 0);
    if (geteuid() != 0) {
        CHECK(write_file(folder.file("out"), "old").empty());
        std::filesystem::permissions(folder.path,
                                     std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
        CHECK_FALSE(write_file(folder.file("out"), "new").empty());
        CHECK(read_file(folder.file("out")) == "old");
    }
}

TEST_CASE("devices are written as they are") {
    CHECK(write_file("/dev/null", "text").empty());
    CHECK(std::filesystem::is_character_file("/dev/null"));
    if (!std::filesystem::exists("/dev/full")) return;
    const std::string problem = write_file("/dev/full", "text");
    CHECK(problem.find("/dev/full") != std::string::npos);
    CHECK(problem.find("No space left on device") != std::string::npos);
}
