// The desk of desk.scm, played by test ports of Eclipse Titan. The parameter `fault` says what it does wrong; it gives
// its tickets out as 7, 8, 9, …
#ifndef P__client_HH
#define P__client_HH

#include <cstdlib>
#include <string>

#include "Suite_desk.hh"

namespace Suite__desk {

class P__client;
class P__log;

struct Desk {
    std::string fault;
    double unit = 1;
    int next = 7;
    int ticket = -1;
    bool used = false;
    P__client* client = nullptr;
    P__log* log = nullptr;
};
inline Desk& desk() {
    static Desk one;
    return one;
}

class P__log : public P__log_BASE {
public:
    P__log(const char* name = NULL) : P__log_BASE(name) { desk().log = this; }
    void opened(const UNIVERSAL_CHARSTRING& name) {
        M__Opened m;
        m.f__name() = name;
        incoming_message(m);
    }
    void closed() {
        incoming_message(M__Closed(NULL_VALUE));
    }

protected:
    void user_map(const char*, Map_Params&) {}
    void user_unmap(const char*, Map_Params&) {}
    void user_start() {}
    void user_stop() {}
};

class P__client : public P__client_BASE {
public:
    P__client(const char* name = NULL) : P__client_BASE(name) { desk().client = this; }
    void set_parameter(const char* name, const char* value) {
        if (std::string(name) == "fault") desk().fault = value;
        if (std::string(name) == "unit") desk().unit = std::atof(value);
    }

protected:
    void user_map(const char*, Map_Params&) { // each test begins with a desk that is closed
        desk().next = 7;
        desk().ticket = -1;
        desk().used = false;
    }
    void user_unmap(const char*, Map_Params&) { Handler_Set_Timer(0.0); }
    void user_start() {}
    void user_stop() {}

    void Handle_Timeout(double) {
        Handler_Set_Timer(0.0);
        desk().ticket = -1;
        desk().log->closed();
    }

    void outgoing_send(const M__Login& m) {
        const bool again = desk().used;
        const std::string& fault = desk().fault;
        if (fault == "silent") return;
        desk().ticket = fault == "zero" ? 0 : fault == "same" ? 7 : desk().next++;
        M__Ticket t;
        t.f__id() = desk().ticket;
        incoming_message(t);
        if (fault == "twice") incoming_message(t);
        if (again) return;
        UNIVERSAL_CHARSTRING name = m.f__name();
        desk().log->opened(fault == "name" ? UNIVERSAL_CHARSTRING("a") : name);
        if (fault == "early") desk().log->closed();
        else if (fault != "late") Handler_Set_Timer(20 * desk().unit);
    }

    void outgoing_send(const M__Use& m) {
        const bool good = m.f__ticket() == desk().ticket;
        M__Answer a;
        a.f__verdict() = good || desk().fault == "yes" ? "yes" : "no";
        incoming_message(a);
        if (!good) return;
        desk().used = true;
        Handler_Set_Timer(0.0);
    }
};

} // namespace Suite__desk

#endif
