"""Everything to build a table, made from the pin plans of the controller and a list of parts.

Imports go one way: boards -> circuit -> builds -> checks, layout -> from_files -> bills, pages, pictures -> build.py.
Only harness, schematics and solids/ need the libraries of hardware/requirements.txt; all else is plain Python.
"""
