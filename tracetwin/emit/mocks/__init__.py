"""The source of mocks: autospecs, stub classes, their answers, assertions on their calls."""
