"""Tables that many servers carry, with real NATS servers."""
