"""The data card, 8 of 8: its printing for agents."""

main(lambda card: {'lines': card.bounded()})
