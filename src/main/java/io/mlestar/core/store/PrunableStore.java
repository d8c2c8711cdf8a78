package io.mlestar.core.store;

/// A store of which an operator may remove what nobody needs any more. No run ever removes anything: to its programs a store is a [Store].
public interface PrunableStore extends Store {
    /// Removes an object; without one of that key nothing happens.
    void delete(String key);
}
