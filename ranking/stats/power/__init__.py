"""What judgments would buy: campaigns simulated from texts and assumptions, assigned and analysed as real ones."""
