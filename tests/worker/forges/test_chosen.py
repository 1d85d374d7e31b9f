"""Which forge a project has."""

from interlock.worker.forges.chosen import forge_of
from interlock.worker.forges.github import GitHub
from interlock.worker.forges.local import Local


def test_a_forge_is_chosen_by_its_kind() -> None:
    assert isinstance(forge_of("github", "https://github.com/ann/shop"), GitHub)
    assert isinstance(forge_of("local", "/srv/shop.git"), Local)
    assert isinstance(forge_of("", "/srv/shop.git"), Local)
