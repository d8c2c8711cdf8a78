package io.mlestar.core.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    private CardFolder tables(String name, String train, String test) throws IOException {
        return data.with("train.csv", "id," + name + ",y\n" + row(train, 1)).with("test.csv",
                "id," + name + "\n" + row(test, 1001));
    }

    /// Forty rows; `#` is the row's number.
    private static String row(String values, int first) {
        String[] each = values.split(" ");
        return CardFolder.rows(0, 39, i -> (first + i) + "," + each[i % each.length].replace("#", String.valueOf(i))
                + (first == 1 ? "," + i % 2 : ""));
    }

    @Test
    void aColumnThatHoldsTheKeyOfAnotherTableUnderAnotherNameIsTold() throws Exception {
        tables("shop", "s# s#", "s# s#")
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

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -999 1# 2# 3# 4#         | -999 is 20 % of them, far from the others: 11 to 439
            9999 0.# 1.# 2.# 3.#     | 9999 is 20 % of them, far from the others: 0.1 to 3.9
            -1 1# 2# 3# 4#           | -1 is 20 % of them, and the others are not negative: 11 to 439
            """)
    void aNumberThatMayStandForAMissingOneIsTold(String values, String said) throws Exception {
        assertThat(tables("age", values, "5#").lines())
                .anyMatch(line -> line.startsWith("- \"age\": ") && line.endsWith(", " + said));
    }

    @Test
    void numbersWithoutOneAreToldWithoutIt() throws Exception {
        assertThat(tables("age", "1# 2# 3# 4#", "5#").lines()).noneMatch(line -> line.contains("others"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    Rome Oslo            | Rome Atlantis Oslo Mu | "x" of "test.csv" has values that "train.csv" lacks, in 50 % of its rows: "Atlantis", "Mu"
                    0.# 1                | 5.# 6                 | "x" is 0 to 1 in "train.csv", and 5 to 6 in "test.csv": the ranges do not overlap
                    2024-01-1 2024-02-01 | 2024-02-02 2024-10-05 | "x" is later in all rows of "test.csv" than in any of "train.csv"
                    2024-02-02           | 2024-01-31            | "x" is earlier in all rows of "test.csv" than in any of "train.csv"
                    2024-01-01 2024-03-01| 2024-02-02 2025-01-01 | "x" lies for 50 % of the rows of "test.csv" between the first and the last of "train.csv"
                    """)
    void howTheTestTableDiffersIsTold(String train, String test, String said) throws Exception {
        assertThat(tables("x", train, test).lines()).contains("- " + said);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Rome Oslo | Rome Rome
            0.# 1     | 0.5 7
            u# v#     | w# z#
            """)
    void whatDoesNotDifferIsNotTold(String train, String test) throws Exception {
        assertThat(tables("x", train, test).lines()).noneMatch(line -> line.startsWith("- \"x\" "));
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
