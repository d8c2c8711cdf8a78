package io.mlestar.web;

import io.mlestar.http.Refused;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;

/// The documents of this very version, at `/docs`; all of them on one page at `/docs/all`.
@Singleton
class DocumentPages {
    private static final int BEFORE_FUNQY = -500;

    /// Made when somebody reads: a function has no readers.
    private final Instance<Documents> documents;

    DocumentPages(Instance<Documents> documents) {
        this.documents = documents;
    }

    void install(@Observes Router router) {
        router.get(Documents.ADDRESS).order(BEFORE_FUNQY).blockingHandler(this::show, false);
        router.get(Documents.ADDRESS + "/*").order(BEFORE_FUNQY).blockingHandler(this::show, false);
    }

    private void show(RoutingContext context) {
        String address = context.normalizedPath().replaceFirst("/$", "");
        PageTemplates.send(context,
                documents.get().page(address).orElseThrow(() -> new Refused(404, "there is no such document; /docs has the contents")));
    }
}
