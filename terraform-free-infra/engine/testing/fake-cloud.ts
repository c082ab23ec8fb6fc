import type { VirtualClock } from '../../../shared/clock/clock.ts'
import type { ErrorKind } from '../error-kind.ts'

/** A resource of the fake cloud: a plot, a bed on a plot, a path between two beds. */
export interface Thing {
  readonly id: string
  readonly owner: string
  readonly name: string
  readonly on: readonly string[]
  readonly attributes: Readonly<Record<string, string>>
  readonly token?: string
  /** The time at which it becomes usable, in milliseconds. */
  readonly readyAt: number
  readonly failed?: boolean
  /** The time at which it is gone, in milliseconds. */
  readonly goneAt?: number
  /** The time of its first listing, in milliseconds. */
  readonly listedAt: number
  /** False if only its name indicates its owner. */
  readonly marked?: boolean
  /** True, without a mark, if it is in a place where only resources of the owner should be. */
  readonly likely?: boolean
}

export class FakeCloudError extends Error {
  override readonly name = 'FakeCloudError'
  readonly fault: ErrorKind

  constructor(fault: ErrorKind, message: string) {
    super(message)
    this.fault = fault
  }
}

export type Noun = 'plot' | 'bed' | 'path'

export interface FakeDurations {
  readonly pendingMs: number
  readonly goingMs: number
  /** Milliseconds until a new resource is listed. */
  readonly unlistedMs: number
}

/** How lists differ from the truth. */
export interface FakeSight {
  /** Returns the milliseconds until lists show a write. A later write may be shown first. */
  readonly lagMs: () => number
  /** Returns the milliseconds until other writes know a new resource, which lists may show earlier. Default: 0. */
  readonly unknownMs?: () => number
  /** Returns how often a list contains an item: 0, 1 or 2 times. */
  readonly times: () => number
}

export interface FakeCloud {
  list(noun: Noun): Promise<readonly Thing[]>
  /** Returns the listed resources with these ids. */
  get(noun: Noun, ids: readonly string[]): Promise<readonly Thing[]>
  create(
    noun: Noun,
    input: Pick<Thing, 'owner' | 'name' | 'on' | 'attributes'> & { readonly token?: string },
  ): Promise<Thing>
  change(noun: Noun, id: string, attributes: Readonly<Record<string, string | undefined>>): Promise<Thing>
  remove(noun: Noun, id: string): Promise<void>
}

const clear: FakeSight = { lagMs: () => 0, times: () => 1 }

/**
 * A fake cloud in memory that behaves like a real one: resources take a while, refuse deletion while others use them,
 * and calls get lost.
 */
