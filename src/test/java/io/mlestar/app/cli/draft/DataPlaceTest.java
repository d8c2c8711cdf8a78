package io.mlestar.app.cli.draft;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Invalid;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DataPlaceTest {
    @TempDir
    private Path folder;

    private Path with(String file) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, "a,b\n1,2\n");
    }

    static Path zip(Path file, String... names) throws IOException {
        Files.createDirectories(file.getParent());
        try (OutputStream out = Files.newOutputStream(file); ZipOutputStream zip = new ZipOutputStream(out)) {
            for (String name : names) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write("a,b\n1,2\n".getBytes(StandardCharsets.UTF_8));
            }
        }
        return file;
    }

    private long files() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).count();
        }
    }

    @Test
    void dataInAFolderOfTheirOwnHaveTheTaskBesideThem() throws IOException {
        with("titanic/input/train.csv");
        DataPlace place = DataPlace.of(folder.resolve("titanic"), null);
        assertThat(place).isEqualTo(
                new DataPlace("titanic", Optional.empty(), folder.resolve("titanic/input"),
                        folder.resolve("titanic/task.yaml")));
        assertThat(place.dataDir()).isEqualTo("./input");
    }

    @Test
    void theTaskOfDataRightInAFolderLiesBesideTheFolder() throws IOException {
        with("titanic/train.csv");
        with("titanic/data/more.csv");
        DataPlace place = DataPlace.of(folder.resolve("titanic/."), null);
        assertThat(place).isEqualTo(
                new DataPlace("titanic", Optional.empty(), folder.resolve("titanic"),
                        folder.resolve("titanic.task.yaml")));
        assertThat(place.dataDir()).isEqualTo("./titanic");
        refusal(() -> DataPlace.of(folder.resolve("titanic"), folder.resolve("titanic/task.yaml")))
                .contains("would lie among the data");
        Files.createDirectories(folder.resolve("tasks"));
        assertThat(DataPlace.of(folder.resolve("titanic"), folder.resolve("tasks/t.yaml")).dataDir())
                .isEqualTo("../titanic");
        assertThatThrownBy(() -> DataPlace.of(folder.resolve("titanic"), folder.resolve("nowhere/t.yaml")))
                .hasMessageContaining("there is no folder");
    }

    @Test
    void aTaskThatIsThereIsNeverOverwritten() throws IOException {
        with("titanic/train.csv");
        with("titanic.task.yaml");
        refusal(() -> DataPlace.of(folder.resolve("titanic"), null)).contains("is not overwritten");
        DataPlace late = new DataPlace("titanic", Optional.empty(), folder.resolve("titanic"),
                folder.resolve("titanic.task.yaml"));
        refusal(() -> late.keep("new")).contains("is not overwritten");
        assertThat(folder.resolve("titanic.task.yaml")).hasContent("a,b\n1,2\n");
    }

    @Test
    void anArchiveIsUnpackedAndMovedToItsPlace() throws IOException {
        Path archive = zip(folder.resolve("titanic.zip"), "train.csv", "images/1.png", "__MACOSX/._train.csv");
        DataPlace place = DataPlace.of(archive, null);
        assertThat(place.file()).isEqualTo(folder.resolve("titanic/task.yaml"));
        try (Unpacking unpacking = Unpacking.of(archive, place.aside())) {
            assertThat(unpacking.folder().resolve("images/1.png")).exists();
            place.keep("task");
        }
        assertThat(folder.resolve("titanic/input/train.csv")).hasContent("a,b\n1,2\n");
        assertThat(folder.resolve("titanic/input/__MACOSX")).doesNotExist();
        assertThat(files()).isEqualTo(4);
        assertThatThrownBy(() -> DataPlace.of(archive, null))
                .hasMessageContaining("already; if the data are in it: mlestar new");
    }

    @Test
    void namesInTheCodePageOfAWindowsAreRead() throws IOException {
        Path archive = folder.resolve("daten.zip");
        try (OutputStream out = Files.newOutputStream(archive);
                ZipOutputStream zip = new ZipOutputStream(out, Charset.forName("IBM437"))) {
            zip.putNextEntry(new ZipEntry("größe.csv"));
        }
        try (Unpacking unpacking = Unpacking.of(archive, folder.resolve("aside"))) {
            assertThat(unpacking.folder().resolve("größe.csv")).exists();
        }
    }

    @Test
    void theOneArchiveInAFolderIsUnpackedThere() throws IOException {
        zip(folder.resolve("t/kaggle.zip"), "train.csv");
        assertThat(DataPlace.of(folder.resolve("t"), null))
                .isEqualTo(new DataPlace("t", Optional.of(folder.resolve("t/kaggle.zip")), folder.resolve("t/input"),
                        folder.resolve("t/task.yaml")));
    }

    @Test
    void aFailedUnpackingLeavesNothingBehind() throws IOException {
        Path evil = zip(folder.resolve("evil.zip"), "train.csv", "../evil.csv");
        refusal(() -> Unpacking.of(evil, folder.resolve(".evil.part"))).contains("would lie elsewhere: ../evil.csv");
        Path broken = with("broken.zip");
        refusal(() -> Unpacking.of(broken, folder.resolve(".broken.part"))).contains("cannot be unpacked");
        Path good = zip(folder.resolve("good.zip"), "train.csv");
        DataPlace place = DataPlace.of(good, folder.resolve("nowhere/task.yaml"));
        try (Unpacking unpacking = Unpacking.of(good, place.aside())) {
            assertThatThrownBy(() -> place.keep("task")).as(unpacking.folder().toString()).isInstanceOf(Invalid.class)
                    .hasMessageContaining("cannot be written");
        }
        assertThat(files()).isEqualTo(3);
        assertThat(folder).isDirectoryNotContaining(Files::isDirectory);
    }

    @Test
    void aPathThatIsNoFolderIsNamed() throws IOException {
        Path file = with("train.csv");
        assertThatThrownBy(() -> DataPlace.of(file, null)).hasMessageContaining("is neither a folder nor a zip");
        assertThatThrownBy(() -> DataPlace.of(folder.resolve("nowhere"), null))
                .hasMessageContaining("there is no folder");
    }

    private Optional<DescriptionFile> description(String data) {
        return DescriptionFile.with(DataPlace.of(folder.resolve(data), null), folder.resolve(data));
    }

    @ParameterizedTest
    @CsvSource(nullValues = "none",
            value = {"shop/input/description.md, Predict., description.md",
                "shop/Description.TXT, Predict., Description.TXT",
                "shop/README.md, Evaluated on the error of logarithms (RMSLE)., README.md",
                "shop/README.md, Column a is a price., none",
                "description.md, Of something else., none", "shop/input/description.md, ' ', none"})
    void theTextOfACompetitionIsFoundWithTheDataOrBesideTheirFolder(String file, String text, String found)
            throws IOException {
        Files.createDirectories(folder.resolve("shop/input"));
        Files.writeString(folder.resolve(file), text);
        assertThat(description("shop/input").map(DescriptionFile::name)).isEqualTo(Optional.ofNullable(found));
    }

    @Test
    void aTextThatIsNotUtf8IsNamed() throws IOException {
        Path file = with("shop/description.md");
        Files.write(file, "Größe".getBytes(StandardCharsets.ISO_8859_1));
        refusal(() -> description("shop"))
                .matches("the description .*description\\.md cannot be read: it is not UTF-8 text");
    }
}
