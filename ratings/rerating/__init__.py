"""Putting right what is published: amended sections, and the chain of months that is calculated again for them."""
