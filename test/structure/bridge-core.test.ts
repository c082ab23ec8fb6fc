import { expect, test } from 'vitest'
import { repositoryRoot } from './repository-files.ts'
import { sourceImports } from './source-imports.ts'

const { imports } = sourceImports(repositoryRoot)
const isTest = (file: string) => /\.test\.ts$|\/testing\//.test(file)
const inBridge = imports.filter(({ file }) => file.startsWith('bridge/') && !isTest(file))
const observerOf = (file: string) => /^bridge\/observers\/([^/]+)\//.exec(file)?.[1]

test('the core of the bridge imports nothing from the rest of the bridge', () => {
  const ofCore = inBridge.filter(({ file }) => file.startsWith('bridge/core/'))
  expect(ofCore.length).toBeGreaterThan(50)
  expect(ofCore.filter(({ target }) => !/^(?:bridge\/core|shared)\//.test(target))).toEqual([])
})

/** These files put the process together: its parts, its settings, and the list of its metrics. */
const composition = [
  'bridge/bridge.ts',
  'bridge/create-bridge.ts',
  'bridge/process/bridge-process.ts',
  'bridge/process/extension-settings.ts',
  'bridge/process/metric-definitions.ts',
  'bridge/process/start.ts',
]

test('only its own files and the composition import an observer of the bridge', () => {
  const ofObservers = inBridge.filter(({ target }) => observerOf(target) !== undefined)
  expect(ofObservers.length).toBeGreaterThan(15)
  const strange = ofObservers.filter(
    ({ file, target }) => observerOf(file) !== observerOf(target) && !composition.includes(file),
  )
  expect(strange.map(({ file, target }) => `${file}: ${target}`)).toEqual([])
})
