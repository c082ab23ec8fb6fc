import type { Clock, Timestamp } from '../../clock/clock.ts'
import type { Log } from '../../log/log.ts'
import type { ProgramProcess } from '../program-process.ts'
import type { HostedProgram } from '../programs.ts'
import type { EndReason } from '../runner-event.ts'

/** A process that receives events. */
export interface AwakeProcess {
  readonly process: ProgramProcess
  /** Aborts when the process has ended. */
  readonly signal: AbortSignal
  /** Set when the process must end. */
  endReason: EndReason | undefined
  hasAnswered(): boolean
  /** The time since which it has no event. Undefined: it has events. */
  idleSince(): Timestamp | undefined
  /** An event is being sent. */
  began(): void
  /** The event was answered, or its connection broke. */
  finished(isAnswered: boolean): void
  /** The process does not answer an event in time. */
  isLate(): void
  /** Ends timers and connections; the process has ended. */
  release(how: string): void
}

export interface AwakeProcessOptions {
  readonly process: ProgramProcess
  readonly program: HostedProgram
  readonly clock: Clock
  readonly log: Log
  readonly idleMs: number
  readonly stop: (reason: EndReason) => void
  readonly measured: (bytes: number) => void
  readonly answered: () => void
}

const inspectMs = 3_000
/** The pause between two measurements of the memory: at rest, with events, and while it grows. */
const measureMs = { rest: 3_000, busy: 200, growing: 50 }
/** Less growth is noise, in bytes. */
const noise = 2 ** 20
/** A process that has this part of its limit although it must end is killed. */
const excess = 1.25
/** A process with events that answers no probe for this time is stuck. */
const stuckMs = 20_000

/**
 * Watches a process: stops it when it is idle, above its memory limit, or stuck. At rest there is only the timer until
 * its end.
 */
export const awakeProcess = (options: AwakeProcessOptions): AwakeProcess => {
  const { process, program, clock, log, idleMs, stop, measured, answered } = options
  const { name, memory: limit } = program
  const released = new AbortController()
  let inFlight = 0
  let hasAnswered = false
  let idleSince: Timestamp | undefined = clock.now()
  let respondedAt = clock.now()
  let cancelSleep: (() => void) | undefined
  let cancelInspect: (() => void) | undefined
  let cancelMeasure: (() => void) | undefined
  let isMemoryUnreadable = false
  let lastBytes = 0

  const sleepLater = () => {
    cancelSleep = clock.after(idleMs, () => stop('idle'))
  }

  /** Returns the pause until the next measurement. */
  const checkMemory = (): number => {
    const bytes = process.memory()
    if (bytes === undefined) {
      if (!isMemoryUnreadable)
        log.warn('memory of a program cannot be read', {
          ...{ program: name, pid: process.pid, limitMiB: toMiB(limit) },
          why: `/proc/${process.pid}/status is missing or unreadable, so only the limits of V8 and the pod apply`,
          advice: 'mount /proc into the container, and run bridge and programs with one account',
        })
      isMemoryUnreadable = true
      return measureMs.rest
    }
    const isGrowing = bytes > lastBytes + noise
    lastBytes = bytes
    if (awake.endReason !== undefined) {
      if (bytes > limit * excess) process.stop('SIGKILL')
      return measureMs.growing
    }
    measured(bytes)
    if (bytes <= limit) return isGrowing ? measureMs.growing : inFlight > 0 ? measureMs.busy : measureMs.rest
    log.error('program exceeds its memory limit', {
      program: name,
      usedMiB: toMiB(bytes),
      limitMiB: toMiB(limit),
      inFlight,
      advice:
        'its events are delivered again. Increase memory in TRELLIS_PROGRAMS and the memory limit of the pod',
    })
    stop('memory')
    return measureMs.growing
  }

  const measureLater = (ms: number) => {
    cancelMeasure?.()
    cancelMeasure = clock.after(ms, () => {
      const pause = checkMemory()
      if (!released.signal.aborted) measureLater(pause)
    })
  }

  const checkResponse = async () => {
    if (inFlight === 0) {
      respondedAt = clock.now()
      return
    }
    const limited = new AbortController()
    const disarm = clock.after(inspectMs, () => limited.abort(new Error('no answer to a probe')))
    if (await process.responds(limited.signal)) respondedAt = clock.now()
    disarm()
    if (clock.now() - respondedAt >= stuckMs) isStuck('answers no probe')
  }

  const isStuck = (why: string) => {
    if (released.signal.aborted || awake.endReason !== undefined) return
    log.error('program does not respond', { program: name, why, inFlight })
    stop('unresponsive')
  }

  const inspectLater = () => {
    cancelInspect = clock.after(inspectMs, () => {
      if (awake.endReason !== undefined) return
      void checkResponse().then(() => {
        if (!released.signal.aborted) inspectLater()
      })
    })
  }

  const awake: AwakeProcess = {
    process,
    signal: released.signal,
    endReason: undefined,
    hasAnswered: () => hasAnswered,
    idleSince: () => idleSince,
    began: () => {
      if (inFlight++ > 0) return
      cancelSleep?.()
      idleSince = undefined
      respondedAt = clock.now()
      measureLater(measureMs.busy)
    },
    finished: isAnswered => {
      if (isAnswered && !hasAnswered) {
        hasAnswered = true
        answered()
      }
      if (--inFlight > 0 || released.signal.aborted) return
      idleSince = clock.now()
      sleepLater()
    },
    isLate: () => isStuck('does not answer an event'),
    release: how => {
      released.abort(new Error(how))
      cancelSleep?.()
      cancelInspect?.()
      cancelMeasure?.()
      process.disconnect()
    },
  }
  sleepLater()
  inspectLater()
  measureLater(measureMs.busy)
  return awake
}

const toMiB = (bytes: number): number => Math.round(bytes / 2 ** 20)
