"""Facts become sentences. Knows no output."""
