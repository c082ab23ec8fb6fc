import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-install-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('trellis install', () => {
  const trellis = fileURLToPath(new URL('../trellis.mjs', import.meta.url))
  const run = (...args: readonly string[]) =>
    new Promise<{ readonly code: unknown; readonly out: string; readonly err: string }>(resolve => {
      execFile(
        process.execPath,
        [trellis, 'install', ...args],
        { maxBuffer: 16 * 1024 * 1024 },
        (error, out, err) => resolve({ code: error?.code ?? 0, out, err }),
      )
    })

  test('it prints the objects for kubectl apply, and nothing else', async () => {
    const { code, out, err } = await run(
      '--render',
      'manifests',
      '--function',
      'aws/dnsrecord',
      '--seed',
      'a',
      '--registry',
      'registry.example.com/trellis',
    )
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(parseAllDocuments(out).flatMap(({ errors }) => errors)).toEqual([])
  })

  test('it prints a registration in the older format', async () => {
    const registry = ['--registry', 'registry.example.com/trellis']
    const { out } = await run('--render', 'registration', '--provider', 'calico', '--legacy', ...registry)
    expect(parseAllDocuments(out)[0]?.toJS()).toMatchObject({
      apiVersion: 'core.gardener.cloud/v1beta1',
      type: 'helm',
      providerConfig: { chart: expect.stringMatching(/^H4sI/) },
    })
  })

  test('it writes the chart into a folder', async () => {
    expect(await run('--render', 'chart', '--output', join(folder, 'charts'))).toEqual({
      code: 0,
      out: '',
      err: '',
    })
    const [file = ''] = await readdir(join(folder, 'charts'))
    expect(file).toMatch(/^trellis-\d+\.\d+\.\d+\.tgz$/)
    expect((await readFile(join(folder, 'charts', file))).subarray(0, 2)).toEqual(Buffer.from([31, 139]))
  })

  test.each([
    ['nothing to render', [], "option '--render <what>' not specified"],
    ['an unknown form', ['--render', 'kustomize'], 'Allowed choices are'],
    [
      'a Secret without a registry',
      ['--render', 'registration', '--provider', 'aws', '--pull-secret', 'a'],
      'trellis: --pull-secret and --ca-bundle-secret need a chart in a registry',
    ],
    [
      'seeds of a primary one',
      ['--render', 'registration', '--provider', 'aws', '--registry', 'r.io/t', '--seed-labels', 'a=b'],
      'trellis: a primary registration is primary in every seed',
    ],
    [
      'a flag without an effect',
      ['--render', 'manifests', '--provider', 'aws', '--no-primary'],
      'trellis: --render manifests does not accept --no-primary',
    ],
    [
      'a label without a value',
      ['--render', 'registration', '--provider', 'aws', '--no-primary', '--seed-labels', 'a'],
      'trellis: "a" is not a label',
    ],
  ])('it exits with code 2 for %s', async (_, args, said) => {
    const { code, out, err } = await run(...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(said)
  })
})
