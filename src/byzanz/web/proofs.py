"""The page that checks the deal of a table in the browser."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from byzanz.messages import PROOF_TEXTS, explain_proof
from byzanz.tables import DealProof, Declined, TableReason

from .board import seat_names
from .pages import look, page, renderer_for, viewer


async def verify(request: Request) -> Response:
    """Show the proof of a deal. The page's script checks it once the game is over."""
    table_view = await look(request)
    translations = renderer_for(request).translations
    names = seat_names(table_view.table, table_view.sitters, translations)
    proof = await _proof(request)
    return page(
        request,
        "verify.html",
        table=table_view.table,
        proof=proof,
        numbers=list(zip(names, proof.nonces, strict=True)) if proof else [],
        proven=explain_proof(None, translations),
        faults={fault.value: explain_proof(fault, translations) for fault in PROOF_TEXTS if fault},
    )


async def _proof(request: Request) -> DealProof | None:
    """Return the proof of the table's deal; None if there is none."""
    try:
        proof: DealProof = await request.app.state.service.proof(
            request.path_params["table"], viewer(request)
        )
    except Declined as declined:
        if declined.reason is not TableReason.NO_PROOF:
            raise
        return None
    return proof


routes: list[BaseRoute] = [Route("/table/{table}/verify", verify)]
"""The route of the page."""
