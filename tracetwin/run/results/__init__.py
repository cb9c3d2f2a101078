"""The results of a run: figures, reasons for uncovered lines, refusals."""
