// One small model for each thing that the language has; what is reached, and that the interpreter agrees.
#include <doctest/doctest.h>

#include "symexec/symexec.hpp"
#include "tests/symexec/finding.hpp"
#include "tests/symexec/replay.hpp"

using namespace espalier;

namespace {

struct Found {
    Model model;
    Exploration exploration;
    std::set<std::string> covered;
};

Found find(const std::string& text, uint32_t depth = 3, Search search = Search::dfs) {
    Found f{compile_text(text), {}, {}};
    if (!f.model.program) {
        for (const Diagnostic& d : f.model.diagnostics.all()) MESSAGE(render(f.model.sources, d));
        REQUIRE(f.model.program);
    }
    ExploreOptions options;
    options.depth = depth;
    options.search = search;
    options.chain.validate = true;
    f.exploration = explore(*f.model.program, options);
    for (const auto& [reason, count] : f.exploration.unsupported) MESSAGE("unsupported: " << reason);
    for (const FoundError& e : f.exploration.errors) INFO("error: " << e.text);
    CHECK(test::replay_all(*f.model.program, f.exploration) == "");
    f.covered = test::covered_names(*f.model.program, f.exploration);
    return f;
}

using Names = std::set<std::string>;

} // namespace

TEST_CASE("bounded integers, booleans and enums") {
    const Found f = find(R"(
(define-message M (n (int 3 7)) (b bool) (e (enum red green blue)) (c (enum 100 180 200)))
(define-port p in M)
(let ((m (read p)))
  (if (< (M-n m) 3) (checkpoint never1))
  (if (> (M-n m) 7) (checkpoint never2))
  (if (= (M-n m) 7) (checkpoint seven))
  (if (M-b m) (checkpoint yes) (checkpoint no))
  (case (M-e m) ((red) (checkpoint red)) ((blue) (checkpoint blue)) ((black) (checkpoint never3)))
  (if (= (+ 20 (M-c m)) 200) (checkpoint c180))
  (if (= (M-c m) 101) (checkpoint never4)))
)");
    CHECK(f.covered == Names{"seven", "yes", "no", "red", "blue", "c180"});
    CHECK(f.exploration.errors.empty());
}

TEST_CASE("strings: equality and length") {
    const Found f = find(R"(
(define-message M (s string) (t string))
(define-port p in M)
(let* ((m (read p)) (s (M-s m)) (t (M-t m)))
  (cond ((string=? s "alice") (checkpoint alice))
        ((= (string-length s) 3) (checkpoint three) (if (string=? s t) (checkpoint same)))
        ((and (equal? s t) (not (equal? t ""))) (checkpoint equal))
        ((and (string=? s "bob") (> (string-length t) 0)) (checkpoint never))
        (else (checkpoint other))))
)");
    CHECK(f.covered == Names{"alice", "three", "same", "equal", "other"});
}

TEST_CASE("lists, bytes, nested and alternative messages") {
    const Found f = find(R"(
(define-message Inner (k int))
(define-message Other (s string))
(define-message M (l (list-of int 3)) (b (bytes 4)) (i Inner) (o (one-of Inner Other)))
(define-port p in M)
(let ((m (read p)))
  (let loop ((l (M-l m)) (sum 0))
    (if (pair? l) (loop (cdr l) (+ sum (car l)))
        (if (and (= sum 10) (= (length (M-l m)) 3)) (checkpoint ten))))
  (if (= (bytevector-length (M-b m)) 2)
      (if (= (bytevector-u8-ref (M-b m) 1) 200) (begin (bytevector-u8-set! (M-b m) 1 5) (checkpoint byte))))
  (if (= (Inner-k (M-i m)) 5) (checkpoint inner))
  (if (Other? (M-o m)) (begin (checkpoint other) (if (equal? (Other-s (M-o m)) "x") (checkpoint x)))))
)");
    CHECK(f.covered == Names{"ten", "byte", "inner", "other", "x"});
}

