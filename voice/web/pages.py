"""The browser app's built files, and a page that helps where they have not been built."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from fastapi.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles

if TYPE_CHECKING:
    from fastapi import FastAPI

STATIC: Final = Path(__file__).parent / "static"

NOT_BUILT: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>voicetable: the app is not built</title>
<h1>The server is running. Its browser app is not built.</h1>
<p>An installed package has it inside. In a checkout, build it once (Node.js 20 or later):</p>
<pre>cd voice/web/app
npm ci
npm run build</pre>
<p>Then reload this page.</p>
</html>
"""


class _Files(StaticFiles):
    """The app's files. Where they have not been built yet they are not found, which is no fault."""

    async def check_config(self) -> None:
        """Nothing to check: the folder may come later."""


def install(app: FastAPI, static: Path = STATIC) -> None:
    """Serve the app's files at every path that is no route."""

    @app.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
    async def index() -> Response:
        page = static / "index.html"
        return FileResponse(page) if page.is_file() else HTMLResponse(NOT_BUILT, 503)

    app.mount("/", _Files(directory=static, check_dir=False), name="static")
