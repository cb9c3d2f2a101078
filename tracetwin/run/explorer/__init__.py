"""An explorer process: takes tasks, drives one worker, keeps unfinished explorations."""
