"""What is held about one person: giving it to that person, and taking the person out of it."""
