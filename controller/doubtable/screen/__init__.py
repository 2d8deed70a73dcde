"""What the guests see and hear: pictures and sounds of a view.

Imports run one way: palette, sizes, seats, sounds (pure) -> lettering, shapes -> board -> widgets -> stage -> blocks ->
seating, pages -> scenes -> picture -> table_screen; cues -> voice. pygame lives in the main thread; nothing here is
safe to call from another one. Only what pygame and pygame-ce have in common is used.
"""
