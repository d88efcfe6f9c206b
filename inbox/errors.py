"""What the domain can refuse: one class each, with its code and HTTP status. Services raise, the API answers."""

from collections.abc import Mapping
from typing import Any, ClassVar


class DomainError(Exception):
    """A refusal that is told to the caller.

    Args:
        message: one sentence for people; without one, the class's own.
        details: the ``details`` member of the error envelope.
    """

    code: ClassVar[str] = "internal_error"
    status: ClassVar[int] = 500
    message: str = "Something went wrong on our side."

    def __init__(self, message: str = "", details: Mapping[str, Any] | None = None) -> None:
        self.message = message or self.message
        self.details = details
        super().__init__(self.message)


class NotFound(DomainError):
    """No such row within the caller's reach; a deleted one and another tenant's are no different."""

    code, status = "not_found", 404
    message = "There is nothing here under this id."


class WorkspaceNotFound(DomainError):
    """The workspace that was named is not within the caller's reach."""

    code, status = "workspace_not_found", 404
    message = "There is no such workspace, or you have no access to it."


class WorkspaceRequired(DomainError):
    """Several workspaces are within reach and none was named."""

    code, status = "workspace_required", 400
    message = "You have access to several workspaces: name one in the X-Workspace-Id header."


class Conflict(DomainError):
    """A uniqueness rule would be broken."""

    code, status = "conflict", 409
    message = "This value is already taken."


class Unprocessable(DomainError):
    """Well-formed, but refused by a rule that needs the server's knowledge."""

    code, status = "unprocessable", 422
    message = "This cannot be done as asked."


class InvalidFields(DomainError):
    """Fields that are wrong only because of what is there already.

    Args:
        faults: field -> what is wrong with it.
    """

    code, status = "validation_failed", 400
    message = "The request is not valid."

    def __init__(self, faults: Mapping[str, list[str]]) -> None:
        super().__init__(details={"formErrors": [], "fieldErrors": dict(faults)})
