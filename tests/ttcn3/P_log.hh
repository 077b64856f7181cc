// Both ports are in one file.
#include "P_client.hh"
