package io.mlestar.adapter.script;

import java.util.List;

/// What one script is given of the machine.
///
/// @param threads that its libraries use unless it says otherwise
/// @param gpus as `CUDA_VISIBLE_DEVICES` names them; empty leaves what the machine says
/// @param told to a probe of the machine, which cannot see it from inside a sandbox; empty for any other script
record ResourceShare(int threads, List<String> gpus, String told) {}
