package io.mlestar.core.phase;

import io.mlestar.core.base.Json;
import io.mlestar.core.step.Blend;
import io.mlestar.core.step.TableFormat;
import io.mlestar.core.task.SolutionScript;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// One Python program that runs the members of a blend as they were written, each in a folder of its own, and blends what they submit.
final class BlendScript {
    private static final String PROGRAM = """
            ""\"A blend of solutions, which were selected by their predictions. Each runs as it was written.""\"
            import csv
            import os
            import subprocess
            import sys

            HOW = "<how>"
            DELIMITER, DECIMAL, KEYS = <format>  # Of submissions: how many leading columns name a row; 0: its place does.
            MEMBERS = [  # How often each was selected, and its program.
            <members>]


            def submission(number, program):
                folder = os.path.abspath("member%d" % number)
                os.makedirs(os.path.join(folder, "final"))
                os.symlink(os.path.realpath("input"), os.path.join(folder, "input"))
                with open(os.path.join(folder, "solution.py"), "w", encoding="utf-8") as file:
                    file.write(program)
                subprocess.run([sys.executable, "solution.py"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
                with open(os.path.join(folder, "final", "submission.csv"), encoding="utf-8-sig", newline="") as file:
                    rows = [row for row in csv.reader(file, delimiter=DELIMITER) if row]
                return rows[0], {tuple(row[:KEYS]) if KEYS else place: row for place, row in enumerate(rows[1:])}


            def ranks(values):
                order = sorted(range(len(values)), key=values.__getitem__)
                ranks, start = [0.0] * len(values), 0
                while start < len(order):
                    end = start
                    while end < len(order) and values[order[end]] == values[order[start]]:
                        end += 1
                    for place in order[start:end]:
                        ranks[place] = (start + end - 1) / 2 / max(1, len(values) - 1)
                    start = end
                return ranks


            def mean(columns):
                total = sum(weight for weight, _ in columns)
                numbers = [(weight, [float(value.replace(DECIMAL, ".")) for value in values]) for weight, values in columns]
                if HOW == "rank_mean":
                    numbers = [(weight, ranks(values)) for weight, values in numbers]
                return [repr(sum(weight * values[row] for weight, values in numbers) / total).replace(".", DECIMAL) for row in range(len(numbers[0][1]))]


            def vote(columns):
                chosen = []
                for row in range(len(columns[0][1])):
                    votes = {}
                    for weight, values in columns:
                        votes[values[row].strip()] = votes.get(values[row].strip(), 0) + weight
                    chosen.append(max(votes, key=votes.get))
                return chosen


            submissions = [(weight, *submission(number, program)) for number, (weight, program) in enumerate(MEMBERS)]
            header, first = submissions[0][1:]
            ids, begin = list(first), KEYS or min(1, len(header) - 1)
            blended = [[first[each][column] for each in ids] for column in range(begin)]
            for column in range(begin, len(header)):
                values = [(weight, [rows[each][column] for each in ids]) for weight, _, rows in submissions]
                blended.append(vote(values) if HOW == "vote" else mean(values))
            os.makedirs("final", exist_ok=True)
            with open("final/submission.csv", "w", encoding="utf-8", newline="") as file:
                csv.writer(file, delimiter=DELIMITER, lineterminator="\\n").writerows([header] + list(zip(*blended)))
            print("Final Validation Performance: <score>")
            """;

    private BlendScript() {}

    /// @param members in the order of the weights
    /// @param score of the blend, as the harness computed it
    static String of(Blend blend, List<SolutionScript> members, double score) {
        String listed = IntStream.range(0, members.size()).filter(i -> blend.weights().get(i) > 0)
                .mapToObj(i -> "    (" + blend.weights().get(i) + ", " + literal(members.get(i).content()) + "),\n").collect(Collectors.joining());
        TableFormat format = blend.format();
        return PROGRAM.replace("<how>", blend.how().name().toLowerCase(Locale.ROOT))
                .replace("<format>", Json.text(String.valueOf(format.delimiter())) + ", " + Json.text(String.valueOf(format.decimal())) + ", " + format.keys())
                .replace("<score>", Double.toString(score)).replace("<members>", listed);
    }

    /// Readable where that is safe; else as JSON, whose texts are Python's, too.
    private static String literal(String program) {
        String text = program.stripTrailing() + "\n";
        return text.contains("\'\'\'") || text.contains("\r") ? Json.text(text) : "r\'\'\'" + text + "\'\'\'";
    }
}
