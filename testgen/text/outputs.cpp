#include "testgen/text/outputs.hpp"

#include <fstream>

#include "testgen/text/escapes.hpp"
#include "testgen/text/file_identity.hpp"
#include "testgen/text/write_file.hpp"

namespace espalier {

namespace {

std::string quoted(const std::string& path) { return "`" + printable(path) + "`"; }

std::string as(const std::string& path, const std::string& other) {
    return path == other ? "" : ", which is " + quoted(other) + ",";
}

bool same_file(const std::string& one, const std::string& other) {
    const auto identity = identity_of(one);
    return identity && identity == identity_of(other);
}

std::string beginning_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::string text(beginning_read, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<size_t>(in.gcount()));
    return text;
}

// Something is there already that would be lost.
bool is_of_another(const std::string& path, const std::function<bool(std::string_view)>& recognised) {
    if (own_descriptor(path) || !is_regular(path)) return false;
    const std::string text = beginning_of(path);
    return !text.empty() && !is_own_output(text) && !(recognised && recognised(text));
}

} // namespace

std::string problem_with(const OutputFiles& files) {
    for (size_t i = 0; i < files.written.size(); ++i) {
        const std::string& file = files.written[i];
        if (file.empty()) continue;
        bool updates = false;
        for (const std::string& read : files.read) {
            if (read.empty() || is_character_device(file) || !same_file(file, read)) continue;
            if (i != 0 || read != files.updated)
                return quoted(file) + as(file, read) + " is read from, and would be lost";
            updates = true;
        }
        for (size_t j = 0; j < i; ++j)
            if (!files.written[j].empty() && !is_character_device(file) && same_file(file, files.written[j]))
                return quoted(file) + as(file, files.written[j]) + " cannot be written twice";
        if (std::string problem = check_writable(file); !problem.empty()) return problem;
        if (!files.force && !updates && is_of_another(file, i == 0 ? files.recognised : nullptr))
            return quoted(file) + " is there already, and espalier has not written it: --force overwrites it";
    }
    return {};
}

} // namespace espalier
