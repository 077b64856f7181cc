#include "lang/expand/records.hpp"

#include <algorithm>

#include "lang/expand/expansion.hpp"

namespace espalier {

namespace {
constexpr const char* shape =
    "its shape is (define-record-type name (constructor field ...) predicate (field accessor modifier) ...)";
}

void Records::define(DatumId d, Scope* scope) {
    const auto parts = reports_.list(d, "a definition");
    if (!parts) return;
    if (parts->size() < 4 || !syntax_.is_identifier((*parts)[1])) {
        reports_.fail(d, "malformed `define-record-type`", shape);
        return;
    }
    const DatumId name = (*parts)[1];
    Definition def{RecordId{static_cast<uint32_t>(program_.records.size())}, name, scope, {}};
    if (!parse_fields(std::span(*parts).subspan(4), def)) return;
    RecordDef record{syntax_.base_name(name), syntax_.span(name), {}};
    for (const Field& f : def.fields) record.fields.push_back(syntax_.base_name(f.name));
    program_.records.push_back(std::move(record));
    if (scope != names_.user()) local_.insert(index(def.id));
    if (!define_constructor(def, (*parts)[2])) return;
    define_predicate(def, (*parts)[3]);
    for (uint32_t i = 0; i < def.fields.size(); ++i) {
        const std::vector<DatumId>& spec = def.fields[i].spec;
        if (spec.size() > 1) add(def, spec[1], Operator::Kind::record_ref, 1, i);
        if (spec.size() > 2) add(def, spec[2], Operator::Kind::record_set, 2, i);
    }
    // The type's own name is a value only for the printer; it may not clash with a variable.
    if (scope->find(syntax_.ident(name)) == nullptr)
        names_.declare(name, scope, names_.add(Value::symbol(syntax_.base_name(name))));
}

bool Records::parse_fields(std::span<const DatumId> specs, Definition& def) {
    for (const DatumId d : specs) {
        auto spec = syntax_.is_identifier(d) ? std::optional(std::vector<DatumId>{d}) : syntax_.elements(d);
        if (!spec || spec->empty() || spec->size() > 3) {
            reports_.fail(d, "malformed field of a record",
                          "its shape is (field accessor) or (field accessor modifier)");
            return false;
        }
        for (DatumId s : *spec) {
            if (syntax_.is_identifier(s)) continue;
            reports_.fail(s, "expected a name, found `" + syntax_.show(s) + "`", shape);
            return false;
        }
        const DatumId name = (*spec)[0];
        if (std::any_of(def.fields.begin(), def.fields.end(),
                        [&](const Field& f) { return syntax_.base_name(f.name) == syntax_.base_name(name); })) {
            reports_.fail(name, "the field `" + syntax_.show(name) + "` appears twice");
            return false;
        }
        def.fields.push_back({name, std::move(*spec)});
    }
    return true;
}

bool Records::define_constructor(const Definition& def, DatumId constructor) {
    std::vector<uint32_t> order;
    if (data_.is_pair(constructor)) {
        const auto names = reports_.list(constructor, "a constructor");
        if (!names) return false;
        for (size_t i = 0; i < names->size(); ++i) {
            const DatumId name = (*names)[i];
            if (!syntax_.is_identifier(name)) {
                reports_.fail(name, "expected a name, found `" + syntax_.show(name) + "`", shape);
                return false;
            }
            if (i == 0) continue;
            const auto field = field_index(def, name);
            if (!field) return false;
            order.push_back(*field);
        }
        add(def, (*names)[0], Operator::Kind::make_record, static_cast<int>(order.size()), 0, order);
    } else if (syntax_.is_identifier(constructor)) {
        for (uint32_t i = 0; i < def.fields.size(); ++i) order.push_back(i);
        add(def, constructor, Operator::Kind::make_record, static_cast<int>(order.size()), 0, order);
    } else if (!is_false(constructor)) {
        reports_.fail(constructor, "malformed constructor", shape);
    }
    return true;
}

void Records::define_predicate(const Definition& def, DatumId predicate) {
    if (syntax_.is_identifier(predicate)) {
        add(def, predicate, Operator::Kind::record_is, 1, 0);
    } else if (!is_false(predicate)) {
        reports_.fail(predicate, "malformed predicate", shape);
    }
}

std::optional<uint32_t> Records::field_index(const Definition& def, DatumId name) {
    for (uint32_t i = 0; i < def.fields.size(); ++i) {
        if (syntax_.ident(def.fields[i].name) == syntax_.ident(name)) return i;
    }
    reports_.fail(name, "`" + syntax_.show(name) + "` is not a field of the record `" + syntax_.show(def.name) + "`");
    return std::nullopt;
}

void Records::add(const Definition& def, DatumId name, Operator::Kind kind, int arity, uint32_t field,
                  std::vector<uint32_t> order) {
    Operator op{kind, syntax_.base_name(name), arity, Prim{}, index(def.id), field, std::move(order)};
    op.span = syntax_.span(name);
    names_.declare(name, def.scope, names_.add(std::move(op)));
}

} // namespace espalier
