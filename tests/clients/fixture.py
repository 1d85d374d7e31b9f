"""The tools, resources and prompts that the official conformance suite asks for by their names.

They answer through our own server behind our own door: only what stands behind a name is theirs.
"""

import json
from collections.abc import Callable
from typing import Any, Final

from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    AudioContent,
    BlobResourceContents,
    CallToolRequestParams,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    GetPromptRequestParams,
    GetPromptResult,
    ImageContent,
    InputRequiredResult,
    ListPromptsResult,
    ListResourcesResult,
    ListToolsResult,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    TextContent,
    TextResourceContents,
    Tool,
)

from interlock.doors.mcp.call import Context

MISSING_CAPABILITY: Final = -32021
PIXEL: Final = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
SILENCE: Final = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA="

Answer = CallToolResult | InputRequiredResult
Asked = CallToolRequestParams | GetPromptRequestParams


def furnish(server: Server[Any]) -> None:
    """Put the suite's names behind a server of ours."""
    server.get_tool_input_schema = SCHEMAS.get
    server.add_request_handler("tools/list", PaginatedRequestParams, _list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, _call_tool)
    server.add_request_handler("resources/list", PaginatedRequestParams, _list_resources)
    server.add_request_handler("resources/read", ReadResourceRequestParams, _read_resource)
    server.add_request_handler("prompts/list", PaginatedRequestParams, _list_prompts)
    server.add_request_handler("prompts/get", GetPromptRequestParams, _get_prompt)


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)


def _image() -> ImageContent:
    return ImageContent(type="image", data=PIXEL, mime_type="image/png")


def _embedded(uri: str, text: str, kind: str = "text/plain") -> EmbeddedResource:
    inner = TextResourceContents(uri=uri, text=text, mime_type=kind)
    return EmbeddedResource(type="resource", resource=inner)


CONTENT: Final[dict[str, list[ContentBlock]]] = {
    "test_simple_text": [_text("This is a simple text response for testing.")],
    "test_image_content": [_image()],
    "test_audio_content": [AudioContent(type="audio", data=SILENCE, mime_type="audio/wav")],
    "test_embedded_resource": [
        _embedded("test://embedded-resource", "This is an embedded resource content.")
    ],
    "test_multiple_content_types": [
        _text("Multiple content types test:"),
        _image(),
        _embedded(
            "test://mixed-content-resource", '{"test":"data","value":123}', "application/json"
        ),
    ],
    "test_logging_tool": [_text("It has nothing to log.")],
    "json_schema_2020_12_tool": [_text("It is there for its schema.")],
    "test_header": [_text("It is there for its header.")],
}
ONE_OF_TWO: Final = [{"required": ["phone"]}, {"required": ["email"]}]
SCHEMAS: Final[dict[str, dict[str, Any]]] = {
    "json_schema_2020_12_tool": {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {"$anchor": "addressDef", "type": "object"}},
        "properties": {
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": ONE_OF_TWO}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}},
        "then": ONE_OF_TWO[0],
        "else": ONE_OF_TWO[1],
        "additionalProperties": False,
    },
    "test_header": {
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
    },
}
NO_ARGUMENTS: Final[dict[str, Any]] = {"type": "object", "properties": {}}


def _form(message: str, field: str, kind: str = "string") -> dict[str, Any]:
    schema = {"type": "object", "properties": {field: {"type": kind}}, "required": [field]}
    params = {"mode": "form", "message": message, "requestedSchema": schema}
    return {"method": "elicitation/create", "params": params}


def _sample(text: str) -> dict[str, Any]:
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return {"method": "sampling/createMessage", "params": {"messages": [message], "maxTokens": 100}}


ROOTS: Final[dict[str, Any]] = {"method": "roots/list"}
NAME: Final = _form("What is your name?", "name")
OK: Final = _form("Please confirm", "ok", "boolean")
QUESTIONS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "test_input_required_result_elicitation": ("", {"user_name": NAME}),
    "test_input_required_result_sampling": (
        "",
        {"capital_question": _sample("What is the capital of France?")},
    ),
    "test_input_required_result_list_roots": ("", {"client_roots": ROOTS}),
    "test_input_required_result_request_state": ("state", {"confirm": OK}),
    "test_input_required_result_tampered_state": ("state", {"confirm": OK}),
    "test_input_required_result_multiple_inputs": (
        "state",
        {"user_name": NAME, "greeting": _sample("Generate a greeting"), "client_roots": ROOTS},
    ),
    "test_input_required_result_capabilities": ("", {"one": _sample("Say something"), "two": NAME}),
    "test_streaming_elicitation": ("", {"user_name": NAME}),
}
"""For each tool that asks back: the state it hands out, and what it asks."""

ROUNDS: Final = ("step1", "step2")


def _ask(questions: dict[str, Any], state: str = "") -> InputRequiredResult:
    asked = {"inputRequests": questions, "requestState": state or None}
    return InputRequiredResult.model_validate(asked)


def _asked_back(context: Context, params: CallToolRequestParams) -> Answer:
    """Ask until everything that the client can answer has been answered."""
    state, questions = QUESTIONS[params.name]
    able = context.session.client_capabilities
    if params.name.endswith("_capabilities") and able is not None and able.elicitation is None:
        questions = {
            key: one for key, one in questions.items() if one["method"] != "elicitation/create"
        }
    if params.request_state is not None and params.request_state != state:
        raise MCPError(code=INVALID_PARAMS, message="The state is not the one that was handed out.")
    given = params.input_responses or {}
    if not questions.keys() <= given.keys():
        return _ask(questions, state)
    told = {key: given[key].model_dump(mode="json", by_alias=True) for key in questions}
    return CallToolResult(content=[_text(f"{state}-ok {json.dumps(told)}")])


