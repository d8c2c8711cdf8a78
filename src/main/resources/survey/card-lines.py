"""The data card, 7 of 7: its printing for agents."""

main(lambda card: {'lines': card.bounded()})
