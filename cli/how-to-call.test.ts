import { existsSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { asCalled, calledAs, commandName, examplePath } from './how-to-call.ts'

afterEach(() => vi.restoreAllMocks())

test('an example is called by an existing path, in any working directory', () => {
  expect(examplePath('dnsrecord/shoot.yaml')).toBe('examples/dnsrecord/shoot.yaml')
  vi.spyOn(process, 'cwd').mockReturnValue('/nowhere')
  const far = examplePath('dnsrecord/shoot.yaml')
  expect(far).toMatch(/^\/.*\/examples\/dnsrecord\/shoot\.yaml$/)
  expect(existsSync(far)).toBe(true)
})

test('the command line of a package has its scope', () => {
  expect(commandName()).toBe('npx --no trellis')
  expect(commandName('/x/cli/how-to-call.js')).toBe('npx @trellis-gardener/trellis')
})

test("kubectl's plugin calls its commands as its user does", () => {
  expect(calledAs('/home/a/.krew/bin/kubectl-trellis')).toBe('kubectl trellis')
  expect(calledAs('/home/a/node_modules/.bin/trellis')).toBe('trellis')
  expect(calledAs('/src/trellis/cli/trellis.mjs')).toBe('trellis')
  expect(commandName('/x/cli/how-to-call.ts', 'kubectl trellis')).toBe('kubectl trellis')
})

test.each([
  ['run trellis doctor', 'run kubectl trellis doctor'],
  ['trellis plan a/b\n  trellis status', 'kubectl trellis plan a/b\n  kubectl trellis status'],
  ['the namespace trellis', 'the namespace trellis'],
  ['npx --no trellis dev', 'npx --no trellis dev'],
  ['npx @trellis-gardener/trellis dev', 'npx @trellis-gardener/trellis dev'],
  ['extension-trellis is down', 'extension-trellis is down'],
])('%j becomes %j', (text, expected) => {
  expect(asCalled(text, 'kubectl trellis')).toBe(expected)
  expect(asCalled(text, 'trellis')).toBe(text)
})
