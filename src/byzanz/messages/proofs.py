"""Whether a deal is proven, as sentences for players."""

from __future__ import annotations

from gettext import NullTranslations

from byzanz.locale import ENGLISH, _
from byzanz.notation import ProofFault

PROOF_TEXTS = {
    None: _("The deal is proven: it follows from the server's secret and the players' numbers."),
    ProofFault.MISSING: _("This game has no proof of its deal."),
    ProofFault.MALFORMED: _(
        "The proof cannot be read. "
        "Expected: commitment, secret and nonces in lower-case hexadecimal digits."
    ),
    ProofFault.SEATS: _("The proof does not have one number for each seat."),
    ProofFault.SECRET: _(
        "The secret does not match the hash. The server did not open the secret that it promised."
    ),
    ProofFault.DEAL: _(
        "The cards do not follow from the secret and the players' numbers. "
        "They were dealt differently, or the record was changed."
    ),
    ProofFault.COMMITMENT: _(
        "The hash is not the one that was published before the game. "
        "The server changed its secret, or the record was changed."
    ),
    ProofFault.NONCE: _("The number that you added is not in the proof."),
}
"""The English sentence for each result; the key None means that the deal is proven."""


def explain_proof(fault: ProofFault | None, translations: NullTranslations = ENGLISH) -> str:
    """Return a sentence that says whether a deal is proven, or why not."""
    return translations.gettext(PROOF_TEXTS[fault])
