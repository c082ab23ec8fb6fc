/**
 * Makes a run of this process depend on its seed alone. Import this module before any module of the product: some of
 * them take a reference to a builtin when they are loaded.
 *
 * During a run, the time of the process is that of the simulation, random numbers and keys come from the seed, and work
 * of Node's thread pool (compression, keys, files) is done at once, because its end depends on the machine. Outside of
 * a run everything is as usual.
 */

import type { ClientRequest, RequestOptions } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { promisify } from 'node:util'
import type { Clock } from '../../../shared/clock/clock.ts'
import type { Random } from '../random.ts'
import { createKeys, type DeterministicKeys } from './deterministic-keys.ts'

export interface RunSurroundings {
  /** Default: the time of the machine, for runs with clocks of their own. */
  readonly clock?: Clock
  readonly random: Random
  /** Default: from the first. */
  readonly keys?: DeterministicKeys
  /** `http.request` of the run. Default: every request fails, because a simulation has no network. */
  readonly request?: (options: RequestOptions) => ClientRequest
}

type CurrentRun = RunSurroundings & Required<Pick<RunSurroundings, 'keys'>>

type AnyFunction = (...args: never[]) => unknown

let run: CurrentRun | undefined

/** Replaces a function for the time of runs, unless `instead` returns undefined. */
const during = <Owner extends object>(
  owner: Owner,
  name: keyof Owner & string,
  instead: (run: CurrentRun) => AnyFunction | undefined,
): void => {
  const descriptor = Object.getOwnPropertyDescriptor(owner, name)
  if (descriptor === undefined) throw new TypeError(`${name} does not exist`)
  const before = descriptor.value as AnyFunction
  function replaced(this: unknown, ...args: never[]): unknown {
    return ((run && instead(run)) ?? before).apply(this, args)
  }
  Object.defineProperty(owner, name, { ...descriptor, value: Object.assign(replaced, before) })
}

const realDate = Date

/** `Date` at the time of the run. */
const RunDate = new Proxy(realDate, {
  construct: (target, args, as) =>
    Reflect.construct(target, args.length === 0 && run?.clock !== undefined ? [run.clock.now()] : args, as),
  get: (target, name) => (name === 'now' ? () => (run?.clock ?? realDate).now() : Reflect.get(target, name)),
})

const replaceTime = (): void => {
  globalThis.Date = RunDate
  during(Object.getPrototypeOf(performance) as typeof performance, 'now', ({ clock }) => clock?.now)
  during(globalThis, 'setTimeout', ({ clock }) => clock && timersOf(clock))
  during(
    globalThis,
    'clearTimeout',
    ({ clock }) => clock && ((timer: NodeJS.Timeout | undefined) => timer?.close?.()),
  )
}

const timersOf =
  (clock: Clock) =>
  (callback: AnyFunction, milliseconds = 0, ...args: never[]) => {
    const cancel = clock.after(Number(milliseconds), () => callback(...args))
    const timer = {
      ref: () => timer,
      unref: () => timer,
      hasRef: () => true,
      close: cancel,
      [Symbol.dispose]: cancel,
    }
    return timer
  }

const replaceRandom = (): void => {
  const crypto = process.getBuiltinModule('node:crypto')
  const global = Object.getPrototypeOf(globalThis.crypto) as typeof globalThis.crypto
  const fill = (random: Random, view: NodeJS.ArrayBufferView): unknown => {
    new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(random.bytes(view.byteLength))
    return view
  }
  during(Math, 'random', ({ random }) => random)
  for (const owner of [crypto, global] as const)
    during(owner as typeof crypto, 'randomUUID', ({ random }) => random.uuid)
  during(
    global,
    'getRandomValues',
    ({ random }) =>
      (view: NodeJS.ArrayBufferView) =>
        fill(random, view),
  )
  during(
    crypto,
    'randomFillSync',
    ({ random }) =>
      (view: NodeJS.ArrayBufferView) =>
        fill(random, view),
  )
  during(
    crypto,
    'randomBytes',
    ({ random }) =>
      (count: number) =>
        Buffer.from(random.bytes(count)),
  )
  during(
    crypto,
    'randomInt',
    ({ random }) =>
      (least: number, most?: number) =>
        most === undefined ? random.int(least) : least + random.int(most - least),
  )
  const { generateKeyPair } = crypto
  const keysLater = promisify(generateKeyPair) as (...args: unknown[]) => Promise<unknown>
  Object.assign(crypto, {
    generateKeyPair: Object.assign(
      () => {
        throw new Error('a simulation supports only promisify(generateKeyPair)')
      },
      {
        [promisify.custom]: async (...args: unknown[]) =>
          run === undefined ? keysLater(...args) : run.keys.next(),
      },
    ),
  })
}

/** Returns a function that calls back at once. Without a callback it returns the result. */
const atOnce =
  (now: (...args: unknown[]) => unknown): AnyFunction =>
  (...args: unknown[]) => {
    const done = args.at(-1)
    if (typeof done !== 'function') return now(...args)
    try {
      const result = now(...args.slice(0, -1))
      queueMicrotask(() => done(null, result))
    } catch (error) {
      queueMicrotask(() => done(error))
    }
    return undefined
  }

/** Replaces work of the thread pool by the same work at once. */
const replaceThreadPool = (): void => {
  const zlib = process.getBuiltinModule('node:zlib')
  for (const name of ['brotliDecompress', 'gzip', 'gunzip'] as const) {
    const now = zlib[`${name}Sync`] as (...args: unknown[]) => unknown
    during(zlib, name, () => atOnce(now))
  }
  // The best compression takes half of the time of some runs.
  const quickly = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: zlib.constants.BROTLI_MIN_QUALITY } }
  during(zlib, 'brotliCompress', () => atOnce(bytes => zlib.brotliCompressSync(bytes as Uint8Array, quickly)))
  const crypto = process.getBuiltinModule('node:crypto')
  for (const name of ['sign', 'verify'] as const) {
    const now = crypto[name] as (...args: unknown[]) => unknown
    during(crypto, name, () => atOnce(now))
  }
  const { promises, ...files } = process.getBuiltinModule('node:fs')
  const synchronous = files as unknown as Readonly<Record<string, AnyFunction | undefined>>
  for (const name of Object.keys(promises) as (keyof typeof promises & string)[]) {
    const now = synchronous[`${name}Sync`]
    if (now !== undefined)
      during(
        promises,
        name,
        () =>
          async (...args) =>
            now(...args),
      )
  }
}

/** Replaces the network. Only plain HTTP is simulated. */
const replaceNetwork = (): void => {
  const http = process.getBuiltinModule('node:http')
  const noNetwork = () => {
    throw new Error('a simulation has no network')
  }
  during(http, 'request', ({ request = noNetwork }) => request as AnyFunction)
  during(process.getBuiltinModule('node:https'), 'request', () => noNetwork)
}

replaceTime()
replaceNetwork()
replaceRandom()
replaceThreadPool()
syncBuiltinESMExports()

/**
 * Runs `act` with the time of a clock, if there is one, and the numbers of a seed. There is one run in a process at a
 * time.
 *
 * @throws Error if another run has not ended
 */
export const deterministically = async <T>(
  surroundings: RunSurroundings,
  act: () => Promise<T>,
): Promise<T> => {
  if (run !== undefined) throw new Error('another simulation is running in this process')
  run = { keys: createKeys(), ...surroundings }
  try {
    return await act()
  } finally {
    run = undefined
  }
}
