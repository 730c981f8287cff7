"""Real terminals under Xvfb, real key presses."""
