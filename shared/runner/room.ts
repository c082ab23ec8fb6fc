import type { ProgramLife } from './program/program-life.ts'
import type { HostedProgram } from './programs.ts'
import type { RunnerEvent } from './runner-event.ts'

/** Bounds the memory of all processes together. */
export interface Room {
  event(event: RunnerEvent): void
  /** Returns why no process of the program may start now. Ends the process that has been idle longest, if any. */
  full(wanted: HostedProgram, programs: readonly ProgramLife[]): string | undefined
}

/** The size of a process that was never measured, in bytes. */
const usualBytes = 100 * 2 ** 20

/** @param freeMemory the memory that is left in the container, in bytes. Undefined: no limit is known */
export const createRoom = (freeMemory: () => number | undefined): Room => {
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