TEST_CASE("where of a message, of a clause; literals in patterns") {
    const Found f = find(R"(
(define-message Data (seq int) (len (int 0 100)) (where (> seq (* 2 len))))
(define-message Ack (seq int))
(define-port p in Data Ack)
(let loop ((n 0))
  (select
    ((p (Data s l)) (where (= s 21)) (checkpoint d21) (if (> l 10) (checkpoint never)) (loop n))
    ((p (Data s 7)) (checkpoint len7) (if (< s 15) (checkpoint never2)) (loop n))
    ((p (Ack s)) (where (> s 5)) (if (< s 3) (checkpoint never3)) (checkpoint ack) (loop (+ n 1)))
    ((p Data as d) (if (= (Data-seq d) 21) (checkpoint never4) (checkpoint rest)) (loop n))))
)");
    CHECK(f.covered == Names{"d21", "len7", "ack", "rest"});
}

TEST_CASE("threads and channels") {
    const Found f = find(R"(
(define-message Go (n int))
(define-message Stop)
(define-port p in Go Stop)
(define-channel c)
(define-channel back)
(spawn-service (let loop () (let ((v (receive c))) (checkpoint got) (send back (* v 2)) (loop))))
(define (run)
  (select ((p (Go n)) (send c n)
                      (let ((r (receive back))) (if (= r 14) (checkpoint fourteen)) (if (= r 15) (checkpoint never)))
                      (run))
          ((p Stop) (checkpoint stop))))
(run)
)");
    CHECK(f.covered == Names{"got", "fourteen", "stop"});
    CHECK(f.exploration.errors.empty());
}

TEST_CASE("deadlock is a model error with its inputs") {
    const Found f = find(R"(
(define-message Go (n int))
(define-port p in Go)
(define-channel c)
(let ((m (read p))) (if (= (Go-n m) 42) (receive c)) (checkpoint on))
)");
    CHECK(f.covered == Names{"on"});
    REQUIRE(f.exploration.errors.size() == 1);
    CHECK(f.exploration.errors[0].text.find("deadlock") == 0);
}

TEST_CASE("timers and after") {
    const Found f = find(R"(
(define-message Go)
(define-port p in Go)
(define-timer t1)
(define (run n)
  (start t1 30)
  (select ((p Go) (checkpoint go) (run n))
          ((after 10) (checkpoint after) (if (= n 1) (checkpoint twice) (run (+ n 1))))
          ((timeout t1) (checkpoint never))))
(run 0)
)");
    CHECK(f.covered == Names{"go", "after", "twice"});
}

TEST_CASE("an early timer lets the tester stop halfway") {
    const Found f = find(R"(
(define-message Ping)
(define-port p in Ping)
(define-timer t early)
(start t 10)
(let loop ((pings 0))
  (select ((p Ping) (start t 10) (checkpoint ping) (loop (+ pings 1)))
          ((timeout t) (checkpoint out))))
)");
    CHECK(f.covered == Names{"ping", "out"});
}

TEST_CASE("choose, assume, assert and errors") {
    const Found f = find(R"(
(define-message M (n int))
(define-port p in M)
(define-port q out M)
(let* ((m (read p)) (n (M-n m)))
  (choose (checkpoint lost) (write q m))
  (assume (> n 10))
  (if (< n 11) (checkpoint never))
  (assert (not (= n 77)))
  (if (= n 77) (checkpoint never2))
  (if (= n 50) (error "fifty" n))
  (if (= 0 (quotient 100 (- n 60))) (checkpoint big))
  (checkpoint end))
)");
    CHECK(f.covered == Names{"lost", "big", "end"});
    REQUIRE(f.exploration.errors.size() == 3);
    CHECK(f.exploration.errors[0].text == "fifty an input value");
    CHECK(f.exploration.errors[1].text.find("division by zero") != std::string::npos);
    CHECK(f.exploration.errors[2].text == "assertion failed");
}