def _rounds(context: Context, params: CallToolRequestParams) -> Answer:
    """Ask twice, one question after the other."""
    del context
    answered = params.input_responses or {}
    if params.request_state == "round-2" and ROUNDS[1] in answered:
        return CallToolResult(content=[_text("Both rounds are done.")])
    if params.request_state == "round-1" and ROUNDS[0] in answered:
        return _ask({ROUNDS[1]: _form("What is your favorite color?", "color")}, "round-2")
    return _ask({ROUNDS[0]: NAME}, "round-1")


def _incapable(context: Context, params: CallToolRequestParams) -> Answer:
    """Refuse a client that has not declared what this needs."""
    del context, params
    needed: dict[str, Any] = {"requiredCapabilities": {"sampling": {}}}
    raise MCPError(code=MISSING_CAPABILITY, message="It needs sampling.", data=needed)


def _faulty(context: Context, params: CallToolRequestParams) -> Answer:
    del context, params
    said = _text("This tool intentionally returns an error for testing")
    return CallToolResult(content=[said], is_error=True)


def _plain(context: Context, params: CallToolRequestParams) -> Answer:
    del context
    return CallToolResult(content=CONTENT[params.name])


TOOLS: Final[dict[str, Callable[[Context, CallToolRequestParams], Answer]]] = {
    **dict.fromkeys(CONTENT, _plain),
    **dict.fromkeys(QUESTIONS, _asked_back),
    "test_error_handling": _faulty,
    "test_input_required_result_multi_round": _rounds,
    "test_missing_capability": _incapable,
}


async def _list_tools(context: Context, params: PaginatedRequestParams) -> ListToolsResult:
    del context, params
    return ListToolsResult(
        tools=[
            Tool(name=name, description=name, input_schema=SCHEMAS.get(name, NO_ARGUMENTS))
            for name in TOOLS
        ]
    )


async def _call_tool(context: Context, params: CallToolRequestParams) -> Answer:
    if params.name not in TOOLS:
        raise MCPError(code=INVALID_PARAMS, message=f"Unknown tool {params.name}")
    return TOOLS[params.name](context, params)


async def _list_resources(context: Context, params: PaginatedRequestParams) -> ListResourcesResult:
    del context, params
    uris = ("test://static-text", "test://static-binary")
    return ListResourcesResult(
        resources=[Resource(uri=uri, name=uri, description=uri) for uri in uris]
    )


async def _read_resource(context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
    del context
    uri = str(params.uri)
    if uri == "test://static-text":
        text = "This is the content of the static text resource."
        return ReadResourceResult(
            contents=[TextResourceContents(uri=uri, text=text, mime_type="text/plain")]
        )
    if uri == "test://static-binary":
        return ReadResourceResult(
            contents=[BlobResourceContents(uri=uri, blob=PIXEL, mime_type="image/png")]
        )
    if uri.startswith("test://template/"):
        number = uri.split("/")[3]
        text = json.dumps({"id": number, "templateTest": True, "data": f"Data for ID: {number}"})
        return ReadResourceResult(
            contents=[TextResourceContents(uri=uri, text=text, mime_type="application/json")]
        )
    raise MCPError(code=INVALID_PARAMS, message="Resource not found", data={"uri": uri})


PROMPTS: Final[dict[str, tuple[str, ...]]] = {
    "test_simple_prompt": (),
    "test_prompt_with_arguments": ("arg1", "arg2"),
    "test_prompt_with_embedded_resource": ("resourceUri",),
    "test_prompt_with_image": (),
    "test_input_required_result_prompt": (),
}


async def _list_prompts(context: Context, params: PaginatedRequestParams) -> ListPromptsResult:
    del context, params
    return ListPromptsResult(
        prompts=[
            Prompt(
                name=name,
                description=name,
                arguments=[PromptArgument(name=one, required=True) for one in arguments],
            )
            for name, arguments in PROMPTS.items()
        ]
    )


async def _get_prompt(
    context: Context, params: GetPromptRequestParams
) -> GetPromptResult | InputRequiredResult:
    del context
    given = params.arguments or {}
    said: dict[str, list[ContentBlock]] = {
        "test_simple_prompt": [_text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments": [
            _text(f"Prompt with arguments: arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'")
        ],
        "test_prompt_with_embedded_resource": [
            _embedded(given.get("resourceUri", ""), "Embedded resource content for testing."),
            _text("Please process the embedded resource above."),
        ],
        "test_prompt_with_image": [_image(), _text("Please analyze the image above.")],
        "test_input_required_result_prompt": [_text("There is a context now.")],
    }
    if params.name not in said:
        raise MCPError(code=INVALID_PARAMS, message=f"Unknown prompt {params.name}")
    if params.name == "test_input_required_result_prompt" and not params.input_responses:
        return _ask({"user_context": _form("What context should the prompt use?", "context")})
    messages = [PromptMessage(role="user", content=one) for one in said[params.name]]
    return GetPromptResult(messages=messages)
