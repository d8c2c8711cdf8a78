"""The data card, 11 of 11: its printing for agents."""

LARGEST = WHOLE
main(lambda card: {'lines': card.bounded(), 'tables': card.roles}, misreadings)
