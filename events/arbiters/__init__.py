"""Arbiters: the register, membership fees, appointments and activity (articles 6–8, 15)."""
