import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FunctionFolder, functionFolder, imports } from '../../../functions/testing/function-folder.ts'
import { create, root } from '../testing/replay-run.ts'
import { isDry } from './replay-dry.ts'

/** The exit code of the command and its output lines. */
const replayed = (...args: readonly string[]) =>
  new Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }>(resolve => {
    execFile(process.execPath, [join(root, 'cli/trellis.mjs'), 'replay', ...args], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
  })

/** A function for the DNSRecord of the saved event. */
const recordFile = (body: string) => `${imports}
import { rm, writeFile } from 'node:fs/promises'
const here = name => new URL(name, import.meta.url)
export const definition = defineFunction({
  name: 'acme-record', kind: 'DNSRecord', type: 'aws-route53',
  create: () => ({ reconcile: async () => { ${body}; return done() }, remove: async () => done() }),
})
`

let folder: FunctionFolder
beforeAll(async () => {
  folder = await functionFolder({
    'writes/function.js': recordFile(`await writeFile(here('made'), 'x')`),
    'swallows/function.js': recordFile(`await rm(here('kept'), { force: true }).catch(() => {})`),
    'swallows/kept': 'kept',
  })
})
afterAll(() => folder.remove())

describe('a replay on simulated clouds', () => {
  test('a function cannot write, and its step fails for that reason', async () => {
    const { code, stdout } = await replayed(create, '--function', join(folder.root, 'writes'))
    expect(stdout).toMatch(/refused: the function writes to \/.*made, but a dry run must not change anything/)
    expect(code).toBe(1)
    expect(await readdir(join(folder.root, 'writes'))).toEqual(['function.js'])
  }, 60_000)

  test('the output says so even if the function swallows the error', async () => {
    const { code, stdout, stderr } = await replayed(create, '--function', join(folder.root, 'swallows'))
    expect(stdout).toContain('outcome     succeeded')
    expect(stderr).toMatch(
      /^trellis: a dry replay refused an attempted change: the function writes to \/.*kept\. --allow-reads lets it read from its cloud; --allow-network lets it change a cloud/,
    )
    expect(code).toBe(1)
    expect(await readFile(join(folder.root, 'swallows/kept'), 'utf8')).toBe('kept')
  }, 60_000)

  test('the file of a flag is written, and a failure is reported', async () => {
    const state = join(folder.root, 'state.json')
    await writeFile(state, '')
    expect(await replayed(create, '--save-aws-state', state)).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(await readFile(state, 'utf8'))).toMatchObject({})
    const failed = await replayed(create, '--save-aws-state', join(folder.root, 'no/state.json'))
    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot write .*state\.json \(ENOENT/),
    })
  }, 60_000)

  test('it has neither a live cluster nor the endpoint of a cloud', () => {
    const clouds = { aws: { endpoint: 'http://127.0.0.1:1' } }
    expect(isDry({ output: 'text', clouds: { aws: { state: 'a' } } })).toBe(true)
    expect(isDry({ output: 'text', clouds })).toBe(false)
    expect(isDry({ output: 'text', kubeconfig: 'a' })).toBe(false)
  })
})
