"""What a person said to a call: exceptions, questions, and answers that hold for longer."""
