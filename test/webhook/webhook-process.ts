import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { compileCache } from '../../sandbox/seed/seed.ts'

const main = fileURLToPath(new URL('../../functions/webhooks-main.ts', import.meta.url))

/** A process with the webhooks of this repository. */
export interface WebhookProcess {
  /**
   * The ports of reviews and probes. Resolves once the process serves them. Rejects with its log if the process ends
   * earlier.
   */
  readonly ports: Promise<{ readonly port: number; readonly probePort: number }>
  /** The log so far, one value per line. */
  readonly log: readonly Readonly<Record<string, unknown>>[]
  readonly pid: number
  readonly terminate: () => void
  /** Kills it with SIGKILL, without any cleanup. */
  readonly kill: () => void
  /** The exit code and signal, once the process has ended for any reason. */
  readonly exited: Promise<readonly [number | null, string | null]>
}

/** Starts processes, and kills the remaining ones at the end. */
export const webhookProcesses = () => {
  const children = new Map<ChildProcess, Promise<unknown>>()
  return {
    start: (env: Readonly<Record<string, string>>, program: readonly string[] = [main]): WebhookProcess => {
      const child = spawn(process.execPath, program, {
        env: {
          PATH: process.env.PATH,
          NODE_COMPILE_CACHE: compileCache,
          TRELLIS_ADDRESS: '127.0.0.1',
          TRELLIS_PORT: '0',
          TRELLIS_PROBE_PORT: '0',
          ...env,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const exited = once(child, 'exit') as Promise<[number | null, string | null]>
      children.set(child, exited)
      const ports = Promise.withResolvers<{ readonly port: number; readonly probePort: number }>()
      const log: Record<string, unknown>[] = []
      exited.then(([code, signal]) => {
        children.delete(child)
        ports.reject(new Error(`the webhooks ended (${code ?? signal}): ${JSON.stringify(log)}`))
      })
      // Prevents an unhandled rejection if the test does not wait for them.
      ports.promise.catch(() => undefined)
      let rest = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          const entry = JSON.parse(line) as Record<string, unknown>
          log.push(entry)
          // Other versions have other messages.
          const { port, probePort } = entry
          if (typeof port === 'number' && typeof probePort === 'number') ports.resolve({ port, probePort })
        }
      })
      return {
        ports: ports.promise,
        log,
        pid: child.pid ?? -1,
        terminate: () => child.kill('SIGTERM'),
        kill: () => child.kill('SIGKILL'),
        exited,
      }
    },
    /** Resolves when all processes have ended. */
    killAll: async () => {
      for (const child of children.keys()) child.kill('SIGKILL')
      await Promise.all(children.values())
    },
  }
}
