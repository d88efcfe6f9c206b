"""Writes the demo company: people of every role, two workspaces, inboxes, agents, and mail that came in by the door."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from django.db import transaction

from inbox.intake.receive import Envelope, receive
from inbox.models import Agent, Email, Inbox, Membership, Organization, Role, User, Workspace

MAILS = Path(__file__).parent / "mails"
DOMAIN = "serra-azul.example"

#: label -> prefix of its addresses
WORKSPACES = {"Atendimento": "serra-azul", "Financeiro": "serra-azul-financeiro"}

#: address -> (workspace, label, agent)
INBOXES = {
    "serra-azul-pedidos-k7m2qx@inbox.example": ("Atendimento", "Pedidos", "Leitor de pedidos"),
    "serra-azul-duvidas-p4w9rt@inbox.example": ("Atendimento", "Dúvidas e trocas", None),
    "serra-azul-financeiro-notas-x3b8nd@inbox.example": ("Financeiro", "Notas fiscais", "Leitor de notas"),
    "serra-azul-financeiro-cobrancas-h6t5vz@inbox.example": ("Financeiro", "Cobranças", None),
}

#: label -> (workspace, system message)
AGENTS = {
    "Leitor de pedidos": (
        "Atendimento",
        "Extraia do e-mail o cliente, os produtos, as quantidades e a data de entrega.",
    ),
    "Leitor de notas": ("Financeiro", "Extraia do e-mail e dos anexos o emissor, o número, o valor e o vencimento."),
}

#: file -> (local part of the inbox up to the token, day and time of arrival in UTC), oldest first
ARRIVALS = {
    "01-plain-order": ("pedidos", "23 11:12"),
    "12-invoice-pdf": ("notas", "23 12:40"),
    "02-html-price-list": ("duvidas", "23 14:05"),
    "03-purchase-order-with-attachments": ("pedidos", "23 18:48"),
    "11-reply-in-thread": ("pedidos", "23 19:30"),
    "13-energy-bill-inline-image": ("cobrancas", "24 08:15"),
    "05-forwarded-tracking-question": ("duvidas", "24 12:03"),
    "04-encoded-words-complaint": ("duvidas", "24 16:20"),
    "06-japanese-sample-request": ("pedidos", "25 01:31"),
    "07-latin1-stock-alert": ("pedidos", "25 09:00"),
    "08-base64-export-inquiry": ("pedidos", "25 16:45"),
    "09-prompt-injection": ("duvidas", "26 05:17"),
    "14-payment-reminder": ("cobrancas", "26 13:00"),
    "10-sloppy-market-stall": ("pedidos", "26 15:26"),
}


@dataclass
class Demo:
    """What was written, or was there already.

    Args:
        people: by role.
        workspaces: by label; inboxes: by address.
        received: the mails that came in this time.
    """

    organization: Organization
    people: dict[Role, User] = field(default_factory=dict)
    workspaces: dict[str, Workspace] = field(default_factory=dict)
    inboxes: dict[str, Inbox] = field(default_factory=dict)
    received: list[Email] = field(default_factory=list)


def seed() -> Demo:
    """The demo company. Running it again adds what is missing and changes nothing else."""
    with transaction.atomic():
        organization, _ = Organization.objects.get_or_create(
            slug="serra-azul", defaults={"name": "Torrefação Serra Azul"}
        )
        demo = Demo(organization)
        _people(demo)
        _places(demo)
    for name, (place, moment) in ARRIVALS.items():
        demo.received.extend(_arrive(name, place, moment))
    return demo


def _people(demo: Demo) -> None:
    """One person of each role. Their passwords are unusable until somebody sets one."""
    for role in Role:
        email = f"{role.value}@{DOMAIN}"
        person = User.objects.filter(email=email).first() or User.objects.create_user(email, name=role.value.title())
        Membership.objects.get_or_create(user=person, organization=demo.organization, defaults={"role": role})
        demo.people[role] = person


def _places(demo: Demo) -> None:
    for label, prefix in WORKSPACES.items():
        demo.workspaces[label], _ = Workspace.objects.live().get_or_create(
            organization=demo.organization, label=label, defaults={"email_prefix": prefix}
        )
    agents = {
        label: Agent.objects.live().get_or_create(
            workspace=demo.workspaces[workspace],
            label=label,
            defaults={"llm_model": "local", "system_message": message},
        )[0]
        for label, (workspace, message) in AGENTS.items()
    }
    for address, (workspace, label, agent) in INBOXES.items():
        demo.inboxes[address], _ = Inbox.objects.live().get_or_create(
            email=address,
            defaults={"workspace": demo.workspaces[workspace], "label": label, "agent": agents.get(agent or "")},
        )


def _arrive(name: str, place: str, moment: str) -> list[Email]:
    """One mail through the door every mail takes. Its time of arrival is fixed, so a second run knows it again."""
    address = next(address for address in INBOXES if f"-{place}-" in address)
    received_at = datetime.strptime(f"2026-11-{moment}", "%Y-%m-%d %H:%M").replace(tzinfo=UTC)
    raw = (MAILS / f"{name}.eml").read_bytes()
    return receive(raw, Envelope("", (address,)), received_at=received_at).stored
