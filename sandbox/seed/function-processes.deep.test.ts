import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { functionProcesses } from './function-processes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Starts a function's process and prints its id. */
const parent = `
  const { functionProcesses } = await import('./sandbox/seed/function-processes.ts')
  const start = functionProcesses({ kubeconfig: 'cli/testing/nowhere.kubeconfig' })
  const { pid } = await start({ name: 'aws-dnsrecord', file: 'functions/aws/dnsrecord/function.ts' })
  process.stdout.write(String(pid))`
const argsOf = (program: string) => ['--input-type=module', '--eval', program]

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const expectEnd = async (pid: number): Promise<void> => {
  expect(pid).toBeGreaterThan(1)
  try {
    // The process gets a signal; the system needs a moment to end it.
    await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false)
  } finally {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  }
}

test('no process of a function remains if the parent ends without closing it', async () => {
  const args = argsOf(`${parent}; process.exit(1)`)
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  expect(status, stderr).toBe(1)
  await expectEnd(Number(stdout))
})

test('no process of a function remains if the parent is killed', async () => {
  const child = spawn(process.execPath, argsOf(parent), { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const [pid] = (await once(child.stdout, 'data')) as [Buffer]
  child.kill('SIGKILL')
  await expectEnd(Number(pid))
})

/** Logs that it listens and keeps running. */
const program = `process.stdout.write(JSON.stringify({ msg: 'listening', port: 1, given: process.env.GIVEN }) + '\\n')
setInterval(() => {}, 1_000)
`

test('this process has one exit listener, however many functions it has started', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-processes-'))
  try {
    const stub = join(folder, 'program.mjs')
    await writeFile(stub, program)
    const lines: string[] = []
    const start = functionProcesses({ kubeconfig: 'nowhere', programOf: () => stub })
    const before = process.listenerCount('exit')
    const running = await Promise.all(
      Array.from({ length: 3 }, (_, index) =>
        start(
          { name: `f${index}`, file: stub },
          { env: { GIVEN: String(index) }, onLine: line => lines.push(line) },
        ),
      ),
    )
    expect(process.listenerCount('exit')).toBe(before + 1)
    expect(lines.map(line => (JSON.parse(line) as { given: string }).given).toSorted()).toEqual([
      '0',
      '1',
      '2',
    ])
    await Promise.all(running.map(one => one.kill()))
    expect(process.listenerCount('exit')).toBe(before)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
