# Everything here works on a machine with Node (20 or newer), npm and make: the first target that needs the
# dependencies installs them, with a Node of its own.
SHELL := /bin/bash
.DEFAULT_GOAL := help
installed := node_modules/.package-lock.json
run := PATH="$(CURDIR)/node_modules/.bin:$$PATH"

.PHONY: help install demo dev test real check format bench bundle images crds docs manifests clean

help: ## List the targets
	@echo "Trellis: Gardener extension backends as scale-to-zero functions on Knative"; echo
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-10s %s\n", $$1, $$2 }'

install: $(installed) ## Install the dependencies (every other target does it when needed)

$(installed): package.json package-lock.json sandbox/package.json
	npm ci
	@touch $@

demo: $(installed) ## Watch DNS records, a network and a whole shoot come, heal, move and go on this machine, in a minute
	@$(run) node cli/trellis.mjs demo

dev: $(installed) ## Start the whole sandbox and keep it running (trellis dev)
	@$(run) node cli/trellis.mjs dev

test: $(installed) check bundle ## Everything: types, lint, unit, contract suites, end to end
	@$(run) vitest run

real: $(installed) ## The suites against programs of others (kube-apiserver, etcd, moto, aws-cli, dnspython): made once, into a cache
	@$(run) vitest run --config vitest.real.config.ts

check: $(installed) ## Types, lint and format, and the definitions of functions
	@$(run) tsc -p .
	@$(run) biome check --error-on-warnings .
	@$(run) node --disable-warning=ExperimentalWarning build/check/main.ts

format: $(installed) ## Format the sources and apply safe fixes of the linter
	@$(run) biome check --write .

bench: $(installed) bundle ## Measure, and print each figure beside its reference; ONLY=bridge for those of the bridge
	@$(run) node bench/main.ts $(ONLY)

bundle: $(installed) ## Bundle each function, the bridge and the webhooks under dist/bundles, with licences and a list of what is in them
	@$(run) node build/images/bundle/main.ts

images: $(installed) ## Make an image of each program, without a Docker engine; ARGS="--registry HOST/PATH --push" pushes them, ARGS=--help
	@$(run) node build/images/main.ts $(ARGS)

crds: $(installed) ## Print the CRDs of the extension kinds
	@$(run) node cli/trellis.mjs crds

docs: $(installed) ## Write the pages that are made from the code
	@$(run) node docs/write.ts

manifests: $(installed) ## Write what makes each function run in a seed, from its definition
	@$(run) node deploy/knative/write.ts
	@$(run) node deploy/chart/write.ts

clean: ## Remove what the targets made, except the dependencies
	rm -rf dist coverage
