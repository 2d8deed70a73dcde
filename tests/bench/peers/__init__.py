"""Programs of the benchmark that run in a process of their own; those of mpf and OpenSpiel in an environment of theirs.

Each reads what it needs as one line of JSON, says "ready" and then, for every line it gets, plays one round and answers
with the seconds that it took. They import nothing of doubtable.
"""
