"""A million races: a judge that fixes who was first before any edge is made, and asks the table.

The generator (people, switches, truth, wires) and the judge (rule, usual) import nothing of the product; `feeding` is
the only place that does. Run it with tests/ on the path: ``python -m races N=100000 SEED=1``.
"""
