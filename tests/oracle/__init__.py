"""An independent, naive model of the rulebook and of the game record: what the product is compared with."""
