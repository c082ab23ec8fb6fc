import os from 'node:os'
import { startupSnapshot } from 'node:v8'

/** What every identifier is that is drawn while a snapshot is made. */
const noIdentifier = '00000000-0000-4000-8000-000000000000'

/** A timer that nobody waits for: what is made in advance ends by itself, and takes its timers away. */
const noTimer = () => {
  const timer: object = {
    ref: () => timer,
    unref: () => timer,
    hasRef: () => false,
    refresh: () => timer,
    close: () => timer,
    [Symbol.toPrimitive]: () => 0,
    [Symbol.dispose]: () => undefined,
  }
  return timer as NodeJS.Timeout
}

type Function_ = (...args: never[]) => unknown

/**
 * Stops the world while Node builds a startup snapshot, and returns what lets it go on. Until then the clock is at 1970, no
 * timer fires, random identifiers are all the same, and the process has no number, no arguments, no host and no place:
 * nothing of the machine, the moment or the build is in a snapshot, so two of one program are the same to the byte.
 *
 * What keeps one of the functions that are replaced gets the true one's answers afterwards.
 */
const stopWorld = (): (() => void) => {
  let isStill = true
  const undo: (() => void)[] = []
  const still = <Owner extends object>(owner: Owner, name: keyof Owner, instead: Function_): void => {
    const { value: before, ...descriptor } = Object.getOwnPropertyDescriptor(owner, name) ?? {}
    const either = function (this: unknown, ...args: never[]): unknown {
      return (isStill ? instead : (before as Function_)).apply(this, args)
    }
    Object.defineProperty(owner, name, { ...descriptor, value: Object.assign(either, before) })
    undo.push(() => Object.defineProperty(owner, name, { ...descriptor, value: before }))
  }
  still(Date, 'now', () => 0)
  still(Object.getPrototypeOf(performance) as typeof performance, 'now', () => 0)
  still(process.hrtime, 'bigint', () => 0n)
  still(os, 'hostname', () => '')
  still(globalThis, 'setTimeout', noTimer)
  still(globalThis, 'clearTimeout', () => undefined)
  // Signals made of others are known to a finalization registry, which cannot be part of a snapshot.
  still(
    AbortSignal,
    'any',
    (([signal = new AbortController().signal]: readonly AbortSignal[]) => signal) as Function_,
  )
  // The one that modules get and the one that is global keep identifiers in the same place.
  const random = process.getBuiltinModule('node:crypto')
  still(random, 'randomUUID', () => noIdentifier)
  // Node draws a thousand at a time and keeps the rest; passwords are made of them.
  still(random, 'randomInt', (min: number, max: unknown) => (typeof max === 'number' ? min : 0))
  still(
    Object.getPrototypeOf(globalThis.crypto) as typeof globalThis.crypto,
    'randomUUID',
    () => noIdentifier,
  )
  // Node writes these anew when a process begins with a snapshot.
  for (const [name, value] of Object.entries({ pid: 0, execPath: '', argv0: '', argv: [], execArgv: [] }))
    Object.defineProperty(process, name, { value, writable: true, enumerable: true, configurable: true })
  return () => {
    isStill = false
    for (const one of undo) one()
  }
}

/** Lets the world go on, once what a snapshot is made of is complete. Does nothing in a process of any other kind. */
export const letWorldGoOn: () => void = startupSnapshot.isBuildingSnapshot() ? stopWorld() : () => undefined
