# Requires Node 20 or newer, npm and make. The first target installs the dependencies, including Node 24. All targets run
# with that Node.
SHELL := /bin/bash
.DEFAULT_GOAL := help
installed := node_modules/.package-lock.json
run := PATH="$(CURDIR)/node_modules/.bin:$$PATH"
node = node@$(shell node -p 'require("./package.json").devDependencies.node')

.PHONY: help install demo dev test deep real e2e simulate contract check format bench bundle images crds docs manifests version release clean

help: ## List the targets
	@echo "Trellis: Gardener extension backends as scale-to-zero functions on Knative"; echo
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-10s %s\n", $$1, $$2 }'

install: $(installed) ## Install the dependencies; the other targets do this if necessary

$(installed): package.json package-lock.json sandbox/package.json
	npx --yes --package $(node) --call 'npm ci'
	@touch $@

demo: $(installed) ## Show the life of DNS records, a network and a whole shoot on this machine, in one minute; PROVIDER=openstack shows that cloud alone (trellis demo)
	@$(run) node cli/trellis.mjs demo $(if $(PROVIDER),--provider $(PROVIDER))

dev: $(installed) ## Start a seed on this machine; Ctrl-C stops it (trellis dev)
	@$(run) node cli/trellis.mjs dev

test: $(installed) check ## Run `make check`, then the unit and contract suites: four minutes on two cores
	@$(run) vitest run

deep: $(installed) bundle ## Run the suites that start processes, crash at every write, or run whole lives of shoots
	@$(run) vitest run --config test/vitest.deep.config.ts

real: $(installed) ## Run the suites against programs of others, which the first run builds; ONLY=helm,images runs parts (ONLY=? lists them)
	@$(run) ONLY="$(ONLY)" vitest run --config test/vitest.real.config.ts

e2e: $(installed) ## Lead a shoot through its life in a new cluster of kind, which needs docker and kind; AWS_PROFILE=NAME uses that account, ARGS=--dry-run prints
	@$(run) node test/kind/main.ts $(ARGS)

simulate: $(installed) ## Crash, lose and delay everything on the whole path for a minute; FOR=600 SEED=7 SET=points FUNCTION=aws-worker JOB=text, or MUTANTS=1
	@$(run) node $(if $(MUTANTS),test/simulation/mutants/main.ts,test/simulation/main.ts --for $(or $(FOR),60) \
		$(if $(SEED),--seed $(SEED)) $(foreach one,$(SET),--set $(one)) $(foreach one,$(FUNCTION),--function $(one)) $(if $(JOB),--job "$(JOB)"))

contract: $(installed) ## Compare with Gardener's CRDs and constants; VERSION=v1.150.0 prints what that version changed
	@$(run) node test/contract/main.ts $(VERSION)

check: $(installed) ## Check types, lint, format, and the definitions of functions and providers
	@$(run) tsc -p .
	@$(run) tsc -p cli/console/page
	@$(run) biome check --error-on-warnings . || { $(run) biome lint --error-on-warnings . > /dev/null 2>&1 && \
		echo 'Only the format is wrong. Run: make format' >&2; exit 1; }
	@$(run) node --disable-warning=ExperimentalWarning test/check/main.ts

format: $(installed) ## Format the sources, and apply the linter's safe fixes
	@$(run) biome check --write .

bench: $(installed) bundle ## Run the benchmarks and print each figure beside its reference; ONLY=bridge runs those of the bridge
	@$(run) node test/bench/main.ts $(ONLY)

bundle: $(installed) ## Bundle each function, the bridge and the webhooks into dist/bundles, with licences and a list of contents (trellis bundle)
	@$(run) node cli/trellis.mjs bundle

images: $(installed) ## Build an image of each program, without Docker; ARGS="--registry HOST/PATH --push" also pushes (trellis image)
	@$(run) node cli/trellis.mjs image $(ARGS)

crds: $(installed) ## Print the CRDs of the extension kinds (trellis crds)
	@$(run) node cli/trellis.mjs crds

docs: $(installed) ## Generate docs/settings.md and the other pages and tables that come from the code
	@$(run) node docs/write.ts

manifests: $(installed) ## Generate knative and knative/chart from the definitions of functions (trellis manifests)
	@$(run) node cli/trellis.mjs manifests

version: $(installed) ## Prepare the commit of a release: VERSION=1.2.3 sets package.json, the changelog and the manifests
	@$(run) node build/release/prepare.ts "$(VERSION)"
	@$(run) node cli/trellis.mjs manifests

release: $(installed) ## Build, push and sign a release: VERSION=1.2.3 REGISTRY=127.0.0.1:5000/trellis; ARGS=--help lists more
	@$(run) node build/release/main.ts --version "$(VERSION)" --registry "$(REGISTRY)" $(ARGS)

clean: ## Remove dist and coverage
	rm -rf dist coverage
