"""The commands of research plans: make, work, review, modify, see."""
