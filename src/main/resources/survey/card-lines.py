"""The data card, 11 of 11: its printing for agents."""

main(lambda card: {'lines': card.bounded()}, misreadings)
