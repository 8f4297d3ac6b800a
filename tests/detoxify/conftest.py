"""These tests need the extra `detoxify`: `make test-detoxify` runs them, in an environment of their own."""

from models.toxicity.find import installed

collect_ignore_glob = [] if installed() else ["*"]
