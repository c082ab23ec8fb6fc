import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { extname, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { RunningFunction, SeedFunction } from './seed-function.ts'

export interface OwnProcessOptions {
  /** Extra environment: settings such as `TRELLIS_LOG_LEVEL`, and the result of the seed's `cloudEnvironment`. */
  readonly env?: Readonly<Record<string, string>>
  /** Called with each line that the process logs. */
  readonly onLine?: (line: string) => void
  /** Arguments of Node itself: `--inspect=127.0.0.1:9229`. Default: none. */
  readonly nodeArgs?: readonly string[]
}

export interface ProcessOptions extends OwnProcessOptions {
  /** The kubeconfig file of the seed. */
  readonly kubeconfig: string
  /** The program that a process runs, relative to the repository root. Default: the function's source. */
  readonly programOf?: (fn: Pick<SeedFunction, 'name'>) => string
  /** The arguments of a process, in place of its program. */
  readonly argsOf?: (fn: Pick<SeedFunction, 'name'>) => readonly string[]
}

export interface FunctionProcess extends RunningFunction {
  /** Kills the process at once, as a crash would. */
  kill(): Promise<void>
  /** Suspends the process with its connections open. The returned function resumes it. */
  pause(): () => void
  readonly pid: number | undefined
}

/** The process of a function ended before it served. `said`: its first lines. */
export class ProcessEndedError extends Error {
  override readonly name = 'ProcessEndedError'
  readonly said: readonly string[]
  constructor(message: string, said: readonly string[]) {
    super(message)
    this.said = said
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The program that serves the function of a file: a source file if this is one, else the published one. */
const serve = fileURLToPath(new URL(`../../functions/main${extname(import.meta.url)}`, import.meta.url))

/** Images have a compile cache too. Without it, each start compiles the hundreds of source files of a process. */
export const compileCache = fileURLToPath(
  new URL('../../node_modules/.cache/trellis/compiled', import.meta.url),
)

type StartProcess = (
  fn: Pick<SeedFunction, 'name' | 'file'>,
  own?: OwnProcessOptions,
) => Promise<FunctionProcess>

/**
 * Runs each function in its own process over real connections, as production does. Use one call for many functions:
 * they share one exit listener of this process.
 */
export const functionProcesses = (options: ProcessOptions): StartProcess => {
  const endWithParent = endingWithParent()
  return async ({ name, file }, own = {}) => {
    const program = options.programOf ? [resolve(root, options.programOf({ name }))] : [serve, file]
    const args = options.argsOf?.({ name }) ?? program
    const child = spawn(process.execPath, [...(own.nodeArgs ?? []), ...args], {
      // The channel ends the function if this process is killed.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        PATH: process.env.PATH,
        KUBECONFIG: options.kubeconfig,
        NODE_COMPILE_CACHE: compileCache,
        TRELLIS_PORT: '0',
        TRELLIS_ADDRESS: '127.0.0.1',
        ...options.env,
        ...own.env,
      },
    })
    endWithParent(child)
    const ended = once(child, 'exit')
    const url = await listening(child, name, own.onLine ?? options.onLine)
    const end = async (signal: NodeJS.Signals) => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      await ended
    }
    return {
      url,
      pid: child.pid,
      ended,
      close: () => end('SIGTERM'),
      kill: () => end('SIGKILL'),
      pause: () => {
        child.kill('SIGSTOP')
        return () => child.kill('SIGCONT')
      },
    }
  }
}

/** Ends all functions if this process ends without closing them, for example at a timeout. */
const endingWithParent = (): ((child: ChildProcess) => void) => {
  const running = new Set<ChildProcess>()
  const endAll = () => {
    for (const child of running) child.kill('SIGKILL')
  }
  return child => {
    if (running.size === 0) process.once('exit', endAll)
    running.add(child)
    const forget = () => {
      running.delete(child)
      if (running.size === 0) process.removeListener('exit', endAll)
    }
    child.once('exit', forget)
    // A process that could not start emits no exit event.
    child.once('error', forget)
  }
}

/** Waits for the host's log line that names its port. */
const listening = (child: ChildProcess, name: string, onLine?: (line: string) => void): Promise<string> =>
  new Promise((resolve, reject) => {
    const said: string[] = []
    const read = (stream: NodeJS.ReadableStream | null) => {
      if (stream === null) return
      createInterface({ input: stream }).on('line', line => {
        onLine?.(line)
        if (said.length < 20) said.push(line)
        const port = portOf(line)
        if (port !== undefined) resolve(`http://127.0.0.1:${port}`)
      })
    }
    read(child.stdout)
    read(child.stderr)
    child.once('error', reject)
    child.once('exit', code =>
      reject(
        new ProcessEndedError(`the process of ${name} exited with code ${code}: ${said.join('\n')}`, said),
      ),
    )
  })

const portOf = (line: string): number | undefined => {
  try {
    const { msg, port } = JSON.parse(line) as { readonly msg?: unknown; readonly port?: unknown }
    return msg === 'listening' && typeof port === 'number' ? port : undefined
  } catch {
    return undefined
  }
}
