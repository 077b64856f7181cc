// Which clauses of a select can take a message: found by the message's name, not by asking one clause after the other.
//
// A select may have thousands of clauses. Mostly they take from one port, and each takes messages of one type. So the
// clauses are put together by their source, where the text alone says that it is the same, and those of one source are
// listed by the type that they take, and by the literal that its pattern begins with. Sources are then looked at
// instead of clauses, and the candidates for a message are found by a search in a list. All of it is a side table of
// the program, made once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "lang/ir/ir.hpp"

namespace espalier {

// The clauses of one select. They are numbered within it, in source order.
class ClauseIndex {
public:
    static constexpr uint32_t none = UINT32_MAX;

    ClauseIndex(const Program& program, const terminator::Select& select, std::span<const uint64_t> origins);

    uint32_t clause_count() const { return static_cast<uint32_t>(source_of_.size()); }
    // Sources, in the order of their first clauses. A clause for a timer, an `after` or the `else` has one of its own.
    uint32_t source_count() const { return static_cast<uint32_t>(sources_.size()); }
    uint32_t source_of(uint32_t clause) const { return source_of_[clause]; }
    uint32_t first_of(uint32_t source) const { return clauses_of(source).front(); }
    std::span<const uint32_t> clauses_of(uint32_t source) const {
        return {by_source_.data() + sources_[source].first, sources_[source].count};
    }
    uint32_t other() const { return other_; } // the `else`, or none
    // Clauses without those for which an earlier one takes the same type from the same source.
    std::span<const uint32_t> distinct() const { return distinct_; }

    // From the given clause on, the first that takes from the source; or none.
    uint32_t next_of(uint32_t source, uint32_t from) const;
    // The same of those that may take such a message, or, without one, something that is no message. Whether a clause
    // for bare values takes it is left open.
    uint32_t next_for(uint32_t source, std::optional<MessageId> message, uint32_t from) const;
    // The same of a message whose fields are known. Clauses that surely refuse it, because the first thing that their
    // test does is to compare a field with another literal, are passed over.
    uint32_t next_for(uint32_t source, const Message& message, uint32_t from) const;

private:
    struct Source {
        uint32_t first = 0, count = 0;             // in by_source_
        uint32_t first_named = 0, named_count = 0; // in named_
        uint32_t first_loose = 0, loose_count = 0; // in loose_
    };
    struct Named {
        MessageId message;
        uint32_t clause;
    };
    // Which list a clause for one type of message is in: that of its first literal, or of no literal.
    struct Key {
        uint32_t source;
        MessageId message;
        uint32_t field; // none: no literal
        uint64_t literal;
        auto parts() const { return std::tie(source, message, field, literal); }
        friend bool operator==(const Key& a, const Key& b) { return a.parts() == b.parts(); }
        friend bool operator<(const Key& a, const Key& b) { return a.parts() < b.parts(); }
    };
    struct Listed {
        Key key;
        uint32_t clause;
        friend bool operator<(const Listed& a, const Listed& b) {
            return std::tuple(a.key.parts(), a.clause) < std::tuple(b.key.parts(), b.clause);
        }
    };
    uint32_t next_in(const Key& key, uint32_t from) const;
    void find_sources(std::span<const SelectClause> clauses, std::span<const uint64_t> origins);
    void list_takers(std::span<const SelectClause> clauses);
    void list_literals(const Program& program, std::span<const SelectClause> clauses);
    void find_distinct(std::span<const SelectClause> clauses);

    std::vector<Source> sources_;
    std::vector<uint32_t> source_of_; // by clause
    std::vector<uint32_t> by_source_; // the clauses of each source, ascending
    std::vector<Named> named_;    // of each source: its clauses for one type of message, by that type, then ascending
    std::vector<uint32_t> loose_; // of each source: its other clauses, ascending
    std::vector<Listed> listed_;  // clauses for one type of message, ascending
    std::vector<Key> fields_;     // in which some pattern has its first literal; ascending, the literals left out
    std::vector<uint32_t> distinct_;
    uint32_t other_ = none;
};

// The selects of a program.
class Selects {
public:
    explicit Selects(const Program& program);
    const ClauseIndex& of(const terminator::Select& select) const { return at(select.first); }
    const ClauseIndex& at(uint32_t first_clause) const { return indexes_[number_[first_clause]]; }
    bool carries_in(PortId port, MessageId message) const;

private:
    std::vector<ClauseIndex> indexes_;
    std::vector<uint32_t> number_;           // by a select's first clause
    std::vector<std::vector<MessageId>> in_; // by port: what it carries in, ascending
};

} // namespace espalier
