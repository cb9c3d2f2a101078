"""One file per rewrite; `instrumenter.rewriter` composes them."""
