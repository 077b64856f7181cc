// The pipeline: read, expand, check, lower.
#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <new>

#include "lang/expand/check.hpp"
#include "lang/expand/expander.hpp"
#include "lang/expand/prelude.hpp"
#include "lang/lang.hpp"
#include "lang/lower/lower.hpp"

namespace espalier {

namespace {

// What a level of nesting takes of the stack, at most, in all passes: measured on every form, with room to spare.
#if defined(__SANITIZE_ADDRESS__) || !defined(NDEBUG)
constexpr size_t stack_of_level = size_t{96} << 10;
#else
constexpr size_t stack_of_level = size_t{24} << 10;
#endif

// Starts a thread with a stack of so many bytes, and waits for it. False where there is no such thread.
bool on_stack_of(size_t bytes, const std::function<void()>& work) {
    struct Job {
        const std::function<void()>& work;
        std::exception_ptr failure;
    } job{work, nullptr};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, bytes);
    pthread_t thread;
    const int failed = pthread_create(
        &thread, &attributes,
        [](void* p) -> void* {
            auto* j = static_cast<Job*>(p);
            try {
                j->work();
            } catch (...) {
                j->failure = std::current_exception();
            }
            return nullptr;
        },
        &job);
    pthread_attr_destroy(&attributes);
    if (failed != 0) return false;
    pthread_join(thread, nullptr);
    if (job.failure) std::rethrow_exception(job.failure);
    return true;
}

// Trees are walked recursively up to the expander's limit on nesting, which a thread's ordinary stack would not bear.
// The memory is reserved, not used, until it is needed. Where there is not that much (`ulimit -v`), less must do, for
// less nesting.
constexpr uint32_t most_levels = 10'000;
void on_deep_stack(const std::function<void(uint32_t levels)>& work) {
    size_t bytes = size_t{1} << 30;
    uint32_t levels = most_levels;
    while (!on_stack_of(bytes, [&] { work(levels); })) {
        bytes /= 4;
        levels = static_cast<uint32_t>(std::min<size_t>(most_levels, bytes / stack_of_level));
        if (levels < 100) throw std::bad_alloc();
    }
}

void compile_into(Model& model, const std::string& path, std::string text, const ReadFile& read,
                  const CompileOptions& options, uint32_t levels) {
    Data data;
    const FileId main = model.sources.add(path, std::move(text));
    const std::vector<DatumId> forms = read_data(model.sources, main, data, model.diagnostics);
    if (options.dump) {
        for (DatumId d : forms) model.read_dump += print_datum(data, d) + "\n";
    }
    std::unordered_map<std::string, FileId> files{{std::filesystem::path(path).lexically_normal().string(), main}};
    auto load = [&](std::string_view relative, FileId from) -> std::optional<FileId> {
        const std::filesystem::path base = std::filesystem::path(model.sources.path(from)).parent_path();
        const std::string full = (base / relative).lexically_normal().string();
        if (auto it = files.find(full); it != files.end()) return it->second;
        auto content = read(full);
        if (!content) return std::nullopt;
        const FileId id = model.sources.add(full, std::move(*content));
        files.emplace(full, id);
        return id;
    };
    Expander expander(model.sources, data, model.diagnostics, load, {levels, options.stop});
    if (options.prelude) {
        Diagnostics own;
        const FileId file = model.sources.add("<prelude>", std::string(prelude_text));
        const std::vector<DatumId> prelude = read_data(model.sources, file, data, own);
        expander.expand_prelude(prelude);
        if (own.has_errors())
            throw std::logic_error("the prelude cannot be read: " + render(model.sources, own.all()[0]));
        if (model.diagnostics.has_errors()) {
            for (const Diagnostic& d : model.diagnostics.all()) {
                if (d.span.file == file)
                    throw std::logic_error("the prelude does not compile: " + render(model.sources, d));
            }
        }
    }
    expander.expand_model(forms);
    CoreProgram core = expander.take();
    if (options.dump) model.expand_dump = print_core(core, options.dump_prelude);
    check(core, model.sources, model.diagnostics);
    model.diagnostics.sort(model.sources);
    if (!model.diagnostics.has_errors()) model.program = lower(std::move(core));
}

} // namespace

Model compile_model(const std::string& path, const ReadFile& read, const CompileOptions& options) {
    Model model;
    auto text = read(path);
    if (!text) {
        model.diagnostics.error({}, "cannot read `" + path + "`" +
                                        (errno == 0 ? std::string() : std::string(": ") + std::strerror(errno)));
        return model;
    }
    on_deep_stack([&](uint32_t levels) { compile_into(model, path, std::move(*text), read, options, levels); });
    return model;
}

namespace {
constexpr size_t most_of_stream = size_t{256} << 20; // of what is no regular file
}

std::optional<std::string> read_file(const std::string& path) {
    errno = 0;
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        errno = EISDIR;
        return std::nullopt;
    }
    std::ifstream in(path, std::ios::binary);
    if (!in) return std::nullopt;
    const bool is_endless = !std::filesystem::is_regular_file(path, error); // perhaps: a device, a pipe
    std::string text;
    char buffer[1 << 16];
    while (in.read(buffer, sizeof buffer) || in.gcount() > 0) {
        text.append(buffer, static_cast<size_t>(in.gcount()));
        if (is_endless && text.size() > most_of_stream) {
            errno = EFBIG;
            return std::nullopt;
        }
    }
    if (in.bad()) return std::nullopt;
    return text;
}

Model load_model(const std::string& path, const CompileOptions& options) {
    // Only regular files are included: a model that names a device is no model to wait for.
    const auto read = [&](const std::string& file) -> std::optional<std::string> {
        std::error_code error;
        if (file != path && !std::filesystem::is_regular_file(file, error)) return std::nullopt;
        return read_file(file);
    };
    return compile_model(path, read, options);
}

Model compile_text(std::string text, const CompileOptions& options) {
    return compile_model(
        "model.scm",
        [&](const std::string& path) -> std::optional<std::string> {
            if (path != "model.scm") return std::nullopt;
            return text;
        },
        options);
}

} // namespace espalier
