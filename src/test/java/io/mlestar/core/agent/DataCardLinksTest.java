package io.mlestar.core.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the data card says of columns that name rows of other tables, of values that stand for
/// missing ones, and of how train and test differ.
class DataCardLinksTest {
    @TempDir
    private Path folder;

    private CardFolder data;

    @BeforeEach
    void prepare() throws IOException {
        data = CardFolder.in(folder);
    }

    /// @param columns name, values of train and of test, of which `#` is the row's number
    private CardFolder tables(String... columns) throws IOException {
        List<String[]> all = Stream.of(columns).map(column -> column.split(" *[|] *")).toList();
        return data.with("train.csv", table(all, 1)).with("test.csv", table(all, 1001));
    }

    /// Forty rows.
    private static String table(List<String[]> columns, int first) {
        boolean train = first == 1;
        String names = columns.stream().map(column -> column[0]).collect(Collectors.joining(","));
        return "id," + names + (train ? ",y" : "") + "\n" + CardFolder.rows(0, 39, i -> columns.stream()
                .map(column -> column[train ? 1 : 2].split(" "))
                .map(each -> each[i % each.length].replace("#", String.valueOf(i)))
                .collect(Collectors.joining(",", first + i + ",", train ? "," + i % 2 : "")));
    }

    @Test
    void aColumnThatHoldsTheKeyOfAnotherTableUnderAnotherNameIsTold() throws Exception {
        tables("shop|s#|s#")
                .with("orders.csv",
                        "order_id,customer_id,quantity\n" + CardFolder.rows(1, 80,
                                i -> i + "," + (i <= 60 ? (i - 1) % 40 + 1 : 940 + i) + "," + i % 30))
                .with("shops.csv", "code,size\n" + CardFolder.rows(0, 49, i -> "s" + i + "," + i % 7));
        assertThat(data.lines()).contains(
                "- values of \"customer_id\" of \"orders.csv\" are \"id\" of \"train.csv\" (66.7 % of them) and \"test.csv\" (33.3 % of them)",
                "- values of \"shop\" of \"train.csv\" are \"code\" of \"shops.csv\" (100 % of them)",
                "- values of \"shop\" of \"test.csv\" are \"code\" of \"shops.csv\" (100 % of them)")
                .noneMatch(line -> line.contains("values of \"quantity\"") || line.contains("values of \"order_id\""));
    }

    @Test
    void aNumberThatMayStandForAMissingOneIsTold() throws Exception {
        assertThat(tables("low | -999 1# 2# 3# 4# | 5#", "high | 9999 0.# 1.# 2.# 3.# | 5#",
                "minus | -1 1# 2# 3# 4# | 5#", "none | 1# 2# 3# 4# | 5#").lines())
                .filteredOn(line -> line.contains("the others"))
                .extracting(line -> line.replaceFirst("^- \"(\\w+)\": .*, (-?\\d+ is .*)$", "$1: $2"))
                .containsExactly("low: -999 is 20 % of them, far from the others: 11 to 439",
                        "high: 9999 is 20 % of them, far from the others: 0.1 to 3.9",
                        "minus: -1 is 20 % of them, and the others are not negative: 11 to 439");
    }

    @Test
    void howTheTestTableDiffersIsToldAndWhatDoesNotIsNot() throws Exception {
        assertThat(tables("place | Rome Oslo | Rome Atlantis Oslo Mu", "size | 0.# 1 | 5.# 6",
                "late | 2024-01-1 2024-02-01 | 2024-02-02 2024-10-05", "early | 2024-02-02 | 2024-01-31",
                "then | 2024-01-01 2024-03-01 | 2024-02-02 2025-01-01", "same | Rome Oslo | Rome Rome",
                "within | 0.# 1 | 0.5 7", "key | u# v# | w# z#").lines())
                .filteredOn(line -> line.matches("- \"\\w+\" (of|is|lies) .*")).containsExactlyInAnyOrder(
                        "- \"place\" of \"test.csv\" has values that \"train.csv\" lacks, in 50 % of its rows: \"Atlantis\", \"Mu\"",
                        "- \"size\" is 0 to 1 in \"train.csv\", and 5 to 6 in \"test.csv\": the ranges do not overlap",
                        "- \"late\" is later in all rows of \"test.csv\" than in any of \"train.csv\"",
                        "- \"early\" is earlier in all rows of \"test.csv\" than in any of \"train.csv\"",
                        "- \"then\" lies for 50 % of the rows of \"test.csv\" between the first and the last of \"train.csv\"");
    }

    @Test
    void ofManyColumnsAlikeAFewAreTold() throws Exception {
        String names = IntStream.range(0, 60).mapToObj(i -> "c" + i + "x").collect(Collectors.joining(","));
        data.with("train.csv",
                "id," + names + ",y\n" + CardFolder.rows(1, 40, i -> i + (",0." + i).repeat(60) + "," + i % 2))
                .with("test.csv", "id," + names + "\n" + CardFolder.rows(41, 80, i -> i + (",5." + i).repeat(60)));
        assertThat(data.lines()).contains("- 48 columns more so differ between \"train.csv\" and \"test.csv\"")
                .filteredOn(line -> line.endsWith("the ranges do not overlap")).hasSize(12);
    }
}
