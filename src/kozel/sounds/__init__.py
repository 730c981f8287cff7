"""The table as it is heard: which sound stands for what and where it comes from, and the board that plays it."""
