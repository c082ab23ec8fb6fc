import type { Clock } from '../clock/clock.ts'
import type { Send } from '../events/events.ts'
import type { Log } from '../log/log.ts'
import { createFunctionQueue, type FunctionQueue } from './delivery/function-queue.ts'
import { createProgram, type ProgramLife } from './program/program-life.ts'
import type { ProgramStarter } from './program-process.ts'
import type { HostedProgram } from './programs.ts'
import type { ObserveRunner, RunnerEvent } from './runner-event.ts'

export interface RunnerOptions {
  readonly programs: readonly HostedProgram[]
  readonly starter: ProgramStarter
  readonly clock: Clock
  readonly log: Log
  /** The process of a program ends after this time without events. */
  readonly idleMs: number
  /** The memory that is left in the container, in bytes. Undefined: no limit is known. */
  readonly freeMemory?: () => number | undefined
  readonly observe?: ObserveRunner
}

/** The state of a program, for metrics. */
export interface ProgramState {
  readonly program: string
  readonly awake: boolean
  /** Events that wait. */
  readonly waiting: number
}

/**
 * Runs the programs of functions beside the bridge, and delivers its events to them. It replaces a broker: an accepted
 * event is in memory until a function has answered.
 */
export interface Runner {
  readonly send: Send
  /**
   * Returns why events of these types (`spec.type`) cannot be delivered. Undefined if they can, as far as is known.
   *
   * @param types default: all types
   */
  brokenFor(types?: readonly string[]): string | undefined
  states(): readonly ProgramState[]
  /** Returns true if a process of the program receives events. */
  isAwake(program: string): boolean
  /** Drops the events that wait, and ends all processes after their steps. */
  close(): Promise<void>
}

/** The wait of the bridge when the queue of a program is full, in ms. */
const fullMs = 5_000

/** Creates a runner. No process runs until the first event. */
export const createRunner = (options: RunnerOptions): Runner => {
  const { programs, starter, clock, log, idleMs, freeMemory = () => undefined, observe = () => {} } = options
  const room = createRoom(freeMemory)
  const hosted = programs.map(settings => {
    const program: ProgramLife = createProgram({
      ...{ program: settings, starter, clock, log, idleMs },
      full: wanted => room.full(wanted, all),
      observe: event => {
        room.event(event)
        observe(event)
      },
      isNeeded: () => queues.some(queue => queue.isNeeded()),
      onAwake: () => {
        for (const queue of queues) queue.pump()
      },
    })
    const space = { events: 0, bytes: 0 }
    const queues: readonly FunctionQueue[] = settings.functions.map(fn =>
      createFunctionQueue({ fn, program, space, clock, log, observe }),
    )
    return { program, space, queues }
  })
  const all = hosted.map(({ program }) => program)
  const queueByType = new Map<string, FunctionQueue | undefined>(
    hosted.flatMap(({ program, queues }) =>
      program.settings.functions.flatMap(({ kind, types }, index) =>
        types.map(type => [`${kind}/${type}`, queues[index]] as const),
      ),
    ),
  )
  let isClosed = false

  // A missing program is better known before its first event.
  for (const { program } of hosted)
    void starter.missing(program.settings).then(why => {
      if (why !== undefined) program.isMissing(why)
    })

  return {
    send: async event => {
      if (isClosed) return { kind: 'retry', reason: 'the runner is closed' }
      const queue = queueByType.get(`${event.kind}/${event.provider}`)
      // As with a broker without a Trigger. The bridge reports the object as unclaimed.
      if (queue === undefined) return { kind: 'accepted' }
      const reason = queue.add(event)
      return reason === undefined
        ? { kind: 'accepted' }
        : { kind: 'retry', status: 429, afterMs: fullMs, reason }
    },
    brokenFor: types => {
      const asked = all.filter(
        ({ settings }) =>
          types === undefined || settings.functions.some(fn => fn.types.some(type => types.includes(type))),
      )
      return asked.map(program => program.problem()).find(problem => problem !== undefined)
    },
    states: () =>
      hosted.map(({ program, space }) => ({
        program: program.settings.name,
        awake: program.current() !== undefined,
        waiting: space.events,
      })),
    isAwake: name => all.find(({ settings }) => settings.name === name)?.current() !== undefined,
    close: async () => {
      isClosed = true
      const queues = hosted.flatMap(each => each.queues)
      await Promise.all([...queues.map(queue => queue.close()), ...all.map(program => program.close())])
    },
  }
}

/** Bounds the memory of all processes together. */
interface Room {
  event(event: RunnerEvent): void
  /** Returns why no process of the program may start now. Ends the process that has been idle longest, if any. */
  full(wanted: HostedProgram, programs: readonly ProgramLife[]): string | undefined
}

/** The size of a process that was never measured, in bytes. */
const usualBytes = 100 * 2 ** 20

/** @param freeMemory the memory that is left in the container, in bytes. Undefined: no limit is known */
const createRoom = (freeMemory: () => number | undefined): Room => {
  /** The largest measured size by program, in bytes. */
  const sizes = new Map<string, number>()

  return {
    event: event => {
      if (event.type !== 'memory') return
      sizes.set(event.program, Math.max(event.bytes, sizes.get(event.program) ?? 0))
    },
    full: ({ name, memory }, programs) => {
      const awake = programs.filter(program => program.current() !== undefined)
      // Without another process there is nothing to wait for.
      if (awake.length === 0) return undefined
      const free = freeMemory()
      const expected = Math.min(sizes.get(name) || usualBytes, memory)
      if (free === undefined || free >= expected) return undefined
      const idle = awake
        .filter(program => program.idleSince() !== undefined)
        .toSorted((one, other) => (one.idleSince() ?? 0) - (other.idleSince() ?? 0))
      idle[0]?.stop('room')
      const names = awake.map(program => program.settings.name).join(', ')
      return `${name} needs about ${toMiB(expected)} MiB and ${toMiB(free)} MiB are left beside ${names}. Increase the memory limit of the pod`
    },
  }
}

const toMiB = (bytes: number): number => Math.round(bytes / 2 ** 20)
