"""Pages for people: rendered here, without a build, under a policy that lets nothing foreign in.

``door`` puts the pages together; each other module has one page, or one thing that all of them
need. What people may do is decided in ``service``.
"""
