package io.mlestar;

import module java.base;

/// The requirements that a test proves; `requirements.csv` points back at the test.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Requirement {
    String[] value();
}
