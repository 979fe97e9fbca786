from tests.conformance.table import PAGE, page

PAGE.write_text(page(), encoding="utf-8")
print(f"{PAGE.name} is written")
