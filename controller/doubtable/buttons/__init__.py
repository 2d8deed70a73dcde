"""From edges to presses and from presses to gestures: pure, one value per seat."""
