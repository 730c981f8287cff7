"""What a seat may know, and computer players that know no more."""
