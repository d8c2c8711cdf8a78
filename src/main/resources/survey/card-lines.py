"""The data card, 9 of 9: its printing for agents."""

main(lambda card: {'lines': card.bounded()})
