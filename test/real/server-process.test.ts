import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ServerProcess, startRestartedProcess, startServerProcess } from './server-process.ts'

const newFolder = () => mkdtemp(join(tmpdir(), 'trellis-server-process-'))

/** A server that prints its process id and never ends by itself, even after a signal. */
const server = { command: 'sh', args: ['-c', 'trap "" TERM INT; echo "pid $$"; while :; do sleep 1; done'] }

const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const pidIn = (text: string): number => Number(/pid (\d+)/.exec(text)?.[1])

const pidOf = async ({ output }: ServerProcess): Promise<number> => {
  await expect.poll(output).toMatch(/pid \d+/)
  return pidIn(output())
}

describe('a server process', () => {
  test('is removed with its folder when it is stopped', async () => {
    const folder = await newFolder()
    const running = startServerProcess({ ...server, folder })
    const pid = await pidOf(running)
    expect(lives(pid)).toBe(true)
    await running.stop()
    expect(lives(pid)).toBe(false)
    expect(existsSync(folder)).toBe(false)
  })

  test('is removed with its folder when its parent process is killed', async () => {
    const folder = await newFolder()
    const program = `
      const { startServerProcess } = await import(${JSON.stringify(join(import.meta.dirname, 'server-process.ts'))})
      const running = startServerProcess(${JSON.stringify({ ...server, folder })})
      setInterval(() => process.stdout.write(running.output()), 20)`
    const starter = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    starter.stdout.setEncoding('utf8').on('data', text => {
      printed += text
    })
    await expect.poll(() => printed).toMatch(/pid \d+\n/)
    const pid = pidIn(printed)
    starter.kill('SIGKILL')
    await once(starter, 'exit')
    await expect.poll(() => lives(pid) || existsSync(folder)).toBe(false)
  })

  test('can be paused, continued, and killed while it is paused', async () => {
    const running = startServerProcess(server)
    const pid = await pidOf(running)
    const isPaused = async () => /^State:\s+T/m.test(await readFile(`/proc/${pid}/status`, 'utf8'))
    running.signal('STOP')
    await expect.poll(isPaused).toBe(true)
    running.signal('CONT')
    await expect.poll(isPaused).toBe(false)
    running.signal('STOP')
    await expect.poll(isPaused).toBe(true)
    await running.stop()
    expect(lives(pid)).toBe(false)
  })

  test('reports its end and its output', async () => {
    const folder = await newFolder()
    const running = startServerProcess({
      command: 'sh',
      args: ['-c', 'echo out; echo err >&2; exit 3'],
      folder,
    })
    await running.ended
    expect(running.output().split('\n').toSorted()).toEqual(['', 'err', 'out'])
    expect(existsSync(folder)).toBe(false)
    await running.stop()
  })

  test('that does not exist ends with the reason', async () => {
    const running = startServerProcess({ command: '/no/such/server', args: [] })
    await running.ended
    expect(running.output()).toContain('/no/such/server: not found')
  })
})

test('a server that ends by itself is started again until it is stopped', async () => {
  const folder = await newFolder()
  const command =
    'if test -e once; then echo "second pid $$"; exec sleep 1000; else touch once; echo first; fi'
  const running = startRestartedProcess({ command: 'sh', args: ['-c', command], cwd: folder })
  await expect.poll(running.output, { timeout: 60_000 }).toMatch(/^first\n+\(it ended.*\nsecond pid \d+/)
  await running.stop()
  expect(lives(pidIn(running.output()))).toBe(false)
})
