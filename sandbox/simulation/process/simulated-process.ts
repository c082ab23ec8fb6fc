import { type Clock, sleepBy, withinSignal } from '../../../shared/clock/clock.ts'
import type { Trace } from '../trace.ts'
import type { Exchange, Fates } from './exchange.ts'

export interface SimulatedProcessOptions {
  readonly name: string
  readonly clock: Clock
  readonly fates: Fates
  readonly trace: Trace
}

/** The two sides of an exchange. */
export interface ExchangeSides<T> {
  /** Makes the request take effect. */
  readonly act: () => Promise<T>
  /** Returns the answer of a refusal, or throws its error. */
  readonly refuse: (status: number) => T
  /** Returns the error of a broken connection. `sent`: the request may have taken effect. */
  readonly broken: (sent: boolean) => Error
  readonly signal?: AbortSignal | undefined
}

/**
 * A process of the simulation: code that meets the world only through this clock and these exchanges. A process that has
 * ended is like one after SIGKILL: a request on its way arrives, but no timer fires and no answer arrives, so none of its
 * code continues.
 */
export interface SimulatedProcess {
  readonly name: string
  /** Wrong by the skew. It stops with the process. */
  readonly clock: Clock
  isAlive(): boolean
  exchange<T>(exchange: Exchange, sides: ExchangeSides<T>): Promise<T>
  /** Resolves at once, after the freeze, or never if the process has ended. */
  whileStopped(): Promise<void>
  kill(): void
  /** Stops all its code for a time, in ms. Time passes. */
  freeze(milliseconds: number): void
  /** Sets the error of its clock, in ms ahead of the others. */
  skew(milliseconds: number): void
  /** Resolves when it has ended. */
  readonly ended: Promise<void>
}

const never = <T>(): Promise<T> => new Promise(() => {})

export const createProcess = ({ name, clock, fates, trace }: SimulatedProcessOptions): SimulatedProcess => {
  const ended = Promise.withResolvers<void>()
  let isAlive = true
  let skewMs = 0
  let frozenUntil = clock.now()

  const kill = (): void => {
    if (!isAlive) return
    isAlive = false
    trace.note(name, 'killed')
    ended.resolve()
  }

  const whileStopped = async (): Promise<void> => {
    while (isAlive && frozenUntil > clock.now()) await clock.sleep(frozenUntil - clock.now())
    if (!isAlive) await never()
  }

  const after: Clock['after'] = (milliseconds, callback) => {
    let isCancelled = false
    const fire = (): void => {
      if (!isAlive || isCancelled) return
      if (frozenUntil > clock.now()) cancel = clock.after(frozenUntil - clock.now(), fire)
      else callback()
    }
    let cancel = clock.after(milliseconds, fire)
    return () => {
      isCancelled = true
      cancel()
    }
  }
  const own: Clock = { now: () => clock.now() + skewMs, after, sleep: sleepBy(after) }

  const exchange: SimulatedProcess['exchange'] = async ({ way, isWrite, about }, sides) => {
    if (!isAlive) return never()
    sides.signal?.throwIfAborted()
    const fate = fates(name, { way, isWrite, about })
    const { signal } = sides
    const within = <T>(work: Promise<T>): Promise<T> =>
      signal === undefined ? work : withinSignal(signal, work)
    const arrive = async (milliseconds: number): Promise<void> => {
      if (milliseconds > 0) await clock.sleep(milliseconds)
    }
    const note = (what: string): void => trace.note(name, `${about}${what}`)
    switch (fate.kind) {
      case 'pass': {
        const acting = (async () => {
          await arrive(fate.beforeMs ?? 0)
          if (fate.thawed) await whileStopped()
          note('')
          const answer = await sides.act()
          await arrive(fate.afterMs ?? 0)
          return answer
        })()
        try {
          return await within(acting)
        } finally {
          await whileStopped()
        }
      }
      case 'twice': {
        note(' (twice)')
        clock.after(fate.againMs, () => void sides.act().catch(() => undefined))
        try {
          return await within(sides.act())
        } finally {
          await whileStopped()
        }
      }
      case 'crash': {
        note(` (crash ${fate.when})`)
        if (fate.when === 'after') await sides.act().catch(() => undefined)
        kill()
        return never()
      }
      case 'lost':
        note(' (answer lost)')
        await sides.act().catch(() => undefined)
        await whileStopped()
        throw sides.broken(true)
      case 'unreachable':
        note(' (unreachable)')
        await whileStopped()
        throw sides.broken(false)
      case 'silence':
        note(fate.acted ? ' (no answer)' : ' (no answer, no effect)')
        if (fate.acted) await sides.act().catch(() => undefined)
        return within(never())
      case 'refused':
        note(` (refused: ${fate.status})`)
        await whileStopped()
        return sides.refuse(fate.status)
    }
  }

  return {
    name,
    clock: own,
    isAlive: () => isAlive,
    exchange,
    whileStopped,
    kill,
    freeze: milliseconds => {
      trace.note(name, `frozen for ${milliseconds} ms`)
      frozenUntil = Math.max(frozenUntil, clock.now() + milliseconds)
    },
    skew: milliseconds => {
      trace.note(name, `clock is ${milliseconds} ms ahead`)
      skewMs = milliseconds
    },
    ended: ended.promise,
  }
}
