"""`make bench`: doubtable beside what people would use instead, in one run on one machine. See docs/performance.md."""
