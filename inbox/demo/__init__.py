"""A small company to try the product with. Everybody and everything in it is made up."""
