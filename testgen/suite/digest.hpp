// By what a test is known again, besides its name: a digest of what the tester does and of what the system must answer,
// the same however the file is laid out, and whatever it says of coverage.
#pragma once

#include <string>
#include <vector>

#include "testgen/suite/suite.hpp"
#include "testgen/text/xml_tree.hpp"

namespace espalier {

struct TestDigest {
    std::string test; // its id
    std::string digest;
};
std::vector<TestDigest> test_digests(const XmlTree& suite);
std::vector<TestDigest> test_digests(const Model& model, const Suite& suite); // as it would be written

} // namespace espalier
