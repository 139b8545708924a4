"""What has to be set before settings are read; loaded as the first plugin, see pyproject.toml."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

# A folder of its own: tests never touch what `make demo` keeps.
os.environ["DATA_DIR"] = tempfile.mkdtemp(prefix="appraise-test-")
atexit.register(shutil.rmtree, os.environ["DATA_DIR"], ignore_errors=True)
(Path(os.environ["DATA_DIR"]) / "static").mkdir()
os.environ.pop("CELERY_BROKER_URL", None)
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # Playwright's loop runs in the thread of the tests
