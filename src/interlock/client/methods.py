"""Every command as a method. Made by `make docs` from the command rows. Do not edit."""

from interlock.client.mission import Mission
from interlock.client.people import People
from interlock.client.research import Research
from interlock.client.ticket import Ticket
from interlock.client.work import Work


class Methods(Mission, People, Research, Ticket, Work):
    """What a server can do."""
