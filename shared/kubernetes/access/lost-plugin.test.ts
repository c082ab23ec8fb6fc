import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { virtualClock } from '../../clock/clock.ts'
import { createKubernetes } from '../client.ts'
import { secrets } from '../testing/contract-fixtures.ts'
import { httpTransport } from '../transport/http-transport.ts'
import { multiplexedTransport } from '../transport/multiplexed-transport.ts'
import { execPlugin } from './exec-plugin.ts'
import { kubeconfigAccess } from './kubeconfig.ts'

const version = 'client.authentication.k8s.io/v1'
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-lost-plugin-'))
})
afterEach(() => rm(folder, { recursive: true }))

const plugin = (script: string, signal?: AbortSignal) => {
  const clock = virtualClock(0)
  const said: string[] = []
  const exec = { apiVersion: version, command: 'sh', args: ['-c', script] }
  const run = execPlugin({
    user: { name: 'u', fields: { exec } },
    cluster: { name: 'c', fields: {} },
    clock,
    ...(signal && { signal }),
    isTerminal: false,
    say: text => said.push(String(text)),
  })
  return { clock, said, answer: run(false) }
}

const credential = `echo '{"apiVersion":"${version}","kind":"ExecCredential","status":{"token":"t"}}'`

test('a plugin that never answers is ended after its time limit, with the reason', async () => {
  const { clock, answer } = plugin('exec sleep 600')
  const refused = expect(answer).rejects.toThrow('printed no credential in 300 s, and was ended')
  await clock.advance(300_000)
  await refused
})

test('a plugin is ended with its program', async () => {
  const closed = new AbortController()
  const { answer } = plugin('exec sleep 600', closed.signal)
  const refused = expect(answer).rejects.toThrow('was ended with this program')
  closed.abort()
  await refused
})

test('a child of a plugin that writes without end is not read further than the limit', async () => {
  await expect(plugin('yes').answer).rejects.toThrow('printed more than 1048576 characters, and was ended')
})

test('a process that the plugin leaves behind delays no credential', async () => {
  const { answer, said } = plugin(`sleep 600 > /dev/null & echo $! >&2; ${credential}`)
  expect(await answer).toEqual({ token: 't' })
  await vi.waitFor(() => process.kill(Number(said.join(''))))
})

test('a process that the plugin leaves behind delays its failure by one second only', async () => {
  const { answer, clock, said } = plugin('sleep 600 & echo $! >&2; exit 3')
  let problem: unknown
  answer.catch(error => {
    problem = error
  })
  // The plugin ends in real time.
  while (problem === undefined) {
    await clock.advance(10)
    await setTimeout(5)
  }
  expect(problem).toMatchObject({ message: expect.stringMatching(/failed with exit code 3: \d+$/) })
  process.kill(Number(said.join('')))
})

test.each([
  ['http', httpTransport],
  ['multiplexed', multiplexedTransport],
])(
  'a request of the %s transport waits for a plugin until its own limit, and closing ends the plugin',
  async (_, transportOf) => {
    const file = join(folder, 'kubeconfig')
    const exec = { apiVersion: version, command: 'sleep', args: ['600'] }
    await writeFile(
      file,
      JSON.stringify({
        clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
        users: [{ name: 'u', user: { exec } }],
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
        'current-context': 'x',
      }),
    )
    const clock = virtualClock(0)
    const access = await kubeconfigAccess({ file, clock })
    const transport = transportOf({ access, clock })
    const retry = { attempts: 1, baseMs: 1, maxMs: 1, maxRetryAfterMs: 1 }
    const kubernetes = createKubernetes({ transport: transport.send, clock, retry })
    const late = expect(kubernetes.get(secrets, { namespace: 'a', name: 'b' })).rejects.toMatchObject({
      message: expect.stringMatching(/^GET \/.*: there are no credentials yet\. Perhaps the plugin/),
      sent: false,
    })
    await clock.advance(30_000)
    await late
    const stopped = new AbortController()
    const aborted = expect(
      kubernetes.get(secrets, { namespace: 'a', name: 'b' }, { signal: stopped.signal }),
    ).rejects.toThrow('stopped')
    stopped.abort(new Error('stopped'))
    await aborted
    const ended = expect(access.credentials()).rejects.toThrow('was ended with this program')
    transport.close()
    await ended
  },
)
