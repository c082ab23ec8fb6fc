import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { compileCache } from '../../sandbox/seed/seed.ts'

const main = fileURLToPath(new URL('../../bridge/main.ts', import.meta.url))

/** A bridge in a process of its own. */
export interface BridgeProcess {
  readonly pid: number
  /** The address of `/metrics` and the probes. Resolves once the process serves them. Rejects with its log if it ends before. */
  readonly port: Promise<number>
  /** Its log so far, a value for each line. */
  readonly log: readonly Readonly<Record<string, unknown>>[]
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2'): void
  /** Its exit code and signal, once it has ended by whatever. */
  readonly exited: Promise<readonly [number | null, string | null]>
  /** Ends it, and returns its exit code and signal. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<[number | null, string | null]>
}

/** Starts bridges as processes; those that are left are killed at the end. */
export const bridgeProcesses = () => {
  const children = new Set<ChildProcess>()
  return {
    start: (env: Readonly<Record<string, string>>, args: readonly string[] = [main]): BridgeProcess => {
      const child = spawn(process.execPath, args, {
        env: {
          PATH: process.env.PATH,
          NODE_COMPILE_CACHE: compileCache,
          TRELLIS_SEED: 'test',
          TRELLIS_HOST: '127.0.0.1',
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
          if (entry.msg === 'the bridge runs') port.resolve(Number(entry.port))
        }
      })
      return {
        // Of a process that could not be started; no process has it.
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
