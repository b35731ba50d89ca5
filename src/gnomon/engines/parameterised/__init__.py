"""Safety for any number of agents: sets of occupied local states forwards, counted agents backwards."""
