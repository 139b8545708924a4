"""Statistics on ballots: pure, without Django; systems and judges are integers."""
