"""One club on many servers: tables, names and libraries on NATS JetStream."""
