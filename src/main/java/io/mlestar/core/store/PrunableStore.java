package io.mlestar.core.store;

/// A store from which an operator may remove objects. No run ever removes anything: it uses a
/// [Store].
public interface PrunableStore extends Store {
    /// Removes an object; without one of that key nothing happens.
    void delete(String key);
}
