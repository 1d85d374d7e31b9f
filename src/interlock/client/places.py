"""Where each command is found over HTTP. Made by `make docs` from the command rows. Do not edit."""

from typing import Final, NamedTuple


class Place(NamedTuple):
    """A method and a path, and what a call takes: a request id, a session.

    What is repeatable may be sent again as it is.
    """

    method: str
    path: str
    is_keyed: bool = False
    has_session: bool = False
    is_repeatable: bool = False


PLACES: Final[dict[str, Place]] = {
    "create_research_plan": Place("POST", "/plans", is_keyed=True, has_session=True),
    "get_next_step": Place("POST", "/plans/{plan_id}/next", is_keyed=True, has_session=True),
    "submit_step_result": Place("POST", "/steps/{step_id}/result", is_keyed=True, has_session=True),
    "heartbeat_step": Place(
        "POST", "/steps/{step_id}/heartbeat", is_keyed=True, has_session=True, is_repeatable=True
    ),
    "release_step": Place("POST", "/steps/{step_id}/release", is_keyed=True, has_session=True),
    "take_over_step": Place("POST", "/steps/{step_id}/take-over", is_keyed=True, has_session=True),
    "request_user_review": Place(
        "POST", "/steps/{step_id}/review", is_keyed=True, has_session=True
    ),
    "submit_user_decision": Place("POST", "/decisions", is_keyed=True, has_session=True),
    "modify_plan": Place("POST", "/plans/{plan_id}/changes", is_keyed=True, has_session=True),
    "fail_plan": Place("POST", "/plans/{plan_id}/fail", is_keyed=True, has_session=True),
    "get_plan_status": Place("GET", "/plans/{plan_id}", has_session=True, is_repeatable=True),
    "get_research_context": Place(
        "GET", "/plans/{plan_id}/context", has_session=True, is_repeatable=True
    ),
    "get_step_context": Place("GET", "/steps/{step_id}/context", is_repeatable=True),
    "list_active_plans": Place("GET", "/plans", is_repeatable=True),
    "propose_mission": Place("POST", "/missions", is_keyed=True, has_session=True),
    "edit_mission": Place(
        "POST", "/missions/{mission_id}/changes", is_keyed=True, has_session=True
    ),
    "accept_mission": Place(
        "POST", "/missions/{mission_id}/acceptance", is_keyed=True, has_session=True
    ),
    "set_asset": Place("PUT", "/assets/{asset_id}", is_keyed=True, has_session=True),
    "mission_status": Place("GET", "/missions/{mission_id}", has_session=True, is_repeatable=True),
    "mission_context": Place(
        "GET", "/missions/{mission_id}/context", has_session=True, is_repeatable=True
    ),
    "list_missions": Place("GET", "/missions", is_repeatable=True),
    "propose_hop": Place("POST", "/missions/{mission_id}/hops", is_keyed=True, has_session=True),
    "create_hop": Place("POST", "/hops", is_keyed=True, has_session=True),
    "revise_hop": Place("POST", "/hops/{hop_id}/changes", is_keyed=True, has_session=True),
    "withdraw_hop": Place("POST", "/hops/{hop_id}/withdrawal", is_keyed=True, has_session=True),
    "accept_hop": Place("POST", "/hops/{hop_id}/acceptance", is_keyed=True, has_session=True),
    "reject_hop": Place("POST", "/hops/{hop_id}/rejection", is_keyed=True, has_session=True),
    "request_changes": Place(
        "POST", "/hops/{hop_id}/request-changes", is_keyed=True, has_session=True
    ),
    "reset_hop": Place("POST", "/hops/{hop_id}/reset", is_keyed=True, has_session=True),
    "delete_hop": Place("POST", "/hops/{hop_id}/deletion", is_keyed=True, has_session=True),
    "archive_hop": Place("POST", "/hops/{hop_id}/archive", is_keyed=True, has_session=True),
    "submit_resolution": Place(
        "POST", "/hops/{hop_id}/resolution", is_keyed=True, has_session=True
    ),
    "fail_resolution": Place(
        "POST", "/hops/{hop_id}/resolution-failure", is_keyed=True, has_session=True
    ),
    "approve_design": Place("POST", "/hops/{hop_id}/approval", is_keyed=True, has_session=True),
    "execute_hop": Place("POST", "/hops/{hop_id}/execution", is_keyed=True, has_session=True),
    "submit_tool_result": Place(
        "POST", "/parts/{part_id}/tool-result", is_keyed=True, has_session=True
    ),
    "mark_hop_complete": Place(
        "POST", "/hops/{hop_id}/completion", is_keyed=True, has_session=True
    ),
    "complete_early": Place(
        "POST", "/missions/{mission_id}/completion", is_keyed=True, has_session=True
    ),
    "fix_hop": Place("POST", "/hops/{hop_id}/fix", is_keyed=True, has_session=True),
    "abandon_recovery": Place(
        "POST", "/missions/{mission_id}/abandonment", is_keyed=True, has_session=True
    ),
    "cancel": Place("POST", "/cancellations", is_keyed=True, has_session=True),
    "reset_mission": Place("POST", "/missions/{mission_id}/reset", is_keyed=True, has_session=True),
    "create_project": Place("POST", "/projects"),
    "edit_project": Place("POST", "/projects/{project_id}/changes"),
    "archive_project": Place("POST", "/projects/{project_id}/archive"),
    "get_project": Place("GET", "/projects/{project_id}", is_repeatable=True),
    "list_projects": Place("GET", "/projects", is_repeatable=True),
    "list_prompts": Place("GET", "/projects/{project_id}/prompts", is_repeatable=True),
    "create_ticket": Place("POST", "/tickets", is_keyed=True, has_session=True),
    "edit_ticket": Place("POST", "/tickets/{ticket_id}/changes", is_keyed=True, has_session=True),
    "start": Place("POST", "/tickets/{ticket_id}/start", is_keyed=True, has_session=True),
    "answer_batch": Place("POST", "/tickets/{ticket_id}/answers", is_keyed=True, has_session=True),
    "skip_question": Place("POST", "/tickets/{ticket_id}/skips", is_keyed=True, has_session=True),
    "skip_all": Place(
        "POST", "/tickets/{ticket_id}/end-of-interview", is_keyed=True, has_session=True
    ),
    "edit_answer": Place(
        "PUT", "/tickets/{ticket_id}/answers/{question_id}", is_keyed=True, has_session=True
    ),
    "save_artifact": Place(
        "POST", "/tickets/{ticket_id}/versions", is_keyed=True, has_session=True
    ),
    "approve": Place("POST", "/tickets/{ticket_id}/approval", is_keyed=True, has_session=True),
    "reopen": Place("POST", "/tickets/{ticket_id}/reopening", is_keyed=True, has_session=True),
    "retry": Place("POST", "/tickets/{ticket_id}/retry", is_keyed=True, has_session=True),
    "regenerate_setup_plan": Place(
        "POST", "/tickets/{ticket_id}/setup-plan", is_keyed=True, has_session=True
    ),
    "merge": Place("POST", "/tickets/{ticket_id}/merge", is_keyed=True, has_session=True),
    "close_unmerged": Place(
        "POST", "/tickets/{ticket_id}/closing", is_keyed=True, has_session=True
    ),
    "finish": Place("POST", "/tickets/{ticket_id}/finish", is_keyed=True, has_session=True),
    "raise_budget": Place("POST", "/tickets/{ticket_id}/budget", is_keyed=True, has_session=True),
    "report_merge": Place(
        "POST", "/tickets/{ticket_id}/merge-report", is_keyed=True, has_session=True
    ),
    "ticket_status": Place("GET", "/tickets/{ticket_id}", is_repeatable=True),
    "ticket_context": Place("GET", "/tickets/{ticket_id}/context", is_repeatable=True),
    "list_tickets": Place("GET", "/tickets", is_repeatable=True),
    "store_research": Place("POST", "/plans/{plan_id}/artifacts", is_keyed=True, has_session=True),
    "store_research_output": Place(
        "POST", "/plans/{plan_id}/outputs", is_keyed=True, has_session=True
    ),
    "get_artifact": Place("GET", "/artifacts/{artifact_id}", is_repeatable=True),
    "search_sources": Place("GET", "/sources", is_repeatable=True),
    "extract_data": Place("POST", "/extractions", is_keyed=True, has_session=True),
    "log_skill_execution": Place("POST", "/skills", is_keyed=True, has_session=True),
    "submit_feedback": Place("POST", "/plans/{plan_id}/feedback", is_keyed=True, has_session=True),
    "get_next_work": Place("POST", "/parts/next", is_keyed=True, has_session=True),
    "submit_work": Place("POST", "/parts/{part_id}/answer", is_keyed=True, has_session=True),
    "heartbeat_work": Place(
        "POST", "/parts/{part_id}/heartbeat", is_keyed=True, has_session=True, is_repeatable=True
    ),
    "release_work": Place("POST", "/parts/{part_id}/release", is_keyed=True, has_session=True),
    "fail_work": Place("POST", "/parts/{part_id}/fail", is_keyed=True, has_session=True),
    "take_over_work": Place("POST", "/parts/{part_id}/take-over", is_keyed=True, has_session=True),
    "explain": Place("GET", "/units/{id}/explanation", is_repeatable=True),
    "list_units": Place("GET", "/units", is_repeatable=True),
    "get_unit": Place("GET", "/units/{id}", is_repeatable=True),
    "get_audit": Place("GET", "/units/{id}/audit", is_repeatable=True),
    "ping": Place("GET", "/whoami", is_repeatable=True),
    "list_work": Place("GET", "/parts", is_repeatable=True),
    "get_work_context": Place("GET", "/parts/{part_id}", is_repeatable=True),
    "append_log": Place("POST", "/parts/{part_id}/log", is_keyed=True, has_session=True),
    "read_logs": Place("GET", "/units/{id}/logs", is_repeatable=True),
    "get_board": Place("GET", "/board", is_repeatable=True),
    "verify_audit": Place("GET", "/audit/verification", is_repeatable=True),
    "list_leases": Place("GET", "/leases", is_repeatable=True),
    "list_artifacts": Place("GET", "/units/{id}/artifacts", is_repeatable=True),
    "get_content": Place("GET", "/units/{id}/artifacts/{digest}", is_repeatable=True),
    "list_calls": Place("GET", "/calls", is_repeatable=True),
    "list_workflows": Place("GET", "/workflows", is_repeatable=True),
    "get_workflow": Place("GET", "/workflows/{name}", is_repeatable=True),
    "list_gates": Place("GET", "/gates", is_repeatable=True),
    "get_gate": Place("GET", "/gates/{gate_id}", is_repeatable=True),
    "decide_gate": Place("POST", "/gates/{gate_id}/decision", is_keyed=True, has_session=True),
    "create_token": Place("POST", "/tokens"),
    "list_tokens": Place("GET", "/tokens", is_repeatable=True),
    "revoke_token": Place("DELETE", "/tokens/{token_id}"),
    "list_users": Place("GET", "/users", is_repeatable=True),
    "invite_user": Place("POST", "/invitations"),
    "list_invitations": Place("GET", "/invitations", is_repeatable=True),
    "withdraw_invitation": Place("DELETE", "/invitations/{invitation_id}"),
    "set_role": Place("PUT", "/users/{user_id}/role"),
    "disable_user": Place("POST", "/users/{user_id}/disable"),
    "enable_user": Place("POST", "/users/{user_id}/enable"),
    "create_login_link": Place("POST", "/login-links"),
    "list_sessions": Place("GET", "/sessions", is_repeatable=True),
    "end_session": Place("DELETE", "/sessions/{browser_session_id}"),
    "get_tenant": Place("GET", "/tenant", is_repeatable=True),
    "rename_tenant": Place("PUT", "/tenant"),
    "delete_unit": Place("DELETE", "/units/{id}", is_keyed=True, has_session=True),
    "list_acts": Place("GET", "/acts", is_repeatable=True),
    "create_webhook": Place("POST", "/webhooks"),
    "list_webhooks": Place("GET", "/webhooks", is_repeatable=True),
    "disable_webhook": Place("POST", "/webhooks/{hook_id}/disable"),
    "enable_webhook": Place("POST", "/webhooks/{hook_id}/enable"),
    "delete_webhook": Place("DELETE", "/webhooks/{hook_id}"),
    "test_webhook": Place("POST", "/webhooks/{hook_id}/test"),
    "list_deliveries": Place("GET", "/deliveries", is_repeatable=True),
    "replay_delivery": Place("POST", "/deliveries/{delivery_id}/replay"),
    "link_gate": Place("POST", "/gates/{gate_id}/links"),
    "void_gate_links": Place("DELETE", "/gate-links"),
    "get_health": Place("GET", "/health", is_repeatable=True),
}
