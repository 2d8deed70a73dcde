"""The printable parts. Each file is one part: its measures as a frozen value, and a function that makes the solid.

Millimetres; every part lies as it is printed: flat on z = 0, without supports. Solids are Manifolds (manifold3d): its
booleans give a closed surface by construction, it is one small wheel, and its output is the same on every run. A CAD
kernel such as build123d's would bring fillets and STEP files, which these parts do not need, and half a gigabyte.
"""
