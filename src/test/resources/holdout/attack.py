"""Guesses the labels of hidden rows as a script can that knows the program: by one feature, and by doing the program's draws again.

Stands behind the program, in place of its main. Prints how many it guesses right honestly, and by the draws."""


def read(path):
    with open(path, newline='') as file:
        return list(csv.DictReader(file))


card = Card('./input')
card.make(lambda card: None)
assert 'scheme' in hold_out(card), hold_out(card)
shown = {int(row['row']): row for row in read('final/holdout/fold0/train.csv')}
asked = {int(row['row']): row for row in read('final/holdout/fold0/test.csv') if int(row['row']) >= 0}
truth = {row['id']: row['y'] for row in read('final/holdout/labels.csv')}
classes = sorted({row['y'] for row in shown.values()})
means = {each: sum(float(row['x']) for row in shown.values() if row['y'] == each) / sum(row['y'] == each for row in shown.values()) for each in classes}
honest = {row: min(classes, key=lambda each: abs(float(asked[row]['x']) - means[each])) for row in asked}

# All rows, with guesses for those that are not known: as near to the program's own table as a script comes.
count = len(shown) + len(asked)
rows = Records(card.root, card.tables['train.csv'])
known = rows.text
rows.text = lambda row: '%s,%s,%s,%s\n' % (row, row, asked[row]['x'], honest[row]) if row in honest else known(row)
chance = chance_of(rows)
place = {row: i for i, row in enumerate(chance.sample(range(count), count))}
bounds = [round(i * count / len(asked)) for i in range(len(asked) + 1)]
drawn = [chance.randrange(*cell) for cell in zip(bounds, bounds[1:])]

# A place that was drawn is between two known rows of its class, as they were shuffled.
found, begin = {}, 0
for each in classes:
    known = sorted(place[row] for row in shown if shown[row]['y'] == each)
    end = begin + len(known)
    inside = []
    for at in drawn:
        if begin <= at < end:
            inside.append(at)
            end += 1
    for number, at in enumerate(inside):
        rank = at - begin - number
        low, high = known[rank - 1] if rank else -1, known[rank] if rank < len(known) else count
        for row in asked:
            if low < place[row] < high:
                found.setdefault(row, []).append(each)
    begin = end
guessed = {row: honest[row] if honest[row] in found.get(row, classes) else found[row][0] for row in asked}
print(sum(honest[row] == truth[asked[row]['id']] for row in asked), sum(guessed[row] == truth[asked[row]['id']] for row in asked))
