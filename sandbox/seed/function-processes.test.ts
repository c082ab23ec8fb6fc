import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Starts a function's process, prints its id, and ends at once. */
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

test('leaves no process of a function behind where it ends without closing it', async () => {
  const args = ['--input-type=module', '--eval', careless]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  expect(status, stderr).toBe(1)
  const pid = Number(stdout)
  expect(pid).toBeGreaterThan(1)
  try {
    // It is told to end, and the system takes a moment for it.
    for (let times = 0; times < 100 && isRunning(pid); times++) await sleep(50)
    expect(isRunning(pid)).toBe(false)
  } finally {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  }
})
