"""What a person asks and answers every day."""
