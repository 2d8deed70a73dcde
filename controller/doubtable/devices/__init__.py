"""Adapters to real and simulated hardware: the outside world becomes inputs for the core, a view becomes lamps."""
