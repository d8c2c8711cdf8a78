/// Third floor: shows a run to people, from what the store knows: state, tree, report. May import `run` and below.
package io.mlestar.report;
