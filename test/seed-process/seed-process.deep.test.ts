import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { cp, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { readJournal } from '../../shared/journal/journal.ts'
import {
  linesOf,
  pidsOf,
  program,
  programsWith,
  startSeedProcessWorld,
  writePrograms,
} from './seed-process-world.ts'

const main = fileURLToPath(new URL('../../bridge/main.ts', import.meta.url))
const folder = await writePrograms(program)
afterAll(() => rm(folder, { recursive: true }))

let world: Awaited<ReturnType<typeof startSeedProcessWorld>>
beforeEach(async () => {
  world = await startSeedProcessWorld(folder)
})
afterEach(() => world.close())

/** Steps with a short claim, so that another process may take over soon. */
const shortEnv = { TRELLIS_STEP_LIMIT_MS: '3000', TRELLIS_STEP_MARGIN_MS: '1000' }
const shortSteps = () => programsWith({ env: shortEnv })

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const kill = (pid: number | undefined, signal: NodeJS.Signals) => process.kill(pid ?? 0, signal)
const slowCloud = (milliseconds: number) =>
  world.aws.faults.add({ service: 'route53', action: 'List*', effect: { kind: 'delay', milliseconds } })

test('a program starts from its snapshot with the first event, serves the next, ends when idle, and starts again', async () => {
  const seed = world.start({ TRELLIS_PROGRAM_IDLE_MS: '1500' })
  await seed.port
  expect(pidsOf(seed)).toEqual([])
  await world.create('first')
  await world.succeeds('first')
  await world.create('second')
  await world.succeeds('second')
  const [pid = 0, ...others] = pidsOf(seed)
  expect(others).toEqual([])
  await expect.poll(() => linesOf(seed, 'program ended')).toMatchObject([{ program, reason: 'idle' }])
  expect(isRunning(pid)).toBe(false)
  await world.create('third')
  await world.succeeds('third')
  expect(pidsOf(seed)).toHaveLength(2)
  expect(linesOf(seed, 'program starts without its snapshot, which is slower')).toEqual([])
  const metrics = await (await fetch(`http://127.0.0.1:${await seed.port}/metrics`)).text()
  expect(metrics).toContain(`trellis_runner_starts_total{program="${program}",outcome="awake"} 2`)
  // The first process has reported before its end.
  expect(metrics).toContain(`trellis_function_starts_total{program="${program}"} 1`)
  expect(await seed.end('SIGTERM')).toEqual([0, null])
})

test('a program in its snapshot reports its steps with their calls to the journal and as spans, without secrets', async () => {
  const spans: string[] = []
  const receiver = createServer((request, response) => {
    request.on('data', chunk => spans.push(String(chunk)))
    request.on('end', () => response.end('{}'))
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port: otlp } = receiver.address() as AddressInfo
  const seed = world.start({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${otlp}` })
  const names = ['first', 'second']
  await Promise.all(names.map(world.create))
  await Promise.all(names.map(world.succeeds))
  const journal = async () =>
    (await fetch(`http://127.0.0.1:${await seed.port}/journal`)).body as unknown as AsyncIterable<Uint8Array>
  const read = async () => (await readJournal(await journal())).entries
  const steps = async () => (await read()).filter(entry => entry.type === 'step')
  await expect
    .poll(async () => new Set((await steps()).map(({ object }) => object)).size, { timeout: 30_000 })
    .toBe(2)
  const entries = await read()
  const events = entries.flatMap(entry => (entry.type === 'event' ? entry.event.id : []))
  for (const { object, calls, event, function: name, traceparent } of await steps()) {
    expect(events).toContain(event)
    expect([name, traceparent]).toEqual(['aws-dnsrecord', expect.stringMatching(/^00-/)])
    // Each step has its own calls.
    const [, key] = object.split(' ')
    expect(calls.filter(({ name }) => name.includes('dnsrecords')).map(({ target }) => target)).toContain(key)
    expect(
      calls.filter(({ name }) => name.includes('dnsrecords')).every(({ target }) => target === key),
    ).toBe(true)
  }
  const calls = (await steps()).flatMap(step => step.calls)
  expect(calls.find(({ name }) => name === 'route53 ChangeResourceRecordSets')).toMatchObject({
    ...{ write: true, status: '200', requestId: expect.any(String) },
    args: expect.stringContaining('HostedZoneId'),
  })
  expect(await seed.end('SIGTERM')).toEqual([0, null])
  const text = `${JSON.stringify(entries)}${spans.join('')}`
  expect(spans.join('')).toContain('route53 ChangeResourceRecordSets')
  for (const secret of ['made-up-for-the-test', btoa('made-up-for-the-test')])
    expect(text).not.toContain(secret)
  receiver.closeAllConnections()
  receiver.close()
})

test('200 objects at once are all reconciled by one process', async () => {
  const seed = world.start()
  const names = Array.from({ length: 200 }, (_, index) => `record-${index}`)
  await Promise.all(names.map(world.create))
  // One after the other: polls for all of them would be most of the work.
  for (const name of names) await world.succeeds(name)
  expect(pidsOf(seed)).toHaveLength(1)
  expect(linesOf(seed, 'event dropped')).toEqual([])
})

test('a program that is killed within a step is started again, and the object is reconciled', async () => {
  const seed = world.start({ TRELLIS_PROGRAMS: shortSteps() })
  slowCloud(60_000)
  await world.create('record')
  await expect.poll(() => world.stateOf('record')).toBe('Processing')
  kill(pidsOf(seed)[0], 'SIGKILL')
  await world.succeeds('record')
  expect(linesOf(seed, 'program ended unexpectedly')).toMatchObject([
    { program, why: expect.stringMatching(/^signal SIGKILL/) },
  ])
  expect(pidsOf(seed).length).toBeGreaterThan(1)
})

test('a program that hangs within a step is stopped and started again', async () => {
  const seed = world.start({ TRELLIS_PROGRAMS: shortSteps() })
  slowCloud(2_000)
  await world.create('record')
  await expect.poll(() => world.stateOf('record')).toBe('Processing')
  const [first = 0] = pidsOf(seed)
  kill(first, 'SIGSTOP')
  await world.succeeds('record')
  expect(linesOf(seed, 'program does not respond')).toMatchObject([{ why: 'answers no probe' }])
  expect(isRunning(first)).toBe(false)
})

test('a program above its memory limit is stopped with the limit and the use in the log', async () => {
  const seed = world.start({ TRELLIS_PROGRAMS: programsWith({ memory: '20Mi', env: shortEnv }) })
  slowCloud(4_000)
  await world.create('record')
  await expect
    .poll(() => linesOf(seed, 'program exceeds its memory limit')[0])
    .toMatchObject({ program, limitMiB: 20, inFlight: 1 })
  await expect.poll(() => linesOf(seed, 'program ended').length).toBeGreaterThan(0)
  await seed.end('SIGKILL')
  world.start()
  await world.succeeds('record')
})

test('at SIGTERM a seed process hands the steps of its programs back and ends', async () => {
  const seed = world.start({ TRELLIS_PROGRAMS: programsWith({ env: { TRELLIS_DRAIN_MS: '500' } }) })
  slowCloud(60_000)
  await world.create('record')
  await expect.poll(() => world.stateOf('record')).toBe('Processing')
  const [pid = 0] = pidsOf(seed)
  expect(await seed.end('SIGTERM')).toEqual([0, null])
  expect(isRunning(pid)).toBe(false)
  expect(linesOf(seed, 'aborting steps in progress')).toHaveLength(1)
  // The step was handed back: another seed process need not wait until the claim expires.
  world.start()
  await world.succeeds('record')
})

test('a program ends with a seed process that is killed', async () => {
  const seed = world.start()
  await world.create('record')
  await world.succeeds('record')
  const [pid = 0] = pidsOf(seed)
  await seed.end('SIGKILL')
  await expect.poll(() => isRunning(pid)).toBe(false)
})

const broken = async (change: (place: string) => Promise<unknown>) => {
  const copy = await mkdtemp(join(tmpdir(), 'trellis-broken-'))
  await cp(folder, copy, { recursive: true })
  await change(join(copy, program))
  return copy
}

test('without the bundle of a program, the log names the file and the seed process is not ready', async () => {
  const copy = await broken(place => rm(place, { recursive: true }))
  const seed = world.start({ TRELLIS_PROGRAMS_FOLDER: copy })
  await world.create('record')
  await expect
    .poll(() => linesOf(seed, 'program does not start')[0])
    .toMatchObject({
      program,
      why: expect.stringMatching(
        /^the bundle of aws-compact cannot be read: .*main\.cjs.*Use an image that contains this program/,
      ),
    })
  const readiness = await fetch(`http://127.0.0.1:${await seed.port}/health/readiness`)
  expect(readiness.status).toBe(503)
  await cp(join(folder, program), join(copy, program), { recursive: true })
  await world.succeeds('record')
  await rm(copy, { recursive: true })
})

test.each([
  ['is missing', (place: string) => rm(join(place, 'main.blob'))],
  ['is incomplete', (place: string) => truncate(join(place, 'main.blob'), 100_000)],
  ['is another file', (place: string) => writeFile(join(place, 'main.blob'), 'x'.repeat(10_000))],
])(
  'a program whose snapshot %s starts without it, and the log says to rebuild the image',
  async (_, change) => {
    const copy = await broken(change)
    const seed = world.start({ TRELLIS_PROGRAMS_FOLDER: copy })
    await world.create('record')
    await world.succeeds('record')
    expect(linesOf(seed, 'program starts without its snapshot, which is slower')).toMatchObject([
      { program, advice: expect.stringContaining('rebuild the image') },
    ])
    await rm(copy, { recursive: true })
  },
)

test('a program with invalid settings does not start, and the log quotes its output', async () => {
  const seed = world.start({ TRELLIS_PROGRAMS: programsWith({ env: { TRELLIS_DRAIN_MS: 'long' } }) })
  await world.create('record')
  await expect
    .poll(() => linesOf(seed, 'program does not start')[0])
    .toMatchObject({ why: expect.stringMatching(/exit code 2.*TRELLIS_DRAIN_MS/) })
})

test('a program that runs out of memory ends with advice', async () => {
  const env = { NODE_OPTIONS: '--max-old-space-size=10' }
  const seed = world.start({ TRELLIS_PROGRAMS: programsWith({ env }) })
  await world.create('record')
  await expect
    .poll(
      () => [...linesOf(seed, 'program does not start'), ...linesOf(seed, 'program ended unexpectedly')][0],
    )
    .toMatchObject({ why: expect.stringMatching(/heap was full: increase --max-old-space-size/) })
})

test('a seed process whose output is on a full disk loses lines and no events', async () => {
  const full = openSync('/dev/full', 'w')
  const own = { TRELLIS_SEED: 'test', TRELLIS_ADDRESS: '127.0.0.1', TRELLIS_PORT: '0' }
  const seed = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, ...own, ...world.environment },
    stdio: ['ignore', full, full],
  })
  const ended = once(seed, 'exit')
  await world.create('record')
  await world.succeeds('record')
  seed.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  closeSync(full)
})
