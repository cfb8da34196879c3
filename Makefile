# The engine as OpenBench and match runners want it: `make EXE=name` leaves a program `name` that speaks UCI when it is
# started without arguments, `./name bench` ends in a line with nodes and nodes a second.

EXE ?= drawish
ifeq ($(OS),Windows_NT)
    EXT := .exe
endif
# Instructions of this machine alone: faster, the same nodes.
export RUSTFLAGS ?= -C target-cpu=native

.PHONY: engine bench clean help

engine: ## build the engine as $(EXE)
	cargo rustc --profile dist --no-default-features --features engine --bin drawish -- --emit link=$(EXE)$(EXT)

bench: engine ## build it and run its bench
	./$(EXE)$(EXT) bench

clean: ## remove what cargo has built
	cargo clean

help: ## show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/:/'
