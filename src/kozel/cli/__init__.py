"""The commands of `kozel`."""
