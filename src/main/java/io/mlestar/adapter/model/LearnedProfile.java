package io.mlestar.adapter.model;

import io.mlestar.adapter.model.provider.ProviderProfile;
import io.mlestar.adapter.model.provider.RequestPart;

/// The profile of a model's server that a conversation goes by, and that grows with each refusal.
interface LearnedProfile {
    /// Learns nothing: whatever is refused ends the conversation.
    LearnedProfile NONE = new LearnedProfile() {
        @Override
        public ProviderProfile now() {
            return ProviderProfile.UNKNOWN;
        }

        @Override
        public void goOnWithout(RequestPart part, String said) {}
    };

    ProviderProfile now();

    /// Leaves a part out of all that is sent from now on.
    ///
    /// @param said the refusal
    void goOnWithout(RequestPart part, String said);
}
