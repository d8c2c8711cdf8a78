package io.mlestar.app.function;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/// The doors of the built program, JVM or native.
@QuarkusIntegrationTest
class EndpointsIT extends EndpointsTest {}