TEST_CASE("vectors, records and hash tables with symbolic indices and keys") {
    const Found f = find(R"(
(define-message M (i (int 0 9)) (k (enum a b c)))
(define-port p in M)
(define-record-type point (make-point x y) point? (x point-x set-point-x!) (y point-y))
(define v (vector 10 20 30))
(define t (make-hash-table))
(define pt (make-point 1 2))
(hash-table-set! t 'a 1)
(hash-table-set! t 'b 2)
(hash-table-set! t "s" 3)
(let* ((m (read p)) (i (M-i m)))
  (set-point-x! pt i)
  (if (= (point-x pt) 8) (checkpoint record))
  (let ((r (hash-table-ref/default t (M-k m) 0)))
    (cond ((= r 2) (checkpoint two)) ((= r 0) (checkpoint none)) ((= r 3) (checkpoint never))))
  (hash-table-set! t (M-k m) 9)
  (if (= (hash-table-ref/default t 'c 0) 9) (checkpoint added))
  (assume (< i 3))
  (vector-set! v i 99)
  (if (= (vector-ref v 1) 99) (checkpoint set1))
  (if (equal? v (vector 10 20 99)) (checkpoint set2)))
)");
    CHECK(f.covered == Names{"record", "two", "none", "added", "set1", "set2"});
    CHECK(f.exploration.errors.empty());
}

TEST_CASE("an index out of range is found") {
    const Found f = find(R"(
(define-port p in)
(define v (vector 1 2 3))
(if (= (vector-ref v (read (int 0 3))) 2) (checkpoint two))
(if (= (vector-ref v 0) 2) (checkpoint never))   ; else the search ends before it meets the error
)");
    CHECK(f.covered == Names{"two"});
    CHECK(f.exploration.errors.size() == 1);
}

TEST_CASE("division, remainders and bits") {
    const Found f = find(R"(
(let ((n (read)))
  (if (and (< n 0) (= (quotient n 3) -2) (= (remainder n 3) -1)) (checkpoint minus7))
  (if (and (< n -20) (= (modulo n 10) 3)) (checkpoint mod))
  (if (= (bitwise-and n 255) 18) (if (= (bitwise-xor (bitwise-and n 511) 257) 19) (if (> n 5000) (checkpoint bits))))
  (if (and (even? n) (odd? (quotient n 2)) (> n 100)) (checkpoint even))
  (if (= (bitwise-or n 7) 15) (checkpoint or))
  (if (= (arithmetic-shift n -4) 3) (if (= n 63) (checkpoint shift))))
)");
    CHECK(f.covered == Names{"minus7", "mod", "bits", "even", "or", "shift"});
}

TEST_CASE("higher-order procedures on symbolic values") {
    const Found f = find(R"(
(define-message M (a int) (b int) (c int))
(define-port p in M)
(let* ((m (read p)) (l (list (M-a m) (M-b m) (M-c m))))
  (if (= (apply + (map (lambda (x) (* x x)) (filter positive? l))) 14) (checkpoint squares))
  (if (equal? (reverse l) '(3 2 1)) (checkpoint reversed))
  (if (member 17 l) (checkpoint member))
  (call-with-values (lambda () (values (apply max l) (apply min l)))
    (lambda (hi lo) (if (> (- hi lo) 1000) (checkpoint spread)))))
)");
    CHECK(f.covered == Names{"squares", "reversed", "member", "spread"});
}

TEST_CASE("state machines") {
    const Found f = find(R"(
(define-message Open (n int))
(define-message Close)
(define-port p in Open Close)
(define-machine (door count)
  (state shut
    (on (p (Open n)) (where (> n count)) -> (open n))
    (on (p Close)))
  (state open
    (entry (checkpoint opened))
    (on (p Close) -> shut)
    (after 30 (if (> count 5) (checkpoint late)) -> shut)))
(door 0)
)");
    CHECK(f.covered == Names{"opened", "late"});
    size_t missed = 0;
    for (bool c : f.exploration.covered) missed += c ? 0 : 1;
    CHECK(missed == 0);
}

TEST_CASE("all search orders cover the same here, and each is repeatable") {
    const std::string text = R"(
(define-message M (a int) (b bool))
(define-port p in M)
(let loop ((state 'idle) (n 0))
  (let ((m (read p)))
    (case state
      ((idle) (if (M-b m) (begin (checkpoint busy) (loop 'busy n)) (loop 'idle n)))
      ((busy) (if (= (M-a m) (+ n 5)) (begin (checkpoint five) (loop 'idle (+ n 1))) (loop 'busy n))))))
)";
    for (Search search : {Search::dfs, Search::bfs, Search::random}) {
        const Found a = find(text, 3, search), b = find(text, 3, search);
        CHECK(a.covered == Names{"busy", "five"});
        REQUIRE(a.exploration.tests.size() == b.exploration.tests.size());
        for (size_t i = 0; i < a.exploration.tests.size(); ++i)
            CHECK(to_text(a.exploration.tests[i].signature) == to_text(b.exploration.tests[i].signature));
        CHECK(a.exploration.statistics.vm_steps == b.exploration.statistics.vm_steps);
    }
}

TEST_CASE("fresh values: sent back, or not") {
    const Found f = find(R"(
(define-message Hello)
(define-message Welcome (id int))
(define-message Data (id int) (n int))
(define-port p (in Hello Data) (out Welcome))
(define ids (make-hash-table))
(let loop ()
  (select
    ((p Hello) (let ((id (fresh int))) (hash-table-set! ids id 'known) (write p (Welcome id)) (checkpoint hello) (loop)))
    ((p (Data id n))
     (if (hash-table-contains? ids id)
         (if (= n 3) (begin (checkpoint mine) (if (= id 5) (checkpoint never))))
         (checkpoint stranger))
     (loop))))
)");
    CHECK(f.covered == Names{"hello", "mine", "stranger"});
    bool sent_back = false;
    for (const FoundTest& t : f.exploration.tests)
        for (const TestStep& s : t.steps)
            for (const FreshUse& u : s.fresh)
                sent_back = sent_back || (u.equal && u.fresh == 1 && u.place == std::vector<uint32_t>{0});
    CHECK(sent_back);
}

TEST_CASE("symbolic delays: least, greatest, and zero or less") {
    const Found f = find(R"(
(define-message Set (d (int -5 1000)))
(define-message Stop)
(define-port p in Set Stop)
(let ((d (Set-d (read p))))
  (select ((after d) (if (= d 1) (checkpoint least)) (if (= d 1000) (checkpoint greatest)) (if (= d 7) (checkpoint between)))
          ((p Stop) (checkpoint stop))))
)");
    CHECK(f.covered == Names{"least", "greatest", "stop"});
    REQUIRE(f.exploration.errors.size() == 2); // the other: Stop comes first, and has no field d
    CHECK(f.exploration.errors[0].text == "after: a delay must be positive, and this one is 0");
    CHECK(f.exploration.statistics.delays_left_out > 0);
}

TEST_CASE("what the solver layer cannot express is counted by name") {
    Found f = find(R"(
(define-message M (s string))
(define-port p in M)
(let ((m (read p)))
  (checkpoint before)
  (if (string=? (string-append "a" (M-s m)) "ab") (checkpoint unknown)))
)");
    CHECK(f.covered == Names{"before"});
    CHECK(f.exploration.unsupported.size() == 1);
}

TEST_CASE("a model that loops without input ends by its limit") {
    const Model model = compile_text("(checkpoint a) (let loop ((i 0)) (loop (+ i 1))) (checkpoint b)");
    ExploreOptions options;
    options.quiet_step_limit = 10'000;
    const Exploration found = explore(*model.program, options);
    CHECK(found.covered[0]);
    CHECK(!found.covered[1]);
    CHECK(found.statistics.ended_by_steps == 1);
}

TEST_CASE("a model error is where the author made it") {
    const std::string text = R"(
(define-message W (x int))
(define-port user in W)
(define x (W-x (read user)))
(if (> x 3) (list-ref '(1 2) x))
(if (< x 3) (list-ref '(1 2) 5))
(select ((user W) 1) ((after (- x 3)) 2))
(if #f (checkpoint never))
)";
    const Found f = find(text);
    std::set<std::string> places;
    for (const FoundError& e : f.exploration.errors)
        places.insert(text.substr(e.span.begin, e.span.end - e.span.begin));
    CHECK(places == std::set<std::string>{"(list-ref '(1 2) x)", "(list-ref '(1 2) 5)", "(after (- x 3))"});
}

TEST_CASE("an input that may be #f is looked into where its truth matters") {
    const Found f = find(R"(
(define-message O (o (enum #f 7 "x" sym)) (l (list-of int 2)))
(define-port user in O)
(let loop ()
  (select ((user (O o l)) (where o) (if (and o (not (not l))) (checkpoint true) (checkpoint never)) (loop))
          ((user (O o l)) (checkpoint false) (assume o) (checkpoint never) (loop))))
)");
    CHECK(f.covered == Names{"true", "false"});
}

TEST_CASE("what is not followed has the name that the author wrote") {
    const auto reasons = [](const std::string& text) {
        const Found f = find(text);
        std::string all;
        for (const auto& [why, times] : f.exploration.unsupported) all += why + "; ";
        return all;
    };
    const std::string two = "(define s (read string)) (define t (read string)) ";
    CHECK(reasons(two + "(write (string-append s t)) (checkpoint c)") == "string-append of a symbolic value; ");
    CHECK(reasons(two + "(write (string-append s t s)) (checkpoint c)") == "string-append of a symbolic value; ");
    CHECK(reasons(two + "(write (string<? s t)) (checkpoint c)") == "string<? of a symbolic value; ");
    CHECK(reasons(two + "(write (substring s 0 1)) (checkpoint c)") == "substring of a symbolic value; ");
    CHECK(reasons(two + "(write (string->number s)) (checkpoint c)") == "string->number of a symbolic value; ");
}

TEST_CASE("a greatest common divisor of small inputs is found, or found not to be, without giving up") {
    const Found f = find("(define x (read (int 1 20))) (define y (read (int 1 6)))"
                         "(if (= (gcd x y) 6) (checkpoint six)) (if (= (gcd x y) 7) (checkpoint seven))");
    CHECK(f.exploration.complete);
    CHECK(f.exploration.statistics.sat_unknown == 0);
    CHECK(f.exploration.statistics.answered_by_enumeration > 0);
    CHECK(f.exploration.covered == std::vector<bool>{true, false});
}

TEST_CASE("an enum of strings forks two ways where it is compared, and into its values where its text matters") {
    const std::string start = R"((define-type name (enum "anna" "bert" "carl" "dora"))
        (define-message M (who name)) (define-port p (in M) (out M))
        (define who (M-who (read p))) )";
    const auto searched = [&](const std::string& text) {
        const Found f = find(start + text); // which replays what was found
        CHECK(f.exploration.unsupported.empty());
        CHECK(f.exploration.errors.empty());
        return std::pair(f.covered, f.exploration.statistics.paths);
    };
    CHECK(searched(R"((if (string=? who "dora") (checkpoint dora) (checkpoint other)))") ==
          std::pair(Names{"dora", "other"}, uint64_t{2}));
    CHECK(searched(R"((if (member who '("bert" "carl")) (checkpoint two) (checkpoint others)) (write p (M who)))")
              .first == Names{"two", "others"});
    CHECK(searched(R"((if (equal? who "emil") (checkpoint none)) (if (= (string-length who) 4) (checkpoint four)
                      (checkpoint not)))") == std::pair(Names{"four"}, uint64_t{1}));
    CHECK(searched(R"((if (string=? (string-append who "!") "carl!") (checkpoint carl)))").first == Names{"carl"});
    CHECK(searched(R"((if (char=? (string-ref who 1) #\o) (checkpoint o)))").first == Names{"o"});
    CHECK(searched(R"((define t (make-hash-table)) (hash-table-set! t "bert" 1)
                      (if (hash-table-ref/default t who #f) (checkpoint in) (checkpoint out)))")
              .first == Names{"in", "out"});
    // Of several the first, as for every enum.
    const Found f = find(start + R"((if (string=? who "anna") (checkpoint anna) (checkpoint other)))");
    std::string inputs;
    for (const FoundTest& t : f.exploration.tests) inputs += test::inputs_of(*f.model.program, t);
    CHECK(inputs.find("anna") != std::string::npos);
    CHECK(inputs.find("bert") != std::string::npos);
    CHECK(inputs.find("carl") == std::string::npos);
}

TEST_CASE("an input that was found not to be one fresh value is no other that might be the same") {
    const auto model = [](const std::string& made) {
        return find("(define-message M (id int)) (define-port p (in M) (out M))"
                    "(define a " +
                    made + ") (define b " + made +
                    ") (write p (M a)) (write p (M b)) (define y (M-id (read p)))"
                    "(if (= y b) (checkpoint b) (if (= y a) (checkpoint a) (checkpoint none)))"); // which replays
    };
    CHECK(model("(fresh int)").covered == Names{"a", "b", "none"});
    CHECK(model("(fresh int '())").covered == Names{"b", "none"});
}
