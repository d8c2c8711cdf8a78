/// Top floor: the command line. Reads arguments and files, prints; the work is done by lower floors.
package io.mlestar.cli;
