import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { share } from '../../test/cases/share.ts'
import { verifyObjects } from '../plan/verify-objects.ts'
import { json, refuseWith, startRefusingServer } from '../testing/refusing-server.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-observing-'))
})
afterAll(() => rm(folder, { recursive: true }))

const run = (...args: readonly string[]) =>
  new Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }>(resolve => {
    execFile(process.execPath, ['cli/trellis.mjs', ...args], { cwd: root }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
  })

const forbidden = refuseWith(403, 'Forbidden')
const emptyList = { metadata: { resourceVersion: '1' }, items: [] }

/** Ways in which an API server tells its version and no more. */
const refusals: Readonly<Record<string, Parameters<typeof startRefusingServer>[0]>> = {
  'forbids everything': forbidden,
  'does not know the user': refuseWith(401, 'Unauthorized'),
  'knows no kind': refuseWith(404, 'NotFound'),
  'fails at everything': refuseWith(500, 'InternalError'),
  'ends every connection': request => void request.socket.destroy(),
  'answers with a page': (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  'forbids all but Clusters, and has none': (request, response) =>
    request.url?.includes('/clusters') ? json(response, 200, emptyList) : forbidden(request, response),
  'has no object, but forbids DNSRecords and namespaces': (request, response) =>
    /[/](dnsrecords|namespaces)[?]/.test(request.url ?? '')
      ? forbidden(request, response)
      : json(response, 200, emptyList),
}

const commands: readonly (readonly string[])[] = [
  ['status'],
  ['status', '--output', 'json'],
  ['status', '--namespace', 'shoot--garden--rose'],
  ['trace', 'shoot--garden--rose'],
  ['trace', 'rose'],
  ['history', 'shoot--garden--rose'],
  ['doctor'],
  ['doctor', '--namespace', 'trellis', '--output', 'json'],
]

describe.each(Object.entries(refusals))('an API server that %s', (name, answer) => {
  const index = Object.keys(refusals).indexOf(name)
  test('no command calls it well, and each one that observes says with code 2 that it could not tell', async () => {
    const server = await startRefusingServer(answer)
    onTestFinished(server.close)
    const check = async ([command = '', ...args]: readonly string[]) => {
      const { code, stdout, stderr } = await run(
        command,
        ...args,
        '--kubeconfig',
        server.kubeconfig,
        '--timeout',
        '20',
      )
      const said = `${command} ${args.join(' ')}\n${stdout}${stderr}`
      // An empty namespace is a problem that doctor knows.
      expect([2, ...(command === 'doctor' && stdout.includes('problem') ? [1] : [])], said).toContain(code)
      // These are true, whatever may be read.
      const others = said.replaceAll(/^ *✓ (?:it answers|this machine and the API server) .*$/gm, '')
      if (command !== 'doctor' || !stdout.includes('✗')) expect(others).not.toContain('✓')
      expect(said).not.toMatch(/"ok": true|there is no shoot|No shoots and|No problems|Nothing happened/)
    }
    await Promise.all(share(commands, 3, index).map(check))
  })
})

const never = () => {}

test('a plan ends with --timeout, whatever does not answer', async () => {
  const server = await startRefusingServer(never)
  onTestFinished(server.close)
  const live = ['shoot--garden--rose/rose', '--kubeconfig', server.kubeconfig]
  const { code, stderr } = await run('plan', ...live, '--timeout', '3')
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^trellis: cannot plan shoot--garden--rose\/rose: .* within 3 s\. Check /),
  })
})

test('trace --verify ends with its time limit, and does not know what it has not compared', async () => {
  const server = await startRefusingServer(never)
  onTestFinished(server.close)
  const limit = new AbortController()
  const ids = ['Infrastructure shoot--a--b/c', 'Worker shoot--a--b/c']
  const surroundings = { providers: [], env: {}, stdin: process.stdin, signal: limit.signal }
  const verified = verifyObjects(ids, { kubeconfig: server.kubeconfig }, surroundings)
  limit.abort(new Error('over'))
  const unknown = { kind: 'unknown', why: 'the time of --timeout is over' }
  expect([...(await verified).values()]).toEqual([unknown, unknown])
})

test('a command that leaves out lines of a journal does not end with code 0', async () => {
  const object = {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'DNSRecord',
    metadata: { name: 'rose', namespace: 'shoot--garden--rose' },
    status: { lastOperation: { type: 'Create', state: 'Succeeded' } },
  }
  const at = '2026-11-21T12:00:00.000Z'
  const id = 'DNSRecord shoot--garden--rose/rose'
  const whole = [
    { journal: 1, by: 'test', at },
    { type: 'object', at, id, object },
  ]
  const text = whole.map(line => `${JSON.stringify(line)}\n`).join('')
  const codes = async (content: string) => {
    const file = join(folder, 'journal')
    await writeFile(file, content)
    const journal = ['shoot--garden--rose', '--journal', file]
    const all = [
      ['trace', ...journal],
      ['history', ...journal],
      ['replay', file, '--list'],
    ]
    return Promise.all(all.map(async args => (await run(...args)).code))
  }
  expect(await codes(text)).toEqual([0, 0, 0])
  expect(await codes(`${text}no JSON\n`)).toEqual([2, 2, 1])
})

test('every command that observes documents the three exit codes', async () => {
  for (const command of ['status', 'trace', 'history', 'doctor']) {
    const { stdout } = await run(command, '--help')
    expect(stdout).toMatch(/Exit code 0: [^;]+; 1: [^;]+; 2: it could not tell/)
  }
})
