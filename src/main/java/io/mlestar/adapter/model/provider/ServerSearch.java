package io.mlestar.adapter.model.provider;

import io.mlestar.core.base.Invalid;
import io.quarkus.runtime.annotations.RegisterForReflection;

/// A search of the web that a provider does itself while its model answers.
///
/// @param tool the provider's name for it, with its version
/// @param most searches for one request, if the provider takes a limit; else the number for
///   estimates
/// @param usd price of one search
@RegisterForReflection
public record ServerSearch(String tool, int most, double usd) {
    public ServerSearch {
        if (tool == null || most < 1 || !(usd >= 0)) {
            throw new Invalid("search must have a tool, most (1 or more) and usd (0 or more)");
        }
    }
}
