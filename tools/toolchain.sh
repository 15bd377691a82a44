#!/bin/sh
# Says in one line what this machine lacks to build the Rust core, and where to get it.
cd "$(dirname "$0")/.." || exit 1
needed=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
remedy="from https://rustup.rs, or on Debian and Ubuntu: apt install cargo-web rustc-web"
if ! command -v cargo > /dev/null; then
  echo "conspirator needs cargo $needed or newer to build its core, and this machine has none: get it $remedy" >&2
  exit 1
fi
# the compiler counts: some systems pair a new cargo with an old rustc
found=$(rustc --version 2> /dev/null | sed -n 's/^rustc \([0-9]*\.[0-9]*\).*/\1/p')
newer=$(printf '%s\n%s\n' "$needed" "${found:-0}" | sort -t. -k1,1n -k2,2n | tail -1)
if [ "${found:-0}" != "$newer" ]; then
  echo "conspirator needs Rust $needed or newer to build its core, and this machine has ${found:-none}: get it $remedy" >&2
  exit 1
fi
