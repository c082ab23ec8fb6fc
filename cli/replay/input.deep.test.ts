import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  broken,
  create,
  type ReplayFlags,
  replay,
  root,
  saved,
  temporaryFiles,
  withoutFolders,
} from './testing/replay-run.ts'

let files: Awaited<ReturnType<typeof temporaryFiles>>
beforeAll(async () => {
  files = await temporaryFiles()
})
afterAll(() => files.remove())

describe('invalid input is refused with one line', () => {
  const event = async (change: object) => JSON.stringify({ ...(await saved(create)), ...change })
  const refused: readonly {
    readonly what: string
    readonly content: () => string | Promise<string>
    readonly says: string
  }[] = [
    { what: 'an empty file', content: () => ' \n', says: 'bad.json: contains no event' },
    { what: 'an empty array', content: () => '[]', says: 'bad.json: contains no event' },
    { what: 'no JSON', content: () => 'apiVersion: v1', says: 'bad.json: neither JSON nor JSON lines' },
    {
      what: 'a broken line',
      content: async () => `${await event({})}\n{`,
      says: 'bad.json: line 2: not valid JSON',
    },
    {
      what: 'no event',
      content: () => '{}',
      says: 'bad.json: the event: not a Trellis event: specversion: missing',
    },
    {
      what: 'JSON of something else',
      content: () => '{"name":"trellis","engines":{"node":">=24"}}',
      says: 'specversion: missing; expected a CloudEvent in structured JSON, such as test/events/',
    },
    {
      what: 'a Kubernetes object',
      content: () => '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"}}',
      says: 'specversion: missing; this is a Kubernetes object; use trellis plan for it',
    },
    {
      what: 'a number',
      content: () => '[1]',
      says: 'bad.json: event 1: not a Trellis event: not a JSON object',
    },
    {
      what: 'another type of event',
      content: () => event({ type: 'com.example.thing' }),
      says: 'bad.json: the event: not a Trellis event: type:',
    },
    {
      what: 'a missing uid',
      content: () => event({ objectuid: undefined }),
      says: 'bad.json: the event: not a Trellis event: objectuid: missing',
    },
    {
      what: 'an event without its object',
      content: () => event({ data: undefined }),
      says: 'bad.json: event 1 has no object, because the object was too large.',
    },
    {
      what: 'an event that orders a check',
      content: () => event({ type: 'cloud.gardener.extensions.dnsrecord.healthcheck', data: undefined }),
      says: 'bad.json: event 1 has no object, as in every health check, which reads the live object.',
    },
    {
      what: 'a provider without a function',
      content: () => event({ provider: 'google-clouddns' }),
      says: 'bad.json: event 1: no function serves kind DNSRecord and provider google-clouddns; known functions: aws-',
    },
  ]
  test.each(refused)('$what', async ({ content, says }) => {
    const path = await files.write('bad.json', await content())
    const error = await replay([create, path]).then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    )
    expect(error?.name).toBe('UsageError')
    expect(withoutFolders(error?.message ?? '')).toContain(says)
    expect(error?.message).not.toContain('\n')
  })

  const options: readonly {
    readonly what: string
    readonly given: ReplayFlags
    readonly says: string
  }[] = [
    {
      what: 'an unknown function',
      given: { function: 'nope' },
      says: 'unknown function nope; known functions: aws-',
    },
    { what: 'a live cluster with a simulated AWS', given: { kubeconfig: 'x' }, says: 'needs --aws-endpoint' },
    { what: 'an endpoint that is no URL', given: { awsEndpoint: 'localhost' }, says: 'expected a URL' },
    {
      what: 'a state for an AWS that is not simulated',
      given: { awsEndpoint: 'http://127.0.0.1:1', awsState: 'x' },
      says: 'cannot be combined with',
    },
    { what: 'a missing state', given: { awsState: '/nonexistent/a.json' }, says: 'cannot be read (ENOENT)' },
    {
      what: 'a missing kubeconfig',
      given: { kubeconfig: '/nonexistent/k', awsEndpoint: 'http://127.0.0.1:1' },
      says: 'cannot read the kubeconfig /nonexistent/k: ENOENT',
    },
    {
      what: 'an event as the state',
      given: { awsState: create },
      says: 'is not a saved state: id: expected 12 digits',
    },
  ]
  test.each(options)('$what', async ({ given, says }) => {
    await expect(replay([create], given)).rejects.toThrow(says)
  })

  test('invalid input is refused before any wait', async () => {
    const ready = vi.fn(async () => {})
    const given = { awsEndpoint: 'http://127.0.0.1:1', ready }
    await expect(replay(['/nonexistent/missing.json'], given)).rejects.toThrow('cannot be read (ENOENT)')
    expect(ready).not.toHaveBeenCalled()
    ready.mockRejectedValue(new Error('nothing listens'))
    await expect(replay([create], given)).rejects.toThrow('nothing listens')
    expect(ready).toHaveBeenCalledExactlyOnceWith({ endpoint: given.awsEndpoint })
  })

  test('a missing file is refused', async () => {
    await expect(replay(['/nonexistent/missing.json'])).rejects.toThrow(
      'missing.json: cannot be read (ENOENT)',
    )
  })
})

describe('the command', () => {
  const trellis = async (...args: readonly string[]) => {
    const run = promisify(execFile)
    try {
      const { stdout, stderr } = await run(process.execPath, [join(root, 'cli/trellis.mjs'), ...args])
      return { code: 0, stdout, stderr }
    } catch (error) {
      return error as { readonly code: number; readonly stdout: string; readonly stderr: string }
    }
  }

  test.each([
    { what: 'all steps were recorded', args: [create], code: 0 },
    { what: 'one step ended in Error', args: [create, broken], code: 1 },
    { what: 'a file does not exist', args: [create, '/nonexistent/e.json'], code: 2 },
    { what: 'no file is named', args: [], code: 2 },
    { what: 'the output format is unknown', args: ['--output', 'xml', create], code: 2 },
  ])('it exits with code $code if $what', async ({ args, code }) => {
    const result = await trellis('replay', ...args)
    expect(result.code).toBe(code)
    expect(result.stdout === '').toBe(code === 2)
    expect(result.stderr === '').toBe(code !== 2)
  })

  test('it shows an example in its help', async () => {
    expect((await trellis('replay', '--help')).stdout).toContain(
      'trellis replay test/events/dnsrecord-create.json',
    )
  })
})
