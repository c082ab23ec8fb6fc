import type { Gardenlet } from '../../../sandbox/gardenlet/gardenlet.ts'
import type { CloudSide, Fate, Fates, World, WorldSeed } from '../../../sandbox/simulation/simulation.ts'
import { formatMilliseconds } from '../../../shared/clock/clock.ts'
import { annotations, apiVersion, type RequestedOperation } from '../../../shared/contract/constants.ts'
import { type KindName, kinds } from '../../../shared/contract/kinds.ts'
import type { KubernetesObject, ObjectKey } from '../../../shared/kubernetes/kubernetes.ts'

/** A fault at exchanges of processes. */
export interface HistoryFault {
  /** Selects processes by name: `north/aws-dnsrecord-3`. */
  readonly of: RegExp
  /** Selects exchanges: `PATCH /apis/…`, `POST route53…`. */
  readonly about: RegExp
  /** Number of matching exchanges that pass before. Default: 0. */
  readonly after?: number
  /** Number of exchanges that it affects. Default: 1. */
  readonly times?: number
  /** It ends this many ms after it was ordered. Default: never. */
  readonly lastsMs?: number
  readonly fate: Fate
  /** Called at each affected exchange, with the name of the process. */
  readonly meet?: (process: string) => void
}

/** The faults of a run. They can be ordered at any time. */
export interface HistoryFaults {
  readonly fates: (surroundings: { readonly clock: { readonly now: () => number } }) => Fates
  readonly add: (fault: HistoryFault) => void
}

export const createHistoryFaults = (): HistoryFaults => {
  const active: { readonly fault: HistoryFault; seen: number; since: number | undefined }[] = []
  return {
    add: fault => void active.push({ fault, seen: 0, since: undefined }),
    fates:
      ({ clock }) =>
      (process, { about }) => {
        for (const entry of active) {
          const { of, after = 0, times = 1, lastsMs = Number.POSITIVE_INFINITY, fate, meet } = entry.fault
          entry.since ??= clock.now()
          if (!of.test(process) || !entry.fault.about.test(about) || clock.now() - entry.since > lastsMs)
            continue
          entry.seen++
          if (entry.seen <= after || entry.seen > after + times) continue
          meet?.(process)
          return fate
        }
        return { kind: 'pass' }
      },
  }
}

export const minute = 60_000
export const hour = 60 * minute

/** An extension object of a history. */
export interface OwnObject {
  readonly kind: KindName
  readonly key: Required<ObjectKey> | Pick<ObjectKey, 'name'>
  readonly spec: Readonly<Record<string, unknown>>
  readonly annotations?: Readonly<Record<string, string>>
}

/** The tools of a history: what gardenlet, people and faults do, and waits with a limit in virtual time. */
export interface Life<C extends CloudSide = CloudSide> {
  readonly world: World<C>
  readonly seed: WorldSeed
  readonly fault: (fault: HistoryFault) => void
  /** Runs a part of gardenlet's work. Rejects after half an hour. */
  readonly gardenlet: <T>(work: (gardenlet: Gardenlet) => Promise<T>, seed?: WorldSeed) => Promise<T>
  readonly sleep: (milliseconds: number) => Promise<void>
  /** Resolves when it holds. Rejects with `what` after two hours. */
  readonly until: (
    what: string | (() => string),
    holds: () => Promise<boolean> | boolean,
    limitMs?: number,
  ) => Promise<void>
  readonly live: (object: Pick<OwnObject, 'kind' | 'key'>) => Promise<KubernetesObject | undefined>
  /** Creates or changes an object and requests an operation. Does not wait. */
  readonly request: (object: OwnObject, operation?: RequestedOperation) => Promise<void>
  /** Like `request`, and waits until the operation has succeeded. */
  readonly apply: (object: OwnObject, operation?: RequestedOperation) => Promise<void>
  readonly untilSucceeded: (object: OwnObject, limitMs?: number) => Promise<void>
  /** Deletes an object. Does not wait. */
  readonly drop: (object: OwnObject) => Promise<void>
  readonly untilGone: (object: OwnObject, limitMs?: number) => Promise<void>
}

export const createLife = <C extends CloudSide>(
  world: World<C>,
  fault: (fault: HistoryFault) => void,
): Life<C> => {
  const { clock } = world
  const seed = world.first
  const { kubernetes } = seed
  const limited = async <T>(limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const end = new AbortController()
    const cancel = clock.after(limitMs, () => end.abort(new Error('the time is over')))
    try {
      return await work(end.signal)
    } finally {
      cancel()
    }
  }
  const until: Life['until'] = (what, holds, limitMs = 2 * hour) =>
    limited(limitMs, async signal => {
      while (!(await holds())) {
        if (signal.aborted) throw new Error(`stuck: ${typeof what === 'string' ? what : what()}`)
        await clock.sleep(1_000)
      }
    })
  const live: Life['live'] = ({ kind, key }) => kubernetes.get(kinds[kind].resource, key)
  const request: Life['request'] = async (object, operation = 'reconcile') => {
    await clock.sleep(1_000)
    const { resource } = kinds[object.kind]
    const asked = {
      ...object.annotations,
      [annotations.operation]: operation,
      [annotations.timestamp]: formatMilliseconds(clock.now()),
    }
    if ((await live(object)) === undefined)
      await kubernetes.create(resource, {
        apiVersion,
        kind: object.kind,
        metadata: { ...object.key, annotations: asked },
        spec: object.spec,
      })
    else await kubernetes.patch(resource, object.key, { metadata: { annotations: asked }, spec: object.spec })
  }
  const untilSucceeded: Life['untilSucceeded'] = (object, limitMs) => {
    let last = ''
    return until(
      () => `${object.kind} ${object.key.name} does not succeed: ${last}`,
      async () => {
        const found = await live(object)
        const status = Object(found?.status)
        last = String(status.lastError?.description ?? '')
        return (
          found !== undefined &&
          found.metadata.annotations?.[annotations.operation] === undefined &&
          status.observedGeneration === found.metadata.generation &&
          status.lastOperation?.state === 'Succeeded'
        )
      },
      limitMs,
    )
  }
  return {
    world,
    seed,
    fault,
    gardenlet: (work, of = seed) => limited(hour / 2, signal => work(of.gardenlet(signal))),
    sleep: milliseconds => clock.sleep(milliseconds),
    until,
    live,
    request,
    apply: async (object, operation) => {
      await request(object, operation)
      await untilSucceeded(object)
    },
    untilSucceeded,
    drop: async object => {
      const { resource } = kinds[object.kind]
      await kubernetes.patch(resource, object.key, {
        metadata: { annotations: { [annotations.deletionConfirmation]: 'true' } },
      })
      await kubernetes.delete(resource, object.key)
    },
    untilGone: (object, limitMs) =>
      until(
        `${object.kind} ${object.key.name} is not deleted`,
        async () => (await live(object)) === undefined,
        limitMs,
      ),
  }
}
