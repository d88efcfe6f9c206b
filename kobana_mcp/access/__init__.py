"""The resource server: who is calling, with which rights, and what is answered to those who may not."""
