# conspirator: every task is one verb. `make help` lists them.
# Needs Python 3.11 or newer, cargo and make; everything else goes into .venv.

PYTHON ?= python3
BIN := .venv/bin
RUST := Cargo.toml $(shell find crates -name '*.rs' -o -name Cargo.toml)

.DEFAULT_GOAL := help
.PHONY: help build studio wheel quick demo test clippy rust python verify fuzz threads undefined soak notices deny lint format bench evidence docs clean

help: ## list the verbs
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 10

$(BIN)/maturin: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo 'conspirator needs Python 3.11 or newer: make PYTHON=python3.11 ...' >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check 'maturin>=1.9,<2'
	@touch $@

.venv/built: $(BIN)/maturin $(RUST)
	@tools/toolchain.sh
	VIRTUAL_ENV=$(CURDIR)/.venv $(BIN)/maturin develop --release --quiet
	@touch $@

# what tests and checks need, and users do not
.venv/checked: .venv/built pyproject.toml
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["dev"], sep="\n")' > .venv/dev.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -r .venv/dev.txt
	@touch $@

build: .venv/built ## build the Rust core and install the package into .venv

studio: ## the studio's page from its sources in studio/: needs Node.js 20, and nobody else does
	@npm --version > /dev/null 2>&1 || { echo 'make studio needs Node.js and npm' >&2; exit 1; }
	cd studio && npm install --no-save --silent --no-audit --no-fund && npm run --silent build

wheel: $(BIN)/maturin ## a wheel in dist/, to install with pip where there is no cargo
	@tools/toolchain.sh
	VIRTUAL_ENV=$(CURDIR)/.venv $(BIN)/maturin build --release --quiet --out dist
	@ls dist/*.whl

quick: $(BIN)/maturin ## after a change in crates/: a build in seconds, at half the speed, to run some tests with
	@test -e .venv/checked || $(MAKE) .venv/checked
	VIRTUAL_ENV=$(CURDIR)/.venv $(BIN)/maturin develop --profile quick --quiet
	@touch -d @0 .venv/built

demo: build ## a search that chooses a move and explains itself, in a few seconds
	@$(BIN)/conspirator analyze connect-four --position 4453 --search conspiracy --set goal=move --set threshold=3 --seconds 5

test: ## all tests and checks
	@$(MAKE) --no-print-directory -j2 .venv/checked rust  # two builds that do not wait for each other
	@$(MAKE) --no-print-directory python
	$(BIN)/python -m pytest -n auto

clippy:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --quiet -- -D warnings

rust: clippy ## the checks of the Rust code
	cargo test --workspace --quiet

python: .venv/checked ## the checks of the Python code, but for its tests
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

verify: .venv/checked ## the checks that take minutes
	tools/try_wheel.sh
	cargo test --release --workspace --quiet -- --ignored
	$(BIN)/python -m pytest -m verify
	@$(MAKE) --no-print-directory threads fuzz

SECONDS ?= 60
fuzz: .venv/checked ## odd notations, saved trees, games and texts, for SECONDS each: needs cargo-fuzz, and Linux
	@cargo fuzz --version > /dev/null 2>&1 || { echo 'make fuzz needs cargo-fuzz: cargo install cargo-fuzz' >&2; exit 1; }
	$(BIN)/pip install --quiet --disable-pip-version-check 'atheris>=3,<4'
	@mkdir -p fuzz/corpus/notation fuzz/corpus/saved fuzz/corpus/searches fuzz/corpus/games fuzz/corpus/texts
	for target in notation saved searches; do \
		cargo fuzz run --sanitizer none $$target -- -max_total_time=$(SECONDS) -rss_limit_mb=2048 -timeout=60 -print_final_stats=1 -verbosity=0 || exit 1; done
	for target in games texts; do \
		$(BIN)/python fuzz/python/$$target.py fuzz/corpus/$$target -max_total_time=$(SECONDS) -timeout=60 -print_final_stats=1 -verbosity=0 || exit 1; done

threads: ## all orders in which threads can use what they share, by the model checker loom
	RUSTFLAGS='--cfg loom' cargo test -p conspirator-core --lib --target-dir target/loom orders

undefined: ## what threads and searches share, under Miri: needs a nightly toolchain with miri
	MIRIFLAGS=-Zmiri-disable-isolation cargo +nightly miri test -p conspirator-core --target-dir target/miri --lib -- spare:: store::

soak: .venv/checked ## searches of all kinds for SECONDS, with a gate on memory; an hour: make soak SECONDS=3600
	$(BIN)/python tests/soak.py $(SECONDS)

notices: ## the licences of the crates that the wheel links, after a change of Cargo.lock
	$(PYTHON) tools/notices.py

deny: ## licences and sources of the crates: needs cargo-deny
	cargo deny check licenses bans sources

lint: clippy python ## formatting, types, clippy

format: .venv/checked ## format all code
	cargo fmt --all
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: build ## speed, as ratios in one run; with the peers if they are installed
	$(BIN)/pip install --quiet --disable-pip-version-check 'bitbully>=0.0.70' 'easyAI>=2.0.12' 'open_spiel>=2'
	$(BIN)/conspirator bench --peers

evidence: build ## the data behind a figure, again: make evidence NAME=speed; without NAME, what there is
	@$(BIN)/python tools/evidence.py $(if $(NAME),run $(NAME))

docs: build ## the documentation as a site, in site/
	VIRTUAL_ENV=$(CURDIR)/.venv $(BIN)/maturin develop --release --quiet --extras docs
	$(BIN)/python docs/tables.py
	$(BIN)/mkdocs build --strict --quiet

clean: ## remove everything that was built
	rm -rf .venv target site studio/node_modules
