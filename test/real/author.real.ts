import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outputOf } from '../../build/programs/programs.ts'
import { type FirstFunction, runFirstFunction } from './first-function.ts'

// Follows docs/authors.md completely, from the packed library in an empty folder.
const root = fileURLToPath(new URL('../..', import.meta.url))
let parent = ''
let first: FirstFunction
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'trellis-author-'))
  await outputOf('npm', ['pack', '--pack-destination', parent], { cwd: root })
  const tarball = (await readdir(parent)).find(name => name.endsWith('.tgz')) ?? ''
  first = await runFirstFunction(parent, join(parent, tarball))
})
afterAll(() => rm(parent, { recursive: true, force: true }))

const node = (...args: readonly string[]) => outputOf(process.execPath, args, { cwd: first.folder })
const trellis = (...args: readonly string[]) =>
  node('node_modules/@trellis-gardener/trellis/cli/trellis.mjs', ...args)
const fn = 'functions/local/dnsrecord'

test('the example of a new function succeeds in a seed', () => {
  expect(first.output).toMatch(/DNSRecord shoot--garden--rose\/rose-external: Succeeded/)
})

test('the tests of the function pass with Node only', async () => {
  expect(await node('--test', 'functions/**/*.test.ts')).toMatch(/fail 0/)
})

test('the event of the function is replayed', async () => {
  const said = await trellis(
    'replay',
    '--function',
    fn,
    '--cluster',
    `${fn}/example.yaml`,
    `${fn}/event.json`,
  )
  expect(said).toMatch(/function {4}local-dnsrecord\noutcome {5}succeeded/)
})

test('the function has a plan', async () => {
  const said = await trellis('plan', `${fn}/example.yaml`, '--function', fn)
  expect(said).toContain('+ create ConfigMap shoot--garden--rose/record-rose-external')
})

test('a second function is created beside it', async () => {
  await trellis('new', 'local/worker', '--yes')
  expect(await readdir(join(first.folder, 'functions/local'))).toEqual(['dnsrecord', 'worker'])
})
