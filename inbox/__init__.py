"""The Autonomous Inbox: a multi-tenant DRF API over a company's e-mail addresses and the mail they receive."""
