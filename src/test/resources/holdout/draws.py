"""Prints each number of rows of which one would be hidden twice.

Stands behind the program, in place of its main."""

class Rows(list):
    def plain(self, row, name):
        return self[row]
for count in range(667, 2001):
    size = max(LEAST, int(PART * count))
    folds, select = at_random(Rows(str(row % 3) for row in range(count)), list(range(count)), 'y', size, 1, random.Random(count))
    if [len(half) for half in folds + [select]] != [size, size] or len(set(folds[0] + select)) != 2 * size:
        print(count)
