package io.mlestar.adapter.model;

import module java.base;

/// The protocols that models are asked by, each with a server that speaks it.
enum Provider {
    ANTHROPIC, OPENAI, RESPONSES, GEMINI, OLLAMA;

    FakeProvider start(Answerer answerer) throws IOException {
        return switch (this) {
            case ANTHROPIC -> new AnthropicServer(answerer);
            case OPENAI, RESPONSES -> new OpenAiServer(answerer);
            case GEMINI -> new GeminiServer(answerer);
            case OLLAMA -> new OllamaServer(answerer);
        };
    }

    /// Answers everything with one text.
    FakeProvider saying(String text) throws IOException {
        return start(Answerer.always(text));
    }

    Model model(FakeProvider server) {
        return model(server, pause -> {}, ModelCallListener.NONE);
    }

    Model model(FakeProvider server, Retries.Sleeper sleeper, ModelCallListener watcher) {
        return model(server, InstantSource.system(), sleeper, watcher);
    }

    Model model(FakeProvider server, InstantSource clock, Retries.Sleeper sleeper, ModelCallListener watcher) {
        return new Models(environment(server.url()), clock, sleeper, watcher).get(modelName());
    }

    /// One that does not think, and so wants no thoughts back.
    Model plainModel(FakeProvider server) {
        return new Models(environment(server.url())).get(modelName().replace("thinking-", ""));
    }

    String modelName() {
        return switch (this) {
            case ANTHROPIC -> "anthropic:thinking-made-up";
            case OPENAI -> "openai:made-up";
            case RESPONSES -> "responses:thinking-made-up";
            case GEMINI -> "gemini:made-up";
            case OLLAMA -> "ollama:made-up";
        };
    }

    /// @param url of the server, without a path
    Map<String, String> environment(String url) {
        return switch (this) {
            case ANTHROPIC -> Map.of("ANTHROPIC_API_KEY", FakeProvider.KEY, "ANTHROPIC_BASE_URL", url + "/v1/");
            case OPENAI -> Map.of("OPENAI_API_KEY", FakeProvider.KEY, "OPENAI_BASE_URL", url + "/v1");
            case RESPONSES ->
                Map.of("RESPONSES_API_KEY", FakeProvider.KEY, "RESPONSES_BASE_URL", url + "/v1", "MLE_STAR_MODELS",
                        Path.of("src/test/resources/models-responses.yaml").toAbsolutePath().toString());
            case GEMINI -> Map.of("GEMINI_API_KEY", FakeProvider.KEY, "GEMINI_BASE_URL", url + "/v1beta");
            case OLLAMA -> Map.of("OLLAMA_BASE_URL", url);
        };
    }
}
