"""Pictures of a report: sources in colours, states, time lines, constraint trees."""
