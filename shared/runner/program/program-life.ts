import type { Clock, Timestamp } from '../../clock/clock.ts'
import type { Log } from '../../log/log.ts'
import { messageOf } from '../../text/message-of.ts'
import type { ProgramStarter } from '../program-process.ts'
import type { HostedProgram } from '../programs.ts'
import type { EndReason, ObserveRunner } from '../runner-event.ts'
import { type AwakeProcess, awakeProcess } from './awake-process.ts'

export interface ProgramOptions {
  readonly program: HostedProgram
  readonly starter: ProgramStarter
  readonly clock: Clock
  readonly log: Log
  /** A process without events ends after this time. */
  readonly idleMs: number
  /** Returns why another process cannot start now. */
  readonly full: (program: HostedProgram) => string | undefined
  readonly observe: ObserveRunner
  /** Returns true if events wait for the program. */
  readonly isNeeded: () => boolean
  /** Called when the process can receive events. */
  readonly onAwake: () => void
}

/** The life of one program: asleep until `wake`, then one process until it is idle or must be stopped. */
export interface ProgramLife {
  readonly settings: HostedProgram
  /** Starts the process unless it runs, starts, or waits after a failure. */
  wake(): void
  /** The process that receives events. */
  current(): AwakeProcess | undefined
  /** Returns why the program cannot run. Undefined if it can, as far as is known. */
  problem(): string | undefined
  /** The time since which the process has no event. Undefined: it has events, or there is no process. */
  idleSince(): Timestamp | undefined
  /** Stops the process; the next event starts another one. */
  stop(reason: EndReason): void
  /** Records that the files of the program are missing. */
  isMissing(why: string): void
  /** Stops the process for good. Resolves when no process is left. */
  close(): Promise<void>
}

const firstWaitMs = 1_000
const longestWaitMs = 60_000
/** The wait until room for another process is looked for again. */
const roomAgainMs = 500
/** One failed start may be chance. */
const failuresOfProblem = 2
/** A lack of room is a problem after this time. */
const lastingMs = 30_000
/**
 * The time between SIGTERM and SIGKILL. A process hands its steps back within 27 s of SIGTERM, unless it no longer runs
 * or must free memory at once.
 */
const graceMs: Readonly<Record<EndReason, number>> = {
  ...{ idle: 40_000, room: 40_000, closed: 40_000 },
  ...{ crashed: 0, unresponsive: 3_000, memory: 3_000 },
}

export const createProgram = (options: ProgramOptions): ProgramLife => {
  const { program, starter, clock, log, idleMs, full, observe, isNeeded, onAwake } = options
  const { name } = program
  let current: AwakeProcess | undefined
  let starting: Promise<void> | undefined
  let cancelWait: (() => void) | undefined
  /** Processes in a row that never answered an event. */
  let failures = 0
  let failure: string | undefined
  let fullSince: Timestamp | undefined
  const stopping = new AbortController()
  const ending = new Set<Promise<unknown>>()

  const wakeIfNeeded = () => {
    if (isNeeded()) wake()
  }

  const wait = (milliseconds: number) => {
    cancelWait = clock.after(milliseconds, () => {
      cancelWait = undefined
      // A problem also ends without an event: health checks and the readiness of the pod depend on it.
      if (failures >= failuresOfProblem) wake()
      else wakeIfNeeded()
    })
  }

  const works = () => {
    failures = 0
    failure = undefined
  }

  const wake = () => {
    if (current !== undefined || starting !== undefined || cancelWait !== undefined) return
    if (stopping.signal.aborted) return
    const why = full(program)
    if (why !== undefined) {
      if (fullSince === undefined) log.warn('program waits for memory', { program: name, why })
      fullSince ??= clock.now()
      failure = why
      return wait(roomAgainMs)
    }
    fullSince = undefined
    starting = start().finally(() => {
      starting = undefined
      if (current === undefined) wakeIfNeeded()
    })
  }

  const failed = (why: string) => {
    if (stopping.signal.aborted) return
    failures++
    failure = `${name} does not start: ${why}`
    const retryInMs = Math.min(firstWaitMs * 2 ** (failures - 1), longestWaitMs)
    log.error('program does not start', { program: name, why, failures, retryInMs })
    observe({ type: 'start failed', program: name })
    wait(retryInMs)
  }

  const start = async () => {
    const began = clock.now()
    try {
      const process = await starter.start(program, stopping.signal)
      if (stopping.signal.aborted) return process.stop('SIGKILL')
      const tookMs = clock.now() - began
      log.info('program awake', { program: name, pid: process.pid, tookMs })
      observe({ type: 'started', program: name, tookMs })
      const awake = awakeProcess({
        ...{ process, program, clock, log, idleMs },
        stop: reason => end(awake, reason),
        measured: bytes => observe({ type: 'memory', program: name, bytes }),
        answered: works,
      })
      current = awake
      const ended = process.ended.then(how => hasEnded(awake, how)).finally(() => ending.delete(ended))
      ending.add(ended)
      onAwake()
    } catch (error) {
      failed(messageOf(error))
    }
  }

  /** Gives the process no more events, and ends it. */
  const end = (awake: AwakeProcess, reason: EndReason) => {
    if (awake.endReason !== undefined) return
    awake.endReason = reason
    if (current === awake) current = undefined
    awake.process.stop('SIGTERM')
    const cancelKill = clock.after(graceMs[reason], () => {
      log.warn('program does not end, and is killed', { program: name, reason, afterMs: graceMs[reason] })
      awake.process.stop('SIGKILL')
    })
    void awake.process.ended.finally(cancelKill)
  }

  const hasEnded = (awake: AwakeProcess, how: string) => {
    awake.release(how)
    if (current === awake) current = undefined
    const reason = awake.endReason ?? 'crashed'
    observe({ type: 'memory', program: name, bytes: 0 })
    observe({ type: 'ended', program: name, reason })
    if (reason === 'idle' || reason === 'room') works()
    if (reason !== 'crashed') log.info('program ended', { program: name, reason })
    else log.warn('program ended unexpectedly', { program: name, why: how })
    if (!awake.hasAnswered()) {
      if (reason === 'crashed') failed(how)
      // Its limit is perhaps below what it needs to start.
      if (reason === 'memory') failed('it exceeded its memory limit before it answered an event')
    }
    wakeIfNeeded()
  }

  return {
    settings: program,
    wake,
    current: () => current,
    problem: () => {
      const isFull = fullSince !== undefined && clock.now() - fullSince >= lastingMs
      return isFull || failures >= failuresOfProblem ? failure : undefined
    },
    idleSince: () => current?.idleSince(),
    stop: reason => {
      if (current !== undefined) end(current, reason)
    },
    isMissing: why => {
      if (stopping.signal.aborted || failures > 0) return
      failures = failuresOfProblem
      failure = why
      log.error('program is missing', { program: name, why })
      if (starting === undefined && cancelWait === undefined) wait(firstWaitMs)
    },
    close: async () => {
      stopping.abort(new Error('the runner is closed'))
      cancelWait?.()
      if (current !== undefined) end(current, 'closed')
      await starting
      await Promise.all(ending)
    },
  }
}
