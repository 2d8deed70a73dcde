"""What the lines of a Raspberry Pi's 40-pin header and of the button panel are for.

Sources: the Raspberry Pi documentation of the 40-pin header; the HAT specification (GPIO0 and 1); the kernel's
pinctrl drivers for the chips' labels. Lines are GPIO numbers, never the numbers of header pins.
"""

# Labels of the header's chip, in the order in which they are looked for. Chip numbers move between kernels and boards.
PI_CHIPS = {
    "pinctrl-rp1": "Raspberry Pi 5",
    "pinctrl-bcm2711": "Raspberry Pi 4",
    "pinctrl-bcm2835": "Raspberry Pi Zero to 3",
}

HEADER_LINES = range(2, 28)
EEPROM_LINES = range(2)
PANEL_BUTTONS = range(13)
PANEL_LAMPS = range(16)

# Lines with a fixed 1.8 kOhm pull-up on the board: a pull-down cannot win against it.
PULLED_UP_LINES = (2, 3)

# A bus of the header and the lines that it takes when it is switched on.
BUSES: dict[str, tuple[int, ...]] = {
    "i2c": (2, 3),
    "spi": (7, 8, 9, 10, 11),
    "uart": (14, 15),
    "i2s": (18, 19, 20, 21),
}

# Serial ports that are the header's UART. The Pi 5's debug connector is ttyAMA10 and takes no line of the header.
UART_PORTS = ("/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0")

# Names that the kernel gives in the order of plugging in: another one after the next boot.
UNSTABLE_PORTS = ("/dev/ttyUSB", "/dev/ttyACM")
