"""What judges' corrections tell: how much each corrects, how near people come to one another, and systems to people."""
