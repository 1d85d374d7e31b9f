"""Documents for the tests: a small PRD, a blueprint of three beads, and their expansion."""

from interlock.ticketing.checked import Json
from interlock.ticketing.prd import document, references

DIGEST = "a" * 64


def a_story(title: str = "Log in", **more: object) -> Json:
    return {"title": title, "acceptance_criteria": ["It works."], **more}


def an_epic(*stories: Json, **more: object) -> Json:
    return {
        "title": "Login",
        "objective": "People come in.",
        "user_stories": list(stories or (a_story(),)),
        **more,
    }


def a_prd(*epics: Json, **more: object) -> dict[str, object]:
    """Return a PRD as a member writes it."""
    return {
        "product": {"problem_statement": "Nobody can log in.", "target_users": ["people"]},
        "scope": {"in_scope": ["login"], "out_of_scope": []},
        "technical_requirements": {"security_constraints": ["Hash passwords."]},
        "epics": list(epics or (an_epic(),)),
        "risks": ["None."],
        **more,
    }


PRD = document(a_prd(an_epic(a_story(), a_story("Log out"))), "ticket-1", DIGEST)
REFERENCES = references(PRD)


def a_bead(name: str, **more: object) -> dict[str, object]:
    """Return a bead as a member writes it."""
    return {
        "id": name,
        "title": f"Make {name}",
        "description": "Do it.",
        "prd_refs": ["US-1-1"],
        "guidance": {"patterns": ["small functions"], "anti_patterns": []},
        "acceptance_criteria": ["It is there."],
        "tests": ["It is tested."],
        "test_commands": ["npm test"],
        **more,
    }


BEADS = [a_bead("schema"), a_bead("form"), a_bead("page")]


def an_entry(name: str, *needs: str, **more: object) -> dict[str, object]:
    """Return what an expansion adds to a bead."""
    return {
        "id": name,
        "issue_type": "task",
        "labels": ["epic:EPIC-1"],
        "blocked_by": list(needs),
        "target_files": [f"src/{name}.py"],
        **more,
    }


EXPANSION = [an_entry("schema"), an_entry("form", "schema"), an_entry("page", "schema", "form")]