export const fakeCloud = (clock: VirtualClock, durations: FakeDurations, sight: FakeSight = clear) => {
  const things = {
    plot: new Map<string, Thing>(),
    bed: new Map<string, Thing>(),
    path: new Map<string, Thing>(),
  }
  /** The forms of each resource, and the time from which lists show them. The first form is "does not exist". */
  const forms = new Map<string, { readonly shownAt: number; readonly thing: Thing }[]>()
  /** The time from which writes know a resource. */
  const knownAt = new Map<string, number>()
  const put = (noun: Noun, thing: Thing): void => {
    if (!knownAt.has(thing.id)) knownAt.set(thing.id, clock.now() + (sight.unknownMs?.() ?? 0))
    things[noun].set(thing.id, thing)
    const shownAt = Math.max(clock.now() + sight.lagMs(), thing.listedAt)
    forms.set(thing.id, [...(forms.get(thing.id) ?? []), { shownAt, thing }])
  }
  const shown = (noun: Noun): readonly Thing[] =>
    [...things[noun].keys()].flatMap(
      id => forms.get(id)?.findLast(({ shownAt }) => shownAt <= clock.now())?.thing ?? [],
    )
  const calls: string[] = []
  let count = 0
  const blessedTwice: string[] = []
  let refuse: (call: string) => Error | undefined = () => undefined
  /** Called after each write. */
  let afterWrite: (call: string) => void = () => undefined

  const isThere = ({ goneAt }: Thing) => goneAt === undefined || goneAt > clock.now()
  const all = () => [...things.plot.values(), ...things.bed.values(), ...things.path.values()].filter(isThere)
  const begin = (call: string) => {
    calls.push(call)
    const error = refuse(call)
    if (error !== undefined) throw error
  }
  const existing = (noun: Noun, id: string): Thing => {
    const thing = things[noun].get(id)
    const isKnown = (knownAt.get(id) ?? 0) <= clock.now()
    if (thing === undefined || !isThere(thing) || !isKnown)
      throw new FakeCloudError('gone', `there is no ${noun} ${id}`)
    return thing
  }

  const fake: FakeCloud = {
    list: async noun => {
      begin(`list ${noun}`)
      return shown(noun)
        .filter(isThere)
        .flatMap(thing => Array.from({ length: sight.times() }, () => thing))
    },
    get: async (noun, ids) => {
      begin(`list ${noun} by id`)
      return shown(noun).filter(thing => isThere(thing) && ids.includes(thing.id))
    },
    create: async (noun, input) => {
      const call = `create ${noun} ${input.name}`
      begin(call)
      const same = [...things[noun].values()].find(
        ({ token }) => token !== undefined && token === input.token,
      )
      if (same !== undefined) return same
      for (const id of input.on) existing(id.startsWith('plot') ? 'plot' : 'bed', id)
      const thing: Thing = {
        ...input,
        id: `${noun}-${++count}`,
        readyAt: clock.now() + (noun === 'bed' ? durations.pendingMs : 0),
        listedAt: clock.now() + durations.unlistedMs,
      }
      put(noun, thing)
      afterWrite(call)
      return thing
    },
    change: async (noun, id, attributes) => {
      const call = `change ${noun} ${id}: ${Object.keys(attributes).join(', ')}`
      begin(call)
      const thing = existing(noun, id)
      const merged = Object.entries({ ...thing.attributes, ...attributes })
      const kept = Object.fromEntries(
        merged.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
      )
      const changed = { ...thing, attributes: kept }
      if (attributes.blessing !== undefined && thing.attributes.blessing === attributes.blessing)
        blessedTwice.push(id)
      put(noun, changed)
      afterWrite(call)
      return changed
    },
    remove: async (noun, id) => {
      const call = `remove ${noun} ${id}`
      begin(call)
      const thing = existing(noun, id)
      const standing = all().filter(({ on }) => on.includes(id))
      if (standing.length > 0)
        throw new FakeCloudError('busy', `${id} has ${standing.map(other => other.id).join(', ')} on it`)
      put(noun, { ...thing, goneAt: clock.now() + (noun === 'bed' ? durations.goingMs : 0) })
      afterWrite(call)
    },
  }
  return {
    fake,
    calls,
    writes: () => calls.filter(call => !call.startsWith('list')),
    all,
    /** Ids of resources that were given the blessing that they had. */
    blessedTwice,
    /** Returns the number of created resources, which is the number of the last one. */
    count: () => count,
    /** Changes a resource outside the engine. */
    edit: (id: string, change: Partial<Thing>) => {
      for (const of of Object.values(things)) {
        const thing = of.get(id)
        if (thing === undefined) continue
        const changed = { ...thing, ...change }
        of.set(id, changed)
        forms.set(id, [{ shownAt: changed.listedAt, thing: changed }])
      }
    },
    refuseWith: (refusal: typeof refuse) => {
      refuse = refusal
    },
    onWrite: (callback: typeof afterWrite) => {
      afterWrite = callback
    },
  }
}

export const fakeErrorKind = (error: unknown): ErrorKind =>
  error instanceof FakeCloudError ? error.fault : 'other'
