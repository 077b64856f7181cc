// One text, read: what the tests of the reader look at.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lang/read/datum.hpp"

struct Reading {
    explicit Reading(std::string text) : file(sources.add("m.scm", std::move(text))) {
        top = espalier::read_data(sources, file, data, diagnostics);
    }

    // All data, printed, with a blank between two.
    std::string printed() const {
        std::string all;
        for (const espalier::DatumId id : top) {
            if (!all.empty()) all += ' ';
            all += espalier::print_datum(data, id);
        }
        return all;
    }
    // "1:2 text" of each error, a line each.
    std::string errors() const {
        std::string all;
        for (const espalier::Diagnostic& error : diagnostics.all()) {
            const espalier::Position at = sources.position(error.span);
            if (!all.empty()) all += '\n';
            all += std::to_string(at.line) + ':' + std::to_string(at.column) + ' ' + error.text;
        }
        return all;
    }
    // The source text of a datum: what its span says.
    std::string_view source(espalier::DatumId id) const { return sources.text(data[id].span); }

    espalier::Sources sources;
    espalier::FileId file;
    espalier::Data data;
    espalier::Diagnostics diagnostics;
    std::vector<espalier::DatumId> top;
};

inline std::string printed(std::string text) {
    const Reading reading(std::move(text));
    return reading.diagnostics.has_errors() ? reading.errors() : reading.printed();
}

inline std::string errors(std::string text) { return Reading(std::move(text)).errors(); }
