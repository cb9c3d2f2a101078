"""Explorer processes on other machines, through dask.distributed."""
