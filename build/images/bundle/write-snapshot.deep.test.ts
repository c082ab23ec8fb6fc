import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFunctions } from '../../../functions/find-functions.ts'
import { besideFiles, bundle } from './bundle.ts'
import { findPrograms, functionProgram } from './programs.ts'
import { mainFile } from './write-bundles.ts'
import { snapshotArgs, snapshotFile, writeSnapshot } from './write-snapshot.ts'

const run = promisify(execFile)
const root = new URL('../../..', import.meta.url).pathname

let folder = ''
let program: { readonly name: string; readonly file: string }
beforeAll(async () => {
  const [first] = await findFunctions()
  if (first === undefined) throw new Error('there is no function')
  program = first
  folder = await mkdtemp(join(tmpdir(), 'trellis-snapshot-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Bundles a program, writes its snapshot, and returns the way to run it. */
const snapshotOf = async (name: string, source: Parameters<typeof bundle>[0]['source']) => {
  const own = join(folder, name)
  await bundle({ source, out: join(own, mainFile) })
  await writeSnapshot(own)
  return {
    file: join(own, snapshotFile),
    start: (env: Readonly<Record<string, string>>) => run(process.execPath, [...snapshotArgs(own)], { env }),
  }
}

const fail = (wanted: string): never => {
  throw new Error(`there is no program ${wanted}`)
}

const contents = (lines: readonly string[]) => ({ stdin: { contents: lines.join('\n'), resolveDir: root } })

describe('a startup snapshot', () => {
  test('contains nothing of the environment, the clock, the process or the randomness of its build', async () => {
    const { start } = await snapshotOf(
      'fresh',
      contents([
        `import { startProcess } from './shared/runtime/start/start-process.ts'`,
        `import { randomInt, randomUUID } from 'node:crypto'`,
        `import { hostname } from 'node:os'`,
        `const { now } = Date`,
        `const kept = setTimeout`,
        `const facts = () => ({`,
        `  env: process.env.GIVEN, pid: process.pid, now: Date.now(), elapsed: performance.now() < 10_000,`,
        `  random: Math.random(), number: randomInt(2 ** 40), uuid: randomUUID(), web: crypto.randomUUID(), args: process.argv.length,`,
        `  kept: now(), host: hostname(), ticks: Number(process.hrtime.bigint()), execPath: process.execPath,`,
        `})`,
        `const before = facts()`,
        `startProcess(`,
        `  () => kept(() => console.log(JSON.stringify([before, facts()])), 1),`,
        `  async () => void [facts(), setTimeout(() => undefined, 10_000)],`,
        `)`,
      ]),
    )
    const [one, other] = await Promise.all(
      ['1', '2'].map(async given => JSON.parse((await start({ GIVEN: given })).stdout)),
    )
    expect(one[0]).toEqual(other[0])
    expect([one[1].env, other[1].env]).toEqual(['1', '2'])
    for (const fact of ['pid', 'random', 'number', 'uuid', 'web']) {
      expect(one[1][fact]).not.toBe(other[1][fact])
      expect(one[1][fact]).not.toBe(one[0][fact])
    }
    expect(one[0]).toMatchObject({ pid: 0, now: 0, kept: 0, ticks: 0, host: '', execPath: '', args: 0 })
    expect(one[1]).toMatchObject({ elapsed: true, args: 2, host: hostname(), execPath: process.execPath })
    for (const fact of ['now', 'kept', 'ticks']) expect(one[1][fact]).toBeGreaterThan(0)
  })

  test('is byte-identical in another folder and with another Node binary of the same version', async () => {
    const programs = await findPrograms()
    // A function that calls its cloud, a function that waits for a name server without an answer, and a program that is
    // no function.
    for (const wanted of ['aws-bastion', 'local-dnsrecord', 'bridge']) {
      const { name, source } = programs.find(({ name }) => name === wanted) ?? fail(wanted)
      const { file } = await snapshotOf(name, source)
      const another = join(folder, 'another', name)
      await mkdir(another, { recursive: true })
      await copyFile(join(file, '..', mainFile), join(another, mainFile))
      const node = join(folder, 'another', 'node')
      await copyFile(process.execPath, node)
      await writeSnapshot(another, [node])
      expect((await readFile(join(another, snapshotFile))).equals(await readFile(file))).toBe(true)
    }
  })

  test('of a program that waits for a timer contains the progress so far', async () => {
    const { start } = await snapshotOf(
      'waits',
      contents([
        `import { startProcess } from './shared/runtime/start/start-process.ts'`,
        `const isComposed = () => { const one = AbortSignal.abort(); return AbortSignal.any([one]) !== one }`,
        `const came = []`,
        `startProcess(`,
        `  () => console.log(JSON.stringify([...came, isComposed()])),`,
        `  async () => { came.push('so far', isComposed()); await new Promise(resolve => void setTimeout(resolve, 1)); came.push('further') },`,
        `)`,
      ]),
    )
    expect(JSON.parse((await start({})).stdout)).toEqual(['so far', false, true])
  })

  test('gives each process its own start time in its metrics', async () => {
    const { start } = await snapshotOf(
      'metrics',
      contents([
        `import { startProcess } from './shared/runtime/start/start-process.ts'`,
        `import { createMetrics } from './shared/runtime/metrics.ts'`,
        `const boot = async () => console.log((await createMetrics({ processMetrics: true }).render()).text)`,
        `startProcess(boot, async () => undefined)`,
      ]),
    )
    const before = Date.now() / 1000
    const [, seconds] = /^process_start_time_seconds (.*)$/m.exec((await start({})).stdout) ?? []
    // Rounded to seconds.
    expect(Number(seconds)).toBeGreaterThanOrEqual(Math.floor(before))
  })

  test('is not taken from a program that cannot be warmed up', async () => {
    const made = snapshotOf(
      'fails',
      contents([
        `import { startProcess } from './shared/runtime/start/start-process.ts'`,
        `startProcess(() => undefined, async () => { throw new Error('for a reason') })`,
      ]),
    )
    await expect(made).rejects.toThrow('cannot warm up the program: for a reason')
  })

  // An attacker who knows the hash seed can send keys that all collide. `--hash-seed` applies only to the build.
  test('gives each process its own hash seed', async () => {
    const own = join(folder, 'seeds')
    await bundle({
      source: contents([
        `import { startProcess } from './shared/runtime/start/start-process.ts'`,
        `const kept = new Map(Array.from({ length: 1000 }, (_, index) => ['key' + index, index]))`,
        `const { internalBinding } = require(['internal', 'test', 'binding'].join('/'))`,
        `const all = () => Array.from(kept, ([key, value]) => kept.get([...key].join('')) === value).every(Boolean)`,
        `startProcess(() => console.log(String(internalBinding('v8').getHashSeed()), all()), async () => undefined)`,
      ]),
      out: join(own, mainFile),
    })
    await writeSnapshot(own, [process.execPath, '--expose-internals'])
    const said = await Promise.all(
      [1, 2].map(async () => {
        const { stdout } = await run(process.execPath, ['--expose-internals', ...snapshotArgs(own)])
        return stdout.trim().split(' ')
      }),
    )
    expect(said.map(([, isAll]) => isAll)).toEqual(['true', 'true'])
    const seeds = said.map(([seed]) => seed)
    expect(new Set([...seeds, '1']).size).toBe(3)
  })

  test.each([
    ['http', `http.get('http://127.0.0.1:1')`],
    ['net', `net.isIP('a') === 0 && net.connect(1)`],
    ['dgram', `dgram.createSocket('udp4')`],
    ['dns', `dns.lookup('localhost', () => undefined)`],
  ])('is refused for a program that would send data during the build: %s', async (name, send) => {
    const made = snapshotOf(
      `sends-by-${name}`,
      contents([
        `import ${name} from 'node:${name}'`,
        `import { startProcess } from './shared/runtime/start/start-process.ts'`,
        `startProcess(() => undefined, async () => void (${send}))`,
      ]),
    )
    await expect(made).rejects.toThrow(`${name} is not to be used while a snapshot is made`)
  })

  test('is taken from a program that calls a cloud with fetch, which works afterwards', async () => {
    const { start } = await snapshotOf(
      'fetches',
      contents([
        `import { startProcess } from './shared/runtime/start/start-process.ts'`,
        `const { fetch: kept } = globalThis`,
        `let refused`,
        `const textOf = async send => (await send('data:,hello')).text()`,
        `startProcess(`,
        `  async () => console.log(JSON.stringify([refused, await textOf(fetch), await textOf(kept)])),`,
        `  async () => { await fetch('http://127.0.0.1:9').catch(error => { refused = error.message }) },`,
        `)`,
      ]),
    )
    expect(JSON.parse((await start({})).stdout)).toEqual([
      'fetch is not to be used while a snapshot is made',
      ...['hello', 'hello'],
    ])
  })

  test('contains no private key that its sample event created', async () => {
    const { name, source } =
      (await findPrograms()).find(({ name }) => name === 'oidc-extension') ?? fail('oidc-extension')
    const { file } = await snapshotOf(name, source)
    const blob = await readFile(file)
    for (const text of ['PRIVATE KEY', btoa('-----BEGIN PRIVATE').slice(0, 20)])
      for (const encoding of ['latin1', 'utf16le'] as const)
        expect(blob.includes(Buffer.from(text, encoding))).toBe(false)
  })

  test('of a function contains compiled code for its first event, and no time of the build', async () => {
    const { file, start } = await snapshotOf(program.name, functionProgram(program.file))
    expect((await readFile(file)).includes(`"time":"${new Date().getFullYear()}`)).toBe(false)
    // Settings are read at the start.
    await expect(start({ TRELLIS_PORT: 'x' })).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^\S+: TRELLIS_PORT="x": /),
    })
  })

  test('finds the kubeconfig reader beside its program', async () => {
    const { file, start } = await snapshotOf(`${program.name}-outside`, functionProgram(program.file))
    const outside = { KUBECONFIG: join(folder, 'nowhere') }
    await expect(start(outside)).rejects.toMatchObject({
      stderr: `${program.name}: the reader of kubeconfigs is missing beside this program: Cannot find module './kubeconfig.cjs'\n`,
    })
    const reader = join(file, '..', 'kubeconfig.cjs')
    await bundle({ source: { entryPoints: [besideFiles['kubeconfig.cjs']] }, out: reader })
    await expect(start(outside)).rejects.toMatchObject({ stderr: expect.stringContaining('nowhere') })
  })
})
