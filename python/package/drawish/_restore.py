"""What pickles of this package call."""


def restore(cls, method, state):
    """The object that a static method of its class makes of its state."""
    return getattr(cls, method)(state)
