import os from 'node:os'
import { startupSnapshot } from 'node:v8'

/** The value of every random identifier while a snapshot is built. */
const noIdentifier = '00000000-0000-4000-8000-000000000000'

/** A timer that never fires. The program prepared for the snapshot ends by itself and clears its timers. */
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
 * Freezes the environment while Node builds a startup snapshot, and returns a function that restores it. Until then the
 * clock is at 1970, no timer fires, all random identifiers are equal, and the process has no pid, arguments, host or
 * directory. A snapshot thus contains nothing of the machine, the time or the build: two snapshots of one program are
 * byte-identical.
 *
 * References to a replaced function return real values afterwards.
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
  // prom-client rounds it to seconds when it is loaded, so on a slow machine the number would differ.
  still(process, 'uptime', () => 0)
  still(os, 'hostname', () => '')
  // depd, a part of express, retains it when it is loaded.
  still(process, 'cwd', () => '/')
  still(globalThis, 'setTimeout', noTimer)
  still(globalThis, 'clearTimeout', () => undefined)
  // Its sockets cannot be part of a snapshot, and a build must not call a cloud.
  still(globalThis, 'fetch', async () => {
    throw new TypeError('fetch is not to be used while a snapshot is made')
  })
  // A finalization registry holds combined signals, and it cannot be part of a snapshot.
  still(
    AbortSignal,
    'any',
    (([signal = new AbortController().signal]: readonly AbortSignal[]) => signal) as Function_,
  )
  // The module's version and the global one share a cache of identifiers.
  const random = process.getBuiltinModule('node:crypto')
  still(random, 'randomUUID', () => noIdentifier)
  // Node draws a thousand numbers at a time and caches the rest. Passwords are made of them.
  still(random, 'randomInt', (min: number, max: unknown) => (typeof max === 'number' ? min : 0))
  still(
    Object.getPrototypeOf(globalThis.crypto) as typeof globalThis.crypto,
    'randomUUID',
    () => noIdentifier,
  )
  // Node rewrites these when a process starts from a snapshot.
  for (const [name, value] of Object.entries({ pid: 0, execPath: '', argv0: '', argv: [], execArgv: [] }))
    Object.defineProperty(process, name, { value, writable: true, enumerable: true, configurable: true })
  return () => {
    isStill = false
    for (const one of undo) one()
  }
}

/** Restores the environment once the snapshot content is complete. Does nothing in other processes. */
export const letWorldGoOn: () => void = startupSnapshot.isBuildingSnapshot() ? stopWorld() : () => undefined
