"""doubtable's button panel: Raspberry Pi Pico, MicroPython 1.24 or newer. MicroPython runs this file at its start."""

from panel.app import main

main()
