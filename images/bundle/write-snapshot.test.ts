import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFunctions } from '../../functions/find-functions.ts'
import { bundle } from './bundle.ts'
import { functionProgram, kubeconfigReader } from './programs.ts'
import { mainFile } from './write-bundles.ts'
import { snapshotArgs, snapshotFile, writeSnapshot } from './write-snapshot.ts'

const run = promisify(execFile)
const root = new URL('../..', import.meta.url).pathname

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-snapshot-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Bundles a program, makes its snapshot, and gives how a process of it is run. */
const snapshotOf = async (name: string, source: Parameters<typeof bundle>[0]['source']) => {
  const own = join(folder, name)
  await bundle({ source, out: join(own, mainFile), kubeconfigReader: join(own, 'kubeconfig.cjs') })
  await writeSnapshot(own)
  return {
    file: join(own, snapshotFile),
    start: (env: Readonly<Record<string, string>>) => run(process.execPath, [...snapshotArgs(own)], { env }),
  }
}

const contents = (lines: readonly string[]) => ({ stdin: { contents: lines.join('\n'), resolveDir: root } })

describe('a startup snapshot', () => {
  test('holds nothing of the environment, the clock, the process or the randomness of its making', async () => {
    const { start } = await snapshotOf(
      'fresh',
      contents([
        `import { randomInt, randomUUID } from 'node:crypto'`,
        `import { startProcess } from './shared/runtime/start/start.ts'`,
        `const facts = () => ({`,
        `  env: process.env.GIVEN, pid: process.pid, now: Date.now(), elapsed: performance.now() < 10_000,`,
        `  random: Math.random(), number: randomInt(2 ** 40), uuid: randomUUID(), web: crypto.randomUUID(), args: process.argv.length,`,
        `})`,
        `const before = facts()`,
        `startProcess(() => console.log(JSON.stringify([before, facts()])), async () => void facts())`,
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
    expect(one[1].now).toBeGreaterThan(one[0].now)
    expect(one[1]).toMatchObject({ elapsed: true, args: 2 })
  })

  test('cannot be made of a program that would send something meanwhile', async () => {
    const made = snapshotOf(
      'sends',
      contents([
        `import http from 'node:http'`,
        `import { startProcess } from './shared/runtime/start/start.ts'`,
        `startProcess(() => undefined, async () => void http.get('http://127.0.0.1:1'))`,
      ]),
    )
    await expect(made).rejects.toThrow('http is not to be used while a snapshot is made')
  })

  test('of a function has compiled what its first event needs, and holds no time of the build', async () => {
    const [program] = await findFunctions()
    if (program === undefined) throw new Error('there is no function')
    const { file, start } = await snapshotOf(program.name, functionProgram(program.file))
    expect((await readFile(file)).includes(`"time":"${new Date().getFullYear()}`)).toBe(false)
    // Settings are read at the start.
    await expect(start({ TRELLIS_PORT: 'x' })).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^\S+: TRELLIS_PORT="x": /),
    })
  })

  test('finds what reads kubeconfigs beside its program', async () => {
    const [program] = await findFunctions()
    if (program === undefined) throw new Error('there is no function')
    const { file, start } = await snapshotOf(`${program.name}-outside`, functionProgram(program.file))
    const outside = { KUBECONFIG: join(folder, 'nowhere') }
    await expect(start(outside)).rejects.toMatchObject({
      stderr: `${program.name}: what reads kubeconfigs is not beside this program: Cannot find module './kubeconfig.cjs'\n`,
    })
    const reader = join(file, '..', 'kubeconfig.cjs')
    await bundle({ source: kubeconfigReader, out: reader, kubeconfigReader: reader })
    await expect(start(outside)).rejects.toMatchObject({ stderr: expect.stringContaining('nowhere') })
  })
})
