package io.mlestar.adapter.model;

import io.mlestar.core.step.StepFailed;

/// A provider has turned down a question for which it was to search the web. It may answer without: its server may not know the interface, its
/// model not the tool, and its key may not be allowed it.
final class SearchRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SearchRefused(StepFailed refused) {
        super(refused.getMessage(), refused);
    }
}
