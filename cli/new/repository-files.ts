import type { TemplateFiles } from './read-template.ts'

/** Returns the files by which a project is built and tested: Makefile, CI workflow, .nvmrc, .gitignore. */
export const repositoryFiles = (): TemplateFiles => ({
  Makefile: makefile,
  '.github/workflows/ci.yaml': workflow,
  '.nvmrc': '24\n',
  '.gitignore': 'node_modules/\ndist/\n',
})

const makefile = `.DEFAULT_GOAL := help
.PHONY: help install check test dev bundle images manifests chart

help: ## List the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-10s %s\\n", $$1, $$2 }'

install: ## Install the dependencies
	npm install

check: ## Check types
	npm run check

test: ## Run the tests
	npm test

dev: ## Start a seed on this machine with the function and its example; Ctrl-C stops it
	npm run dev

bundle: ## Bundle each function into dist/bundles, with licences and a list of contents
	npx --no trellis bundle

images: ## Build an image of each program; ARGS="--registry HOST/PATH --push" also pushes
	npx --no trellis image $(ARGS)

manifests: ## Write knative and knative/chart from the definitions
	npx --no trellis manifests

chart: ## Pack the Helm chart into dist/charts; ARGS="--registry HOST/PATH --push" also pushes
	npx --no trellis chart $(ARGS)
`

const workflow = `name: ci
on:
  push:
    branches: [main]
  pull_request:
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-24.04
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false
      - uses: actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0
        with:
          node-version-file: .nvmrc
          cache: npm
      - run: npm ci
      - run: make check test bundle
      # Fails if a change of a definition, or a new function, is missing in the committed manifests.
      - run: make manifests && git add --intent-to-add . && git diff --exit-code
`
