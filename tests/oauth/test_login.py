"""The sign-in page: Django's, which a program cannot try for ever, and which does not tell who has an account."""

import uuid

import pytest
from django.test import Client

PASSWORD = "correct horse battery staple"


@pytest.fixture
def person(tenant, settings):
    settings.KOBANA_MCP = {
        **settings.KOBANA_MCP,
        "FAILED_LOGINS_PER_MINUTE": 3,
        "RATE_LIMIT_STORAGE": f"memory://?{uuid.uuid4()}",
    }
    tenant.owner.set_password(PASSWORD)
    tenant.owner.save()
    return tenant.owner


def attempt(name, password, address="192.0.2.1"):
    return Client(REMOTE_ADDR=address).post("/account/login", {"username": name, "password": password})


def test_right_password_signs_in(person):
    assert attempt(person.email, PASSWORD).status_code == 302


def test_after_too_many_wrong_passwords_none_is_tried_for_that_account(person):
    for _ in range(3):
        assert "Too many" not in attempt(person.email, "wrong").content.decode()
    assert "Too many attempts" in attempt(person.email, PASSWORD).content.decode()
    assert "Too many attempts" in attempt(person.email.upper(), PASSWORD, "192.0.2.9").content.decode()


def test_account_that_does_not_exist_is_answered_alike(person):
    own, none = attempt(person.email, "wrong"), attempt("nobody@example.com", "wrong")
    assert own.status_code == none.status_code == 200
    strip = lambda answer, name: answer.content.decode().replace(name, "").split("csrfmiddlewaretoken")[1][120:]  # noqa: E731
    assert strip(own, person.email) == strip(none, "nobody@example.com")
    for _ in range(3):
        attempt("nobody@example.com", "wrong")
    assert "Too many attempts" in attempt("nobody@example.com", "wrong").content.decode()


def test_one_address_cannot_try_many_accounts(person):
    for number in range(15):
        attempt(f"person{number}@example.com", "wrong", "198.51.100.7")
    assert "Too many attempts" in attempt(person.email, PASSWORD, "198.51.100.7").content.decode()
    assert attempt(person.email, PASSWORD, "203.0.113.5").status_code == 302


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_page_leads_to_no_other_site(person, elsewhere):
    given = {"username": person.email, "password": PASSWORD, "next": elsewhere}
    assert "evil" not in Client().post("/account/login", given).headers["Location"]
