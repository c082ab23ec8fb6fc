import { type ChildProcess, spawn } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../clock/clock.ts'
import type { Log } from '../../log/log.ts'
import { print, printError } from '../../terminal/print.ts'
import { messageOf } from '../../text/message-of.ts'
import type { ProgramProcess, ProgramStarter } from '../program-process.ts'
import type { HostedProgram } from '../programs.ts'
import { connectTo, type HttpConnection } from './connect-to.ts'
import { followOutput } from './follow-output.ts'
import { groupMemory } from './group-memory.ts'
import { mainFile, plainArgs, snapshotArgs, snapshotFile } from './program-args.ts'
import { adviceOnEnd, adviceOnStart, isSnapshotProblem } from './start-advice.ts'

export interface ProgramStarterOptions {
  /** Contains a folder for each program. */
  readonly folder: string
  /** Returns the environment of a program's process. */
  readonly environment: (program: HostedProgram) => Readonly<Record<string, string>>
  readonly clock: Clock
  readonly log: Log
  /** Receives the output of the processes, in lines. Default: that of this process. */
  readonly output?: (line: string, stream: 'stdout' | 'stderr') => void
  /** Default: the Node of this process. */
  readonly node?: string
}

/** A process that does not listen by then never will. */
const listenMs = 20_000

/** Starts programs from their bundles as processes of this machine, which listen on the loopback interface. */
export const programStarter = (options: ProgramStarterOptions): ProgramStarter => {
  const { folder, environment, clock, log, node = process.execPath, output = passOn } = options
  /** Programs whose snapshot is missing or cannot be used. */
  const plain = new Set<string>()

  const withoutSnapshot = (name: string, why: string) => {
    plain.add(name)
    log.warn('program starts without its snapshot, which is slower', {
      program: name,
      why,
      advice: 'rebuild the image: the snapshot must be built with the Node version of the image',
    })
  }

  const missing = async ({ name }: HostedProgram) => {
    const file = join(folder, name, mainFile)
    try {
      await access(file, constants.R_OK)
      return undefined
    } catch (error) {
      return `the bundle of ${name} cannot be read: ${messageOf(error)}. Use an image that contains this program, or remove it from TRELLIS_PROGRAMS`
    }
  }

  const start = async (program: HostedProgram, signal: AbortSignal): Promise<ProgramProcess> => {
    const { name } = program
    const place = join(folder, name)
    const why = await missing(program)
    if (why !== undefined) throw new Error(why)
    if (!plain.has(name)) {
      const unreadable = await access(join(place, snapshotFile), constants.R_OK).catch(messageOf)
      if (unreadable !== undefined) withoutSnapshot(name, unreadable)
    }
    const isPlain = plain.has(name)
    const begin = (args: readonly string[]) =>
      startProcess({ node, args, env: environment(program), name, clock, output, signal })
    try {
      return await begin(isPlain ? plainArgs(place) : snapshotArgs(place))
    } catch (error) {
      if (isPlain || signal.aborted || !isSnapshotProblem(messageOf(error))) throw error
      withoutSnapshot(name, messageOf(error))
      return begin(plainArgs(place))
    }
  }

  return { missing, start }
}

const passOn = (line: string, stream: 'stdout' | 'stderr') => {
  const write = stream === 'stdout' ? print : printError
  write(`${line}\n`)
}

interface StartInput
  extends Pick<ProgramStarterOptions, 'clock'>,
    Required<Pick<ProgramStarterOptions, 'node' | 'output'>> {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly name: string
  readonly signal: AbortSignal
}

const startProcess = async (input: StartInput): Promise<ProgramProcess> => {
  const { node, args, env, clock, output, signal } = input
  signal.throwIfAborted()
  const child = spawned(node, args, env)
  const lastLines = followOutput(child, output)
  const ended = endOf(child, clock)
  const late = Promise.withResolvers<never>()
  const disarm = clock.after(listenMs, () =>
    late.reject(new Error(`does not listen after ${listenMs / 1000} s`)),
  )
  const abort = () => late.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    const before = ended.then(how => {
      throw new Error(`the process ended: ${how}`)
    })
    const port = await Promise.race([portOf(child), before, late.promise])
    return processOf(
      child,
      connectTo(`http://127.0.0.1:${port}`, clock),
      ended.then(how => describeEnd(how, lastLines())),
    )
  } catch (error) {
    killGroup(child)
    throw new Error(describeEnd(`${messageOf(error)}${adviceOnStart(error)}`, lastLines()), { cause: error })
  } finally {
    disarm()
    signal.removeEventListener('abort', abort)
  }
}

/** @throws Error with advice. The system's other errors reach `endOf`. */
const spawned = (node: string, args: readonly string[], env: StartInput['env']): ChildProcess => {
  try {
    // The leader of a process group, with which its children end.
    return spawn(node, args, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true })
  } catch (error) {
    throw new Error(`${messageOf(error)}${adviceOnStart(error)}`, { cause: error })
  }
}

/** The port that the program reports (`reportPort`). */
const portOf = (child: ChildProcess): Promise<number> =>
  new Promise(resolve => {
    child.on('message', message => {
      if (typeof message === 'object' && 'port' in message && typeof message.port === 'number')
        resolve(message.port)
    })
  })

/** The rest of an ended process's output is read for this time. A child outside of its group may hold it open. */
const outputMs = 1_000

const killGroup = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // None is left.
  }
}

/** Resolves with how the process ended, after its children are killed. Rejects if it could not be started. */
const endOf = (child: ChildProcess, clock: Clock): Promise<string> =>
  new Promise((resolve, reject) => {
    child.on('error', error => {
      if (child.pid === undefined) reject(error)
    })
    child.once('exit', (code, signal) => {
      killGroup(child)
      const end = () => {
        disarm()
        for (const output of [child.stdout, child.stderr]) output?.destroy()
        resolve(signal === null ? `exit code ${code}` : `signal ${signal}`)
      }
      const disarm = clock.after(outputMs, end)
      // After the end of its output.
      child.once('close', end)
    })
  })

const describeEnd = (how: string, lines: readonly string[]): string =>
  `${how}${adviceOnEnd(how, lines)}${lines.length === 0 ? '' : `. Its output: ${lines.join(' | ')}`}`

const processOf = (
  child: ChildProcess,
  connection: HttpConnection,
  ended: Promise<string>,
): ProgramProcess => ({
  ...connection,
  pid: child.pid,
  ended,
  stop: signal => {
    if (child.exitCode !== null || child.signalCode !== null) return
    // The program ends its children itself, if it has time.
    if (signal === 'SIGTERM') child.kill(signal)
    else killGroup(child)
  },
  memory: () => (child.pid === undefined ? undefined : groupMemory(child.pid)),
})
