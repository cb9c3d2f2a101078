"""What came out of a run: figures, reasons for uncovered lines, refusals."""
