import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningFunction } from '../../sandbox/seed/seed.ts'
import { compileCache } from '../../sandbox/seed/seed.ts'
import { startTestSeed, type TestSeed } from './harness.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cli = `${root}node_modules/@google-cloud/functions-framework/build/src/main.js`

const children = new Set<ChildProcess>()
const kill = async (child: ChildProcess): Promise<void> => {
  children.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
afterAll(async () => {
  for (const child of children) await kill(child)
})

/** The CLI requires a fixed port. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** Starts the CLI of the functions framework with the DNSRecord function. `output` is its output so far. */
const startCli = (port: number, env: Readonly<Record<string, string>>) => {
  const child = spawn(
    process.execPath,
    [cli, '--target=aws-dnsrecord', '--source=functions/aws/dnsrecord/function.ts', `--port=${port}`],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache, ...env },
    },
  )
  children.add(child)
  const said = { output: '' }
  const { promise: serves, resolve } = Promise.withResolvers<void>()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      said.output += String(chunk)
      if (said.output.includes('URL: ')) resolve()
    })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  return { child, said, serves, ended }
}

/** A seed whose function is served by the framework's command line. */
const startCliSeed = async (): Promise<TestSeed> => {
  const seed: TestSeed = await startTestSeed({
    kinds: ['DNSRecord'],
    startFunction:
      ({ cloudUrls }) =>
      async (): Promise<RunningFunction> => {
        const port = await freePort()
        const { child, said, serves, ended } = startCli(port, {
          KUBECONFIG: seed.kubeconfigFile,
          AWS_ENDPOINT_URL: cloudUrls.aws,
        })
        await Promise.race([
          serves,
          ended.then(code => Promise.reject(new Error(`the CLI ended with ${code}: ${said.output}`))),
        ])
        return { url: `http://127.0.0.1:${port}/`, close: () => kill(child) }
      },
  })
  return seed
}

describe('the command line of the functions framework', () => {
  let seed: TestSeed
  beforeAll(async () => {
    seed = await startCliSeed()
  })
  afterAll(() => seed.close())

  test('runs the function for a whole seed: create, update, delete', async () => {
    await seed.create('api')
    await seed.untilReady('api')
    expect(seed.records()).toEqual(['A api.rose.example.com. 120 203.0.113.10'])
    await seed.ask('api', 'reconcile', { values: ['203.0.113.11'] })
    await seed.untilReady('api')
    expect(seed.records()).toEqual(['A api.rose.example.com. 120 203.0.113.11'])
    await seed.remove('api')
    await seed.untilGone('api')
    expect(seed.records()).toEqual([])
    await seed.broker.idle()
    const answers = seed.observed.flatMap(seen =>
      seen.part === 'broker' && seen.event.kind === 'attempt' ? [seen.event.status] : [],
    )
    expect(answers).toEqual([204, 204, 204])
  })
})

test('invalid settings end the function with one line and exit code 2', async () => {
  const { ended, said } = startCli(await freePort(), {
    KUBECONFIG: '/nowhere',
    TRELLIS_STEP_LIMIT_MS: 'many',
  })
  expect(await ended).toBe(2)
  expect(said.output).toMatch(/^aws-dnsrecord: .*TRELLIS_STEP_LIMIT_MS.*\n$/)
})

test('the command in the architecture page is the tested one', async () => {
  const page = await readFile(`${root}docs/architecture.md`, 'utf8')
  expect(page).toContain(
    'functions-framework --source=functions/aws/dnsrecord/function.ts --target=aws-dnsrecord\n',
  )
})
