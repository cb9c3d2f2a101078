"""The results of a run: figures, why a line is infeasible or was not reached, refusals."""
