"""People: the e-mail address is the login."""

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils.functional import cached_property

from inbox.models.base import Row
from inbox.models.reach import Reach, reach_of
from inbox.models.workspaces import Workspace


class UserManager(BaseUserManager["User"]):
    """Creates people and finds them by login, whatever its case."""

    def get_by_natural_key(self, username: str | None) -> "User":
        return super().get_by_natural_key(fold(username or ""))

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """A new person. Without a password nobody can sign in as that person."""
        if not email:
            raise ValueError("A person needs an e-mail address.")
        person = self.model(email=email, **fields)
        person.set_password(password)
        person.save(using=self._db)
        return person

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """A new person who may do everything in Django admin; what the API shows still depends on memberships."""
        return self.create_user(email, password, **{**fields, "is_staff": True, "is_superuser": True})


class User(Row, AbstractBaseUser, PermissionsMixin):  # type: ignore[django-manager-missing] # the OAuth app is untyped
    """A person, or the identity a machine acts as."""

    email = models.EmailField(max_length=254, unique=True)
    name = models.CharField(max_length=120, blank=True)
    is_active = models.BooleanField(default=True, help_text="An inactive person is refused at once, tokens included.")
    is_staff = models.BooleanField(default=False, help_text="May use Django admin.")
    default_workspace = models.ForeignKey(
        Workspace,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="Stands in where a request names no workspace.",
    )

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"

    class Meta:
        constraints = (models.UniqueConstraint(Lower("email"), name="inbox_user_email_any_case"),)

    def __str__(self) -> str:
        return self.email

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.email = fold(self.email)
        super().save(*args, **kwargs)

    def get_full_name(self) -> str:
        return self.name or self.email

    def get_short_name(self) -> str:
        return self.name or self.email

    @cached_property
    def reach(self) -> Reach:
        """What the person can reach, read once in the life of this instance, which is one request."""
        return reach_of(self)


def fold(email: str) -> str:
    """The one form in which a login is stored."""
    return email.strip().lower()
