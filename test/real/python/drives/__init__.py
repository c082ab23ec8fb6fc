"""What a user's own scripts do to AWS, service by service; each `drive` tells what it saw."""
