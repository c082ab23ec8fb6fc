import { AsyncLocalStorage } from 'node:async_hooks'
import { type Clock, sleepBy, withinSignal } from '../../../shared/clock/clock.ts'
import type { Trace } from '../trace.ts'
import type { Fates } from './exchange.ts'
import type { ProcessObserver, RunningCode, SimulatedProcess } from './process.ts'
import { runningCode } from './running-code.ts'

export type { SimulatedProcess } from './process.ts'

export interface SimulatedProcessOptions {
  readonly name: string
  readonly clock: Clock
  readonly fates: Fates
  readonly trace: Trace
  readonly observer?: ProcessObserver | undefined
}

const never = <T>(): Promise<T> => new Promise(() => {})

export const createProcess = (options: SimulatedProcessOptions): SimulatedProcess => {
  const { name, clock, fates, trace, observer } = options
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
    // Timers of Node retain the context, too.
    const inContext = AsyncLocalStorage.snapshot()
    const fire = (): void => {
      if (!isAlive || isCancelled) return
      if (frozenUntil > clock.now()) cancel = clock.after(frozenUntil - clock.now(), fire)
      else inContext(callback)
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
    observer?.sent(code(), { way, isWrite, about })
    // A fault may act as a person.
    const fate = runningCode.exit(() => fates(name, { way, isWrite, about }))
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

  const process: SimulatedProcess = {
    name,
    clock: own,
    isAlive: () => isAlive,
    exchange,
    observer,
    code,
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
  /** A request of another process that hosts this code does not occur. */
  function code(): RunningCode {
    const running = runningCode.getStore()
    return running?.process === process ? running : { process }
  }
  return process
}
