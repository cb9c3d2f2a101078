"""What a target reads from the world around it, drawn as inputs and patched in tests."""
