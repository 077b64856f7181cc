#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "lang/lang.hpp"
#include "testgen/text/file_identity.hpp"
#include "testgen/text/outputs.hpp"
#include "testgen/text/temporary_file.hpp"
#include "testgen/text/write_file.hpp"

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

TEST_CASE("a temporary file has no name, or one that is new each time, and is gone when it is not used") {
    const Folder folder;
    if (auto nameless = TemporaryFile::open_nameless(folder.path.string())) { // not every file system can
        CHECK(folder.entries() == 0);
        CHECK(write(nameless->fd(), "new", 3) == 3);
        CHECK(nameless->take_place("out"));
        CHECK(read_file(folder.file("out")) == "new");
        auto second = TemporaryFile::open_nameless(folder.path.string());
        REQUIRE(second.has_value());
        CHECK(write(second->fd(), "newer", 5) == 5);
        CHECK(second->take_place("out"));
        CHECK(read_file(folder.file("out")) == "newer");
        CHECK(folder.entries() == 1);
        std::filesystem::remove(folder.file("out"));
    }
    std::set<std::string> names;
    for (int i = 0; i < 20; ++i) {
        const auto named = TemporaryFile::open_named(folder.path.string());
        REQUIRE(named.has_value());
        CHECK(folder.entries() == 1);
        names.insert(std::filesystem::directory_iterator(folder.path)->path().filename().string());
    }
    CHECK(names.size() == 20);
    CHECK(folder.entries() == 0);
    auto named = TemporaryFile::open_named(folder.path.string());
    REQUIRE(named.has_value());
    CHECK(write(named->fd(), "named", 5) == 5);
    CHECK(named->take_place("out"));
    CHECK(read_file(folder.file("out")) == "named");
    CHECK(folder.entries() == 1);
    CHECK_FALSE(TemporaryFile::open(folder.file("no such folder")).has_value());
}

TEST_CASE("leftovers are cleared away, and what is still being written is not") {
    const Folder folder;
    const std::string left = folder.file(".espalier-part-" + std::string(32, 'a'));
    for (const std::string& file : {left, left + "b", folder.file(".espalier-part-" + std::string(32, 'x'))})
        close(open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
    const auto alive = TemporaryFile::open_named(folder.path.string());
    REQUIRE(alive.has_value());
    CHECK(folder.entries() == 4);
    clear_leftovers(folder.path.string());
    CHECK(folder.entries() == 3);
    CHECK_FALSE(std::filesystem::exists(left));
    std::filesystem::create_symlink("nowhere", left);
    std::filesystem::create_directory(folder.file(".espalier-part-" + std::string(32, 'b')));
    clear_leftovers(folder.path.string());
    CHECK(folder.entries() == 5);
}

TEST_CASE("a file that is replaced keeps its permissions and the links to it") {
    const Folder folder;
    CHECK(write_file(folder.file("out"), "old").empty());
    REQUIRE(chmod(folder.file("out").c_str(), 0604) == 0);
    std::filesystem::create_symlink("out", folder.file("link"));
    std::filesystem::create_symlink(folder.file("link"), folder.file("link to link"));
    CHECK(write_file(folder.file("link to link"), "new").empty());
    struct stat there {};
    REQUIRE(lstat(folder.file("out").c_str(), &there) == 0);
    CHECK((there.st_mode & 07777U) == 0604U);
    CHECK(std::filesystem::is_symlink(folder.file("link")));
    CHECK(std::filesystem::is_symlink(folder.file("link to link")));
    CHECK(read_file(folder.file("out")) == "new");
    std::filesystem::create_symlink("round", folder.file("round"));
    CHECK(write_file(folder.file("round"), "x").find("Too many levels of symbolic links") != std::string::npos);
    CHECK(check_writable(folder.file("round")).find("Too many levels of symbolic links") != std::string::npos);
}

TEST_CASE("a file is one file under all its names, also where it is not there yet") {
    const Folder folder;
    CHECK(write_file(folder.file("a"), "").empty());
    std::filesystem::create_hard_link(folder.file("a"), folder.file("hard"));
    std::filesystem::create_symlink("a", folder.file("soft"));
    std::filesystem::create_symlink("to come", folder.file("dangling"));
    CHECK(identity_of(folder.file("a")) == identity_of(folder.file("hard")));
    CHECK(identity_of(folder.file("a")) == identity_of(folder.file("soft")));
    CHECK(identity_of(folder.file("a")) == identity_of(folder.file("./a")));
    CHECK(identity_of(folder.file("to come")) == identity_of(folder.file(".//to come")));
    CHECK(identity_of(folder.file("to come")) == identity_of(folder.file("dangling")));
    CHECK(identity_of(folder.file("to come")) != identity_of(folder.file("a")));
    CHECK(identity_of(folder.file("to come")) != identity_of(folder.file("other")));
    CHECK_FALSE(identity_of(folder.file("no folder/a")).has_value());
    CHECK(own_descriptor("/dev/stdout") == 1);
    CHECK_FALSE(own_descriptor(folder.file("a")).has_value());
}

TEST_CASE("what looks a little like a file of ours is none") {
    CHECK_FALSE(is_own_output(""));
    CHECK_FALSE(is_own_output("<?xml version=\"1.0\"?>\n<suite model=\"m.scm\"/>"));
    CHECK_FALSE(is_own_output("<suite xmlns=\"urn:espalier:suite:1\" model=\"by-hand.scm\"/>"));
    CHECK_FALSE(is_own_output("{\n  \"model\": \"m.scm\"\n}"));
    CHECK_FALSE(is_own_output("<?xml version=\"1.0\" encoding=\"utf-8\"?><testsuites><testsuite name=\"pytest\"/>"));
    CHECK_FALSE(is_own_output("digraph g {\n}"));
    CHECK_FALSE(is_own_output("// Tests for the parser\nint main() {}"));
    CHECK(is_own_output("digraph espalier {\n}"));
}
