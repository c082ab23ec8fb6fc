# Everything here works on a machine with Node (20 or newer), npm and make. The first target that needs the
# dependencies installs them. One of them is the Node that runs npm here and everything else.
SHELL := /bin/bash
.DEFAULT_GOAL := help
installed := node_modules/.package-lock.json
run := PATH="$(CURDIR)/node_modules/.bin:$$PATH"
node = node@$(shell node -p 'require("./package.json").devDependencies.node')

.PHONY: help install demo dev test deep real check format bench bundle images crds docs manifests clean

help: ## List the targets
	@echo "Trellis: Gardener extension backends as scale-to-zero functions on Knative"; echo
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-10s %s\n", $$1, $$2 }'

install: $(installed) ## Install the dependencies (every other target does it when needed)

$(installed): package.json package-lock.json sandbox/package.json
	npx --yes --package $(node) --call 'npm ci'
	@touch $@

demo: $(installed) ## Show DNS records, a network and a whole shoot on this machine: created, repaired, moved and deleted, in a minute
	@$(run) node cli/trellis.mjs demo

dev: $(installed) ## Start the whole sandbox and run it until Ctrl-C (trellis dev)
	@$(run) node cli/trellis.mjs dev

test: $(installed) check ## Check types and lint, and run the unit and contract suites: three minutes on two cores
	@$(run) vitest run

deep: $(installed) bundle ## Run the suites that start processes, stop at every write, or run whole lives of shoots
	@$(run) vitest run --config vitest.deep.config.ts

real: $(installed) ## Run the suites against real programs (kube-apiserver, etcd, moto, aws-cli, dnspython); prepared in the first run
	@$(run) vitest run --config vitest.real.config.ts

check: $(installed) ## Check types, lint, format and the definitions of functions
	@$(run) tsc -p .
	@$(run) biome check --error-on-warnings .
	@$(run) node --disable-warning=ExperimentalWarning build/check/main.ts

format: $(installed) ## Format the sources and apply safe fixes of the linter
	@$(run) biome check --write .

bench: $(installed) bundle ## Measure, and print each figure beside its reference; ONLY=bridge selects those of the bridge
	@$(run) node bench/main.ts $(ONLY)

bundle: $(installed) ## Bundle each function, the bridge and the webhooks under dist/bundles, with licences and a list of contents
	@$(run) node build/images/bundle/main.ts

images: $(installed) ## Build an image of each program, without a Docker engine; ARGS="--registry HOST/PATH --push" pushes them (ARGS=--help)
	@$(run) node build/images/main.ts $(ARGS)

crds: $(installed) ## Print the CRDs of the extension kinds
	@$(run) node cli/trellis.mjs crds

docs: $(installed) ## Write the pages that are generated from the code
	@$(run) node docs/write.ts

manifests: $(installed) ## Write the manifests and the chart, generated from the definitions of functions
	@$(run) node deploy/knative/write.ts
	@$(run) node deploy/chart/write.ts

clean: ## Remove the files that the targets wrote, except the dependencies
	rm -rf dist coverage
