import { expect, test } from 'vitest'
import { help, readReleaseArguments } from './arguments.ts'

const base = `registry.example/base@sha256:${'a'.repeat(64)}`
const read = (...args: readonly string[]) => readReleaseArguments(args, { base })
const needed = ['--version', '1.2.3', '--registry', 'ghcr.io/acme/trellis']

test('a release needs a version and a registry, and has a default for everything else', () => {
  expect(read(...needed)).toMatchObject({
    version: '1.2.3',
    registry: 'ghcr.io/acme/trellis',
    platforms: ['linux/amd64', 'linux/arm64'],
    base,
    sign: 'key',
    plainHttp: false,
  })
})

test.each(['127.0.0.1:5000/trellis', 'localhost:5000/trellis'])('the registry %s needs no TLS', registry => {
  expect(read('--version', '1.2.3', '--registry', registry)).toMatchObject({ plainHttp: true })
})

test.each([
  [['--version', '', '--registry', 'ghcr.io/acme/trellis'], 'VERSION is "": expected a semantic version'],
  [['--version', 'v1.2.3', '--registry', 'ghcr.io/acme/trellis'], 'VERSION is "v1.2.3": expected'],
  [['--version', '1.2.3+4', '--registry', 'ghcr.io/acme/trellis'], 'without build metadata'],
  [['--version', '1.2.3', '--registry', ''], 'REGISTRY is missing: expected a host and a path'],
  [['--version', '1.2.3', '--registry', '127.0.0.1:5000'], '--registry: expected a host and a path'],
  [[...needed, '--sign', 'never'], '--sign: expected key or keyless, found "never"'],
  [[...needed, '--platforms', 'linux/amd64,arm64'], '--platforms: expected platforms such as'],
  [[...needed, '--base', 'node:24'], 'has no digest'],
  [[...needed, '--unheard-of'], "Unknown option '--unheard-of'"],
])('the arguments %j are refused', (args, problem) => {
  expect(() => read(...args)).toThrow(problem)
})

test('the help lists every option', () => {
  for (const option of [
    'version',
    'registry',
    'platforms',
    'layouts',
    'sign',
    'base',
    'only',
    'source',
    'out',
  ])
    expect(help).toContain(`  --${option} `)
  expect(read('--help')).toBe('help')
})
