// How the time of a model and of a test becomes the time of a clock.
#pragma once

namespace espalier {

struct Timing {
    double time_unit = 1; // seconds, for each unit of the model's time
    double timeout = 5;   // seconds, for an answer and for an expected output
    double quiet_time = 0.2;
};

} // namespace espalier
