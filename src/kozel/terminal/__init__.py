"""The terminal: bytes and key records in, commands out."""
