package io.mlestar.core.store;

class MemoryStoreTest implements StoreContract {
    @Override
    public Store store() {
        return new MemoryStore();
    }
}
