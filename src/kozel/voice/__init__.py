"""What reaches the player's ears and fingers: sentences, the queue, the outputs."""
