"""The OpenAPI document, its page, and the pages on manners and errors."""
