// What the analysis must prove, and what it must not: each model with the checkpoints that no run reaches.
#include "tests/flowanalysis/analysed.hpp"

using namespace espalier;

TEST_CASE("the implicit else behind an assertion on the type of a message") { // Lahola 2010, figure 6.4
    const std::string database = R"(
        (define-message Msg1 (a int))
        (define-message Msg2 (b int))
        (define-message Msg3)
        (define-port user in Msg1 Msg2 Msg3)
        (define-channel requests)
        (define (database)
          (let ((msg (receive requests)))
            (assert (or (Msg1? msg) (Msg2? msg)))
            (cond ((Msg1? msg) (checkpoint one))
                  ((Msg2? msg) (checkpoint two))
                  (else (checkpoint implicit)))
            (database)))
        (spawn-service (database))
        (define (server)
          (let ((m (read user))) (send requests m) (server)))
        (server))";
    CHECK(unreachable(database) == Names{"implicit"});
}

TEST_CASE("assertions through and, not and nested conditions") {
    CHECK(unreachable(R"(
        (define-type colour (enum red green blue))
        (define c (read colour))
        (define n (read int))
        (assume (and (not (eq? c 'red)) (> n 3)))
        (if (eq? c 'red) (checkpoint red))
        (if (< n 4) (checkpoint small))
        (if (= n 4) (checkpoint four))
        (let ((ok (or (eq? c 'green) (> n 10))))
          (if ok (checkpoint ok) (if (eq? c 'green) (checkpoint green))))
    )") == Names{"red", "small", "green"});
}

TEST_CASE("a machine's states are told apart") {
    CHECK(unreachable(R"(
        (define-message Go (n (int 0 9)))
        (define-message Stop)
        (define-port user in Go Stop)
        (define-machine (light count)
          (state red
            (on (user (Go n)) (where (> n 4)) -> green)
            (on (user (Go n)) (where (> n 9)) (checkpoint never)))
          (state green
            (entry (checkpoint green))
            (on (user Stop) -> red)
            (on (user (Go n)) (if (> n 12) (-> broken))))
          (state broken (entry (checkpoint broken)) (final 1)))
        (light 0)
        (checkpoint after)
    )") == Names{"never", "light/red#2", "light/green#2", "broken", "light/broken", "after"});
}

TEST_CASE("a state machine written by hand") {
    SUBCASE("the state is a parameter") {
        CHECK(unreachable(R"(
            (define (run state)
              (case state
                ((idle) (read int) (run 'busy))
                ((busy) (checkpoint busy) (if (> (read int) 0) (run 'idle) (run 'busy)))
                ((broken) (checkpoint broken) (run 'idle))
                (else (checkpoint unknown))))
            (run 'idle)
        )") == Names{"broken", "unknown"});
    }
    SUBCASE("the state is a variable") {
        CHECK(unreachable(R"(
            (define state 'idle)
            (define (run)
              (let ((n (read int)))
                (cond ((eq? state 'idle) (if (> n 0) (set! state 'busy)))
                      ((eq? state 'busy) (checkpoint busy) (set! state 'idle))
                      ((eq? state 'broken) (checkpoint broken))
                      (else (checkpoint unknown)))
                (run)))
            (run)
        )") == Names{"broken", "unknown"});
    }
    SUBCASE("the state is a number") {
        CHECK(unreachable(R"(
            (define (run state)
              (let ((n (read int)))
                (cond ((= state 0) (run 1))
                      ((= state 1) (checkpoint one) (run (if (> n 0) 2 0)))
                      ((= state 2) (checkpoint two) (run 0))
                      (else (checkpoint unknown)))))
            (run 0)
        )") == Names{"unknown"});
    }
}

TEST_CASE("a type of message that is never sent leaves no branch") {
    CHECK(unreachable(R"(
        (define-message Open (n int))
        (define-message Close)
        (define-message Reset)
        (define-port user in Open Close)
        (define-channel c)
        (spawn-service
          (let serve ()
            (select ((c (Open n)) (checkpoint open) (serve))
                    ((c Close) (checkpoint close) (serve))
                    ((c Reset) (checkpoint reset) (serve))
                    (else (checkpoint other) (serve)))))
        (let relay ()
          (select ((user Open as m) (send c m) (relay))
                  ((user Close) (send c (Close)) (relay))))
    )") == Names{"reset", "other"});
}

TEST_CASE("what an earlier clause always takes, a later one never sees") {
    CHECK(unreachable(R"(
        (define-message A (n int))
        (define-message B)
        (define-port user in A B)
        (let loop ()
          (select ((user (A n)) (where (> n 0)) (checkpoint positive) (loop))
                  ((user (A n)) (checkpoint others) (loop))
                  ((user (A n)) (checkpoint never) (loop))
                  ((user any as m) (if (A? m) (checkpoint a) (checkpoint b)) (loop))))
    )") == Names{"never", "a"});
}

TEST_CASE("a timer that is never started") {
    CHECK(unreachable(R"(
        (define-timer t1)
        (define-timer t2)
        (start t1 10)
        (select ((timeout t1) (checkpoint first))
                ((timeout t2) (checkpoint second)))
    )") == Names{"second"});
}

TEST_CASE("the same library procedure in two places mixes neither callbacks nor lists") {
    CHECK(unreachable(R"(
        (define left (map (lambda (n) (checkpoint left) 'left) (list 1 2)))
        (define right (map (lambda (n) (checkpoint right) 'right) (list 3 4)))
        (if (eq? (car left) 'right) (checkpoint mixed))
        (for-each (lambda (each) (if (eq? each 'left) (checkpoint wrong))) right)
        (if (memq 'left right) (checkpoint found))
        (define sum (fold-left (lambda (total n) (+ total n)) 0 (list 1 2 3)))
        (if (symbol? sum) (checkpoint symbol))
    )") == Names{"mixed", "wrong", "found", "symbol"});
}

TEST_CASE("messages, records, pairs and values keep what was put into them") {
    CHECK(unreachable(R"(
        (define-message Pair (a int) (b (enum x y)))
        (define-record-type point (make-point x y) point? (x point-x set-point-x!) (y point-y))
        (define m (Pair 1 'x))
        (if (eq? (Pair-b m) 'y) (checkpoint y))
        (define p (make-point 1 2))
        (if (= (point-x p) 2) (checkpoint two))
        (define l (list 'a 'b))
        (if (eq? (car l) 'b) (checkpoint second))
        (let-values (((q r) (values 'one 'two)))
          (if (eq? q 'two) (checkpoint swapped)))
        (define f (case-lambda ((a) (checkpoint one) a) ((a b) (checkpoint both) b) ((a b . c) (checkpoint many) c)))
        (f 1)
        (apply f (list 1 2))
    )") == Names{"y", "two", "second", "swapped", "many"});
}

// ── What must stay ──

TEST_CASE("what is known of a variable ends where a call may assign it") {
    CHECK(unreachable(R"(
        (define s 'idle)
        (define (go!) (set! s 'busy))
        (define (run n)
          (if (eq? s 'idle)
              (begin
                (if (> n 0) (go!))
                (if (eq? s 'idle) (checkpoint idle) (checkpoint busy)))
              (checkpoint gone))
          (run (read int)))
        (run (read int))
    )") == Names{});
    CHECK(unreachable(R"(
        (let ((s 'idle) (n (read int)))
          (define (go!) (set! s 'busy))
          (if (eq? s 'idle)
              (begin (if (> n 0) (go!)) (if (eq? s 'idle) (checkpoint idle) (checkpoint busy)))))
    )") == Names{});
}

TEST_CASE("what is known of a variable ends where another thread may assign it") {
    CHECK(unreachable(R"(
        (define s 'idle)
        (define-channel c)
        (spawn (receive c) (set! s 'busy))
        (if (eq? s 'idle)
            (begin (send c 1) (read int) (if (eq? s 'idle) (checkpoint idle) (checkpoint busy))))
    )") == Names{}); // the analysis keeps `idle`: the order of threads is not its business
}

TEST_CASE("a box belongs to an activation, not to its abstract cell") {
    CHECK(unreachable(R"(
        (define (make) (let ((n 0)) (lambda (k) (if (= k 0) n (begin (set! n k) n)))))
        (define (test a b)
          (a 5)
          (if (= (a 0) 5) (checkpoint a) (checkpoint not-a))
          (if (= (b 0) 5) (checkpoint b) (checkpoint not-b)))
        (define one (make))
        (test one (make))
        (test one one)
    )") == Names{});
    CHECK(unreachable(R"(
        (define-record-type cell (make-cell v) cell? (v cell-v set-cell-v!))
        (define (test a b)
          (set-cell-v! a 1)
          (set-cell-v! b 2)
          (if (= (cell-v a) 1) (checkpoint kept) (checkpoint overwritten)))
        (define (new) (make-cell 0))
        (define c (new))
        (test c c)
        (test c (new))
    )") == Names{});
}

TEST_CASE("between two integers there may be a rational") {
    CHECK(unreachable(R"(
        (define (between x) (if (> x 0) (if (< x 1) (checkpoint inside))))
        (between (/ 1 2))
        (define (none x) (if (> x 0) (if (< x 1) (checkpoint never))))
        (none (read int))
    )") == Names{"never"});
}

TEST_CASE("equal values that are not the same object") {
    CHECK(unreachable(R"(
        (define-message M (n int))
        (define a (M 1))
        (define b (M (read int)))
        (if (equal? a b) (checkpoint equal) (checkpoint different))
        (if (eq? a b) (checkpoint same))
        (if (equal? (list 1 2) '(1 2)) (checkpoint lists))
        (define s (if (> (read int) 0) "x" "y"))
        (if (string=? s "y") (checkpoint y) (if (string=? s "x") (checkpoint x) (checkpoint neither)))
    )") == Names{"same", "neither"});
}

TEST_CASE("loops over numbers, vectors and tables") {
    CHECK(unreachable(R"(
        (define v (make-vector 3 'none))
        (define t (make-hash-table))
        (do ((i 0 (+ i 1))) ((= i 3))
          (vector-set! v i (if (> (read int) 0) 'some 'none))
          (hash-table-set! t i 'value)
          (if (> i 100) (checkpoint far))
          (if (< i 0) (checkpoint negative)))
        (if (eq? (vector-ref v 0) 'some) (checkpoint some))
        (if (eq? (vector-ref v 0) 'other) (checkpoint other))
        (if (eq? (hash-table-ref/default t 7 'absent) 'absent) (checkpoint absent))
        (if (eq? (hash-table-ref/default t 0 'absent) 'strange) (checkpoint strange))
    )") == Names{"far", "negative", "other", "strange"});
}

TEST_CASE("what the environment chooses, and fresh values") {
    CHECK(unreachable(R"(
        (define-message Id (n int))
        (define-port user in Id)
        (define tag (fresh int))
        (choose (checkpoint lost) (checkpoint kept))
        (let ((m (read user)))
          (if (equal? (Id-n m) tag) (checkpoint same) (checkpoint different)))
        (if (symbol? 'x) #f (checkpoint never))
    )") == Names{"never"});
}

TEST_CASE("a literal nested deeper than the stack") {
    const std::string open(90000, '('), close(90000, ')');
    CHECK(unreachable("(define x '" + open + "1" + close + ")\n(if (pair? x) (checkpoint pair) (checkpoint none))") ==
          Names{"none"});
}

TEST_CASE("what is marked on the way to a refusal counts only where another clause or thread takes the message") {
    const auto never = [](const std::string& other, const std::string& before = "") {
        Model model = compiled("(define-message A (n (int 0 9))) (define-message B)"
                               "(define-port p in A B) (define-port q in A)" +
                               before +
                               "(define (loop)"
                               "  (select ((p (A k)) (where (> k 5)) 1) ((p B) 2)" +
                               other + ") (loop)) (loop)");
        model.program = instrument(*model.program, Criteria::standard());
        const Flow flow = analyse(*model.program);
        for (uint32_t seed = 0; seed < 20; ++seed)
            if (const auto failure = walk(*model.program, flow, seed)) FAIL(*failure);
        return names(*model.program, flow.unreachable_targets());
    };
    const Names small{"loop#1:else"};
    CHECK(never("") == small);
    CHECK(never("((q (A _)) 3)") == small);
    // Another clause, one for anything, one for a port that the text does not name, and another thread.
    CHECK(never("((p (A k)) (where (< k 3)) 3)") == Names{"loop#2:else"});
    CHECK(never("((p any) 3)") == Names{});
    CHECK(never("((q any) 3)") == small); // which is at another port
    CHECK(never("(((if (= 1 (read (int 0 1))) p q) (A _)) 3)") == Names{});
    CHECK(never("", "(define (aside) (select ((p (A _)) 1)) (aside)) (spawn (aside))") == Names{});
}

TEST_CASE("what one pattern has let pass, a pattern for another constant does not take") {
    const auto never = [](const std::string& others) {
        Model model = compiled("(define-message Go (to (enum left right)) (n (int 0 3)))"
                               "(define-port p in Go)"
                               "(define (loop k)"
                               "  (select ((p (Go 'left n)) (where (> n k)) 1)" +
                               others + ") (loop 1)) (loop 0)");
        model.program = instrument(*model.program, Criteria::standard());
        const Flow flow = analyse(*model.program);
        for (uint32_t seed = 0; seed < 20; ++seed)
            if (const auto failure = walk(*model.program, flow, seed)) FAIL(*failure);
        return names(*model.program, flow.unreachable_targets());
    };
    const Names small{"loop#1:else"};
    CHECK(never("((p (Go 'right n)) 2)") == small);
    CHECK(never("((p (Go 'right n)) (where (< n k)) 2)") == Names{"loop#1:else", "loop#2:else"});
    CHECK(never("((p (Go 'left n)) 2)") == Names{});
    CHECK(never("((p (Go to n)) 2)") == Names{});
    CHECK(never("((p (Go to 3)) 2)") == Names{});
    // Where a clause accepts in two ways, it may take either.
    CHECK(never("((p (Go to n)) (where (or (eqv? to 'right) (= n 0))) 2)") == Names{"loop#2:else"});
}

TEST_CASE("calls are told apart, but not those that may go to very many procedures") {
    const auto with_table_of = [](int n) {
        std::string text, table;
        for (int i = 0; i < n; ++i) {
            text += "(define (h" + std::to_string(i) + " x) x)\n";
            table += " h" + std::to_string(i);
        }
        return text + "(define tab (vector" + table + "))\n" + "(define n (read (int 0 " + std::to_string(n - 1) +
               R"()))
            (define one ((vector-ref tab n) 'one))
            (define two ((vector-ref tab n) 'two))
            (if (eq? one 'two) (checkpoint mixed))
            (if (eq? (h0 'three) 'two) (checkpoint mixed-by-name))
            (if (eq? one 'three) (checkpoint from-the-call-by-name)))";
    };
    CHECK(unreachable(with_table_of(16)) == Names{"mixed", "mixed-by-name", "from-the-call-by-name"});
    CHECK(unreachable(with_table_of(17)) == Names{"mixed-by-name", "from-the-call-by-name"});
}
