import { existsSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { commandName, examplePath } from './how-to-call.ts'

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
