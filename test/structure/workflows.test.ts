import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { repositoryRoot, trackedFiles } from './repository-files.ts'

const read = (file: string): string => readFileSync(`${repositoryRoot}${file}`, 'utf8')
const workflows = trackedFiles('.github/workflows/*.yaml')

interface Workflow {
  readonly permissions?: unknown
  readonly jobs: Readonly<
    Record<string, { readonly steps?: readonly { readonly uses?: string; readonly run?: string }[] }>
  >
}

const stepsOf = (file: string) =>
  Object.values((parse(read(file)) as Workflow).jobs).flatMap(({ steps = [] }) => steps)

test('there is a workflow for changes, on demand, for nights and for releases', () => {
  expect(workflows.toSorted()).toEqual(
    ['ci', 'e2e', 'nightly', 'release'].map(name => `.github/workflows/${name}.yaml`),
  )
})

test.each(workflows)('%s pins each action to a commit, with its version', file => {
  const used = read(file).match(/uses: .*/g) ?? []
  const unpinned = used.filter(
    line => !/uses: (?:[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\.\/\S+)$/.test(line),
  )
  expect(used.length).toBeGreaterThan(0)
  expect(unpinned).toEqual([])
})

test('all workflows use the same commit of an action', () => {
  const pins = workflows.flatMap(file => read(file).match(/[\w-]+\/[\w-]+@[0-9a-f]{40}/g) ?? [])
  const actions = [...new Set(pins)].map(pin => pin.split('@')[0])
  expect(actions).toEqual([...new Set(actions)])
})

test.each(workflows)('%s may only read, unless a job asks for more', file => {
  expect((parse(read(file)) as Workflow).permissions).toEqual({ contents: 'read' })
})

test.each(workflows)(
  '%s has no expression in a script, where a name of a branch could be a command',
  file => {
    const scripts = stepsOf(file).flatMap(({ run }) => run ?? [])
    expect(scripts.length).toBeGreaterThan(0)
    expect(scripts.filter(run => /\$\{\{/.test(run))).toEqual([])
  },
)

test.each(workflows)('%s calls targets that the Makefile has', file => {
  const called = stepsOf(file).flatMap(({ run = '' }) =>
    [...run.matchAll(/\bmake ([a-z0-9]+)/g)].map(([, target = '']) => target),
  )
  const targets = new Set(read('Makefile').match(/^[a-z0-9]+(?=:)/gm))
  expect(called.length).toBeGreaterThan(0)
  expect(called.filter(target => !targets.has(target))).toEqual([])
})

test('jobs whose results are signed use the Node of the action, and run no script of a package', () => {
  const { jobs } = parse(read('.github/workflows/release.yaml')) as Workflow
  const own = Object.entries(jobs).filter(([, { steps }]) => steps !== undefined)
  expect(own.map(([name]) => name)).toEqual(['images', 'release'])
  for (const [name, { steps = [] }] of own) {
    const position = (holds: (step: { readonly uses?: string; readonly run?: string }) => boolean) =>
      steps.findIndex(holds)
    const node = position(({ uses = '' }) => uses.startsWith('actions/setup-node@'))
    const install = position(({ run }) => run === 'npm ci --ignore-scripts')
    const first = position(({ run = '' }) => /\b(?:make|npx|node|npm (?!ci --ignore-scripts$))/.test(run))
    expect([node, install, first], name).toEqual([node, install, first].toSorted((a, b) => a - b))
    expect(node, name).toBeGreaterThanOrEqual(0)
  }
})

test('CI runs the tiers of .ci/run', () => {
  const tiers = read('.ci/run').match(/^make \w+$/gm)
  const ci = parse(read('.github/workflows/ci.yaml'))
  const { target } = ci.jobs.test.strategy.matrix
  expect([...target.map((name: string) => `make ${name}`), ci.jobs.real.name]).toEqual(tiers)
})

test('every place that names the Node of development names that of package.json', () => {
  const { node } = JSON.parse(read('package.json')).devDependencies
  const [major] = node.split('.')
  expect(read('.nvmrc').trim()).toBe(node)
  expect(JSON.parse(read('.devcontainer/devcontainer.json')).image).toContain(`:${major}-`)
  expect(JSON.parse(read('build/images/base.json')).name).toContain(`nodejs${major}-`)
})

test('the devcontainer has the Go that the programs need', () => {
  const { features } = JSON.parse(read('.devcontainer/devcontainer.json'))
  const needed = trackedFiles('*go.mod').map(file => /^go (\d+\.\d+)/m.exec(read(file))?.[1])
  expect([...new Set(needed)]).toEqual([features['ghcr.io/devcontainers/features/go:1'].version])
})

test('the patterns of .github/renovate.json find the base of the images and that of the Dockerfile', () => {
  const { customManagers } = JSON.parse(read('.github/renovate.json')) as {
    readonly customManagers: readonly {
      readonly managerFilePatterns: readonly [string]
      readonly matchStrings: readonly [string]
    }[]
  }
  const { name, digest } = JSON.parse(read('build/images/base.json'))
  const found = customManagers.map(({ managerFilePatterns: [pattern], matchStrings: [match] }) => {
    const [file = ''] = trackedFiles().filter(path => new RegExp(pattern.slice(1, -1)).test(path))
    const { depName, currentValue, currentDigest } = new RegExp(match).exec(read(file))?.groups ?? {}
    return [`${depName}:${currentValue}`, currentDigest]
  })
  expect(found).toEqual([
    [name, digest],
    [name, digest],
  ])
})
