import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { systemClock, virtualClock } from '../../clock/clock.ts'
import type { ProgramProcess } from '../program-process.ts'
import { parsePrograms } from '../programs.ts'
import { programStarter } from './program-starter.ts'

const folder = await mkdtemp(join(tmpdir(), 'trellis-starter-'))
afterAll(() => rm(folder, { recursive: true }))

let warnings: unknown[]
let output: string[]
let started: ProgramProcess[]
beforeEach(() => {
  warnings = []
  output = []
  started = []
})
afterEach(async () => {
  for (const process of started) {
    process.disconnect()
    process.stop('SIGKILL')
    await process.ended
  }
})

const fn = { name: 'acme-dnsrecord', kind: 'DNSRecord', types: ['acme-dns'] }
const program = (name: string) => {
  const [only] = parsePrograms(JSON.stringify([{ name, functions: [fn] }]))
  if (only === undefined) throw new Error('no program')
  return only
}

/** Writes a program without a snapshot, and returns its starter. */
const given = async (
  name: string,
  code: string,
  { greeting = 'hello', ...options }: { clock?: typeof systemClock; node?: string; greeting?: string } = {},
) => {
  await mkdir(join(folder, name), { recursive: true })
  await writeFile(join(folder, name, 'main.cjs'), code)
  const starter = programStarter({
    folder,
    environment: () => ({ GREETING: greeting }),
    clock: systemClock,
    log: { debug: () => {}, info: () => {}, warn: (_, fields) => warnings.push(fields), error: () => {} },
    output: line => output.push(line),
    ...options,
  })
  return async (signal = new AbortController().signal) => {
    const process = await starter.start(program(name), signal)
    started.push(process)
    return process
  }
}

const server = `
  console.log(process.env.GREETING, Object.keys(process.env).join())
  const answer = (request, response) => {
    if (request.url === '/slow') return
    response.writeHead(request.method === 'POST' ? 204 : 200).end()
  }
  const server = require('node:http').createServer(answer)
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))`

test('a program receives events, answers probes, and has only its own environment', async () => {
  const start = await given('works', server)
  const process = await start()
  const signal = new AbortController().signal
  expect(await process.post('/', { headers: {}, body: new Uint8Array() }, signal)).toMatchObject({
    status: 204,
  })
  expect(await process.responds(signal)).toBe(true)
  expect(process.memory()).toBeGreaterThan(10 * 2 ** 20)
  await expect.poll(() => output).toEqual(['hello GREETING'])
  expect(warnings).toMatchObject([{ program: 'works', advice: expect.stringContaining('rebuild the image') }])
  process.stop('SIGTERM')
  expect(await process.ended).toMatch(/^signal SIGTERM/)
  expect(await process.responds(signal)).toBe(false)
})

test('a program that ends before it listens is rejected with its output', async () => {
  const start = await given('fails', `console.error('listen EADDRINUSE 127.0.0.1:80'); process.exit(1)`)
  await expect(start()).rejects.toThrow(
    'the process ended: exit code 1. Its output: listen EADDRINUSE 127.0.0.1:80',
  )
})

test('a program that never listens is killed after 20 s, with its output', async () => {
  const clock = virtualClock(0)
  const start = await given('silent', `console.log('still loading'); setInterval(() => {}, 1000)`, { clock })
  const starting = expect(start()).rejects.toThrow('does not listen after 20 s. Its output: still loading')
  await expect.poll(() => output).toEqual(['still loading'])
  await clock.advance(20_000)
  await starting
})

test('a start is aborted with the runner', async () => {
  const start = await given('aborted', `console.log('loading'); setInterval(() => {}, 1000)`)
  const ended = new AbortController()
  const starting = expect(start(ended.signal)).rejects.toThrow('the runner is closed')
  await expect.poll(() => output).toEqual(['loading'])
  ended.abort(new Error('the runner is closed'))
  await starting
})

test('a Node that cannot be executed is named with advice', async () => {
  const start = await given('works', server, { node: join(folder, 'no-node') })
  await expect(start()).rejects.toThrow(/ENOENT.*The image must contain node/)
  await writeFile(join(folder, 'not-executable'), '')
  const other = await given('works', server, { node: join(folder, 'not-executable') })
  await expect(other()).rejects.toThrow(/EACCES.*The image must allow/)
})

test('the error of a process that the system refuses at once has advice', async () => {
  const start = await given('large', server, { greeting: 'x'.repeat(200_000) })
  await expect(start()).rejects.toThrow(/^spawn E2BIG\. The variables of the program .* are too long/)
})

/** A program that starts a child with its output, which prints its id, and ends when an event arrives. */
const withChild = (options: string, work = '') => `
  const { spawn } = require('node:child_process')
  const child = spawn(process.execPath, ['-e', ${JSON.stringify(work)} + 'console.log("child " + process.pid); setInterval(() => {}, 1000)'], ${options})
  const server = require('node:http').createServer(() => process.exit(3))
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))`

const childOf = async () => {
  await expect.poll(() => output).toContainEqual(expect.stringMatching(/^child \d+$/))
  return Number(output.find(line => line.startsWith('child '))?.split(' ')[1])
}
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const crash = (running: ProgramProcess) =>
  running.post('/', { headers: {}, body: new Uint8Array() }, new AbortController().signal).catch(() => {})

test('the end of a program is noticed although its child holds its output, and the child is killed', async () => {
  const start = await given('parent', withChild(`{ stdio: 'inherit' }`))
  const running = await start()
  const child = await childOf()
  await crash(running)
  expect(await running.ended).toMatch(/^exit code 3/)
  await expect.poll(() => isAlive(child)).toBe(false)
})

test('a child outside of the process group delays the end of a program by one second only', async () => {
  const clock = virtualClock(0)
  const start = await given('detached', withChild(`{ stdio: 'inherit', detached: true }`), { clock })
  const running = await start()
  const child = await childOf()
  onTestFinished(() => void process.kill(child, 'SIGKILL'))
  await crash(running)
  await expect.poll(() => clock.pending()).toHaveLength(1)
  await clock.advance(1_000)
  expect(await running.ended).toMatch(/^exit code 3/)
})

test.each([`{ stdio: 'inherit' }`, `{ stdio: 'inherit', detached: true }`])(
  'the memory of a program contains that of a child with %s',
  async options => {
    const start = await given('large-child', withChild(options, 'globalThis.kept = Buffer.alloc(2e8, 1);'))
    const running = await start()
    const child = await childOf()
    onTestFinished(() => void (isAlive(child) && process.kill(child, 'SIGKILL')))
    expect(running.memory()).toBeGreaterThan(200e6)
  },
)
