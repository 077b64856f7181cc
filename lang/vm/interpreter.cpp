// The public face of the interpreter: everything is in the scheduler and its runner.
#include "lang/vm/interpreter.hpp"

#include "lang/values/channel.hpp"
#include "lang/vm/scheduler.hpp"

namespace espalier {

using vm::SharedCode;

CompiledProgram::CompiledProgram(const Program& program)
    : code_(std::make_unique<SharedCode>(program, SharedCode::Runs::many, SharedCode::Tracing{})) {}
CompiledProgram::~CompiledProgram() = default;
uint64_t CompiledProgram::translations() const { return code_->translations(); }

struct Interpreter::Impl {
    Impl(std::unique_ptr<SharedCode> code, Listener& listener, const InterpreterOptions& options)
        : own(std::move(code)), scheduler(*own, listener, options) {}
    Impl(SharedCode& code, Listener& listener, const InterpreterOptions& options)
        : scheduler(code, listener, options) {}

    std::unique_ptr<SharedCode> own; // unless it is shared
    vm::Scheduler scheduler;
};

Interpreter::Interpreter(const Program& program, Listener& listener, InterpreterOptions options)
    : impl_(std::make_unique<Impl>(
          std::make_unique<SharedCode>(program, SharedCode::Runs::one,
                                       SharedCode::Tracing{options.follow, options.trace_assignments}),
          listener, options)) {}
Interpreter::Interpreter(CompiledProgram& program, Listener& listener, InterpreterOptions options)
    : impl_(std::make_unique<Impl>(*program.code_, listener, options)) {}
Interpreter::~Interpreter() = default;

Status Interpreter::start() { return impl_->scheduler.start(); }
Status Interpreter::deliver(PortId port, Value message) { return impl_->scheduler.deliver(port, message); }
Status Interpreter::pass_time() { return impl_->scheduler.pass_time(std::nullopt); }
Status Interpreter::pass_time(const Units& units) { return impl_->scheduler.pass_time(units.in(heap())); }
Units Interpreter::time_left_to_pass() const { return Units(impl_->scheduler.time_left_to_pass()); }
std::vector<Offer> Interpreter::offers() const { return impl_->scheduler.offers(); }
const std::optional<ModelError>& Interpreter::error() const { return impl_->scheduler.error(); }
Units Interpreter::now() const { return Units(impl_->scheduler.now()); }
uint64_t Interpreter::steps() const { return impl_->scheduler.runner().steps(); }
Heap& Interpreter::heap() { return impl_->scheduler.runner().heap; }
std::string Interpreter::name(Value object) const {
    const vm::Runner& runner = impl_->scheduler.runner();
    for (uint32_t g = 0; g < runner.program.globals.size(); ++g)
        if (runner.global(GlobalId{g}) == object) return std::string(name_of(runner.program.globals[g].name));
    if (is_type(object, ObjectType::timer)) return "timer " + std::to_string(as_timer(object).id);
    if (is_type(object, ObjectType::channel)) return "channel " + std::to_string(as_channel(object).id);
    return "after";
}
const std::string& Interpreter::refusal() const { return impl_->scheduler.refusal(); }
std::optional<Value> Interpreter::fresh_value(uint32_t number) const {
    const std::vector<Value>& made = impl_->scheduler.runner().fresh_values;
    if (number == 0 || number > made.size()) return std::nullopt;
    return made[number - 1];
}
std::optional<Value> Interpreter::result() const { return impl_->scheduler.result(); }

} // namespace espalier
