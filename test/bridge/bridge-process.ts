import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { compileCache } from '../../sandbox/seed/seed.ts'
import type { LeaseTimes } from '../../shared/leadership/election.ts'

const main = fileURLToPath(new URL('../../bridge/main.ts', import.meta.url))
const withLeaseTimes = fileURLToPath(new URL('../../bridge/testing/quick-lease.ts', import.meta.url))

/** The variable that gives a bridge other times of its lease. The processes of the product do not know it. */
export const leaseTimes = (times: LeaseTimes): Readonly<Record<string, string>> => ({
  LEASE_TIMES: JSON.stringify(times),
})

/** A bridge in a separate process. */
export interface BridgeProcess {
  readonly pid: number
  /**
   * The port of `/metrics` and the probes. Resolves once the process serves them. Rejects with its log if the process
   * ends earlier.
   */
  readonly port: Promise<number>
  /** The log so far, one value per line. */
  readonly log: readonly Readonly<Record<string, unknown>>[]
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2'): void
  /** The exit code and signal, once the process has ended for any reason. */
  readonly exited: Promise<readonly [number | null, string | null]>
  /** Ends the process, and returns its exit code and signal. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<[number | null, string | null]>
}

/** Starts bridges as processes, and kills the remaining ones at the end. */
export const bridgeProcesses = () => {
  const children = new Set<ChildProcess>()
  return {
    start: (
      env: Readonly<Record<string, string>>,
      args: readonly string[] = ['LEASE_TIMES' in env ? withLeaseTimes : main],
    ): BridgeProcess => {
      const child = spawn(process.execPath, args, {
        env: {
          PATH: process.env.PATH,
          NODE_COMPILE_CACHE: compileCache,
          TRELLIS_SEED: 'test',
          TRELLIS_ADDRESS: '127.0.0.1',
          TRELLIS_PORT: '0',
          TRELLIS_KINDS: 'DNSRecord',
          ...env,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      children.add(child)
      const exited = once(child, 'exit') as Promise<[number | null, string | null]>
      const port = Promise.withResolvers<number>()
      const log: Record<string, unknown>[] = []
      exited.then(([code, signal]) => {
        port.reject(new Error(`the bridge ended (${code ?? signal}): ${JSON.stringify(log)}`))
      })
      // Prevents an unhandled rejection if the test does not wait for it.
      port.promise.catch(() => undefined)
      let rest = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          const entry = JSON.parse(line) as Record<string, unknown>
          log.push(entry)
          // Other versions have other messages.
          if (typeof entry.port === 'number') port.resolve(entry.port)
        }
      })
      return {
        // A process that failed to start has no id. No process has this one.
        pid: child.pid ?? -1,
        port: port.promise,
        log,
        signal: signal => child.kill(signal),
        exited,
        end: signal => {
          child.kill(signal)
          children.delete(child)
          return exited
        },
      }
    },
    killAll: () => {
      for (const child of children) child.kill('SIGKILL')
    },
  }
}
