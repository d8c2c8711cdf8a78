package io.mlestar.web;

import java.util.List;

/// What stands beside each page of the documentation.
///
/// @param here address of the page
public record Contents(List<ContentsPart> parts, String here) {
    /// @param title a heading of the contents
    public record ContentsPart(String title, List<ContentsLink> links) {}

    /// @param address of a page
    public record ContentsLink(String title, String address) {}

    /// Whether it is another page than the contents themselves.
    public boolean isPage() {
        return !here.equals(Documents.ADDRESS);
    }
}
