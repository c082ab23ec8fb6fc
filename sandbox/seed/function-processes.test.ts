import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { functionProcesses } from './function-processes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Starts a function's process, prints its id and ends at once. */
const careless = `
  const { functionProcesses } = await import('./sandbox/seed/function-processes.ts')
  const start = functionProcesses({ kubeconfig: 'cli/testing/nowhere.kubeconfig' })
  const { pid } = await start({ name: 'aws-dnsrecord', file: 'functions/aws/dnsrecord/function.ts' })
  process.stdout.write(String(pid))
  process.exit(1)`

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('no process of a function remains if the parent ends without closing it', async () => {
  const args = ['--input-type=module', '--eval', careless]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  expect(status, stderr).toBe(1)
  const pid = Number(stdout)
  expect(pid).toBeGreaterThan(1)
  try {
    // The process gets a signal; the system needs a moment to end it.
    for (let times = 0; times < 100 && isRunning(pid); times++) await sleep(50)
    expect(isRunning(pid)).toBe(false)
  } finally {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  }
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
