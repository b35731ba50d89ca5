"""Models as tests of pytest: every formula of every `*.ispl` is one, and a fixture loads models."""
