"""Keys: decoding, keymaps, terminals."""
