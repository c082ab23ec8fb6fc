import type { Fates, SimulatedProcess, World, WorldSeed } from '../../../sandbox/simulation/simulation.ts'
import { actorOf, fateOf, type MovePoint, type Phase, type RecordedExchange } from './move-point.ts'
import { objectsOf } from './seed-contents.ts'

const minuteMs = 60_000

type Watched = Pick<World, 'first' | 'second' | 'clock'>

/** Records the exchanges of a move, decides their fates, and holds the seeds to one writer at a time. */
export const createRecorder = (points: readonly MovePoint[]) => {
  let phase: Phase | undefined
  let newSeed: string | undefined
  let world: Watched | undefined
  let isRecording = false
  let isOver = false
  const exchanges: RecordedExchange[] = []
  const writes: string[] = []
  const problems: string[] = []
  const counts = new Map<string, number>()
  const cutUntil = new Map<string, number>()
  let newSeedWroteAt: number | undefined
  let isGivenUp = false
  let newSeedWrites = 0

  const seedOf = (actor: string) => (actor.startsWith(`${world?.first.name}/`) ? world?.first : world?.second)
  /** Returns true for a write to an object of the shoot that is no longer in the seed. It has no effect. */
  const isWithoutObject = (actor: string, about: string): boolean => {
    const path = /^(?:PATCH|PUT|DELETE) .*\/namespaces\/(shoot--[^/]+)\/([^/]+)\/([^/?]+)/.exec(about)
    const [, namespace, resource, name] = path ?? []
    const seed = seedOf(actor)
    if (seed === undefined || namespace === undefined) return false
    return !objectsOf(seed, namespace).some(
      one => one.resource.startsWith(`${resource}.`) && one.metadata.name === name,
    )
  }
  const killBridges = (actor: string, which: 'leading' | 'all'): void => {
    const seed = seedOf(actor)
    if (seed === undefined || world === undefined) return
    const lease = seed.server.store
      .collection('leases.coordination.k8s.io')
      .list()
      .find(({ object }) => object.metadata.name === 'trellis-bridge')
    const holder = (lease?.object.spec as { readonly holderIdentity?: string } | undefined)?.holderIdentity
    seed.bridges().forEach(({ process }, replica) => {
      if (which === 'leading' && process.name !== holder) return
      process.kill()
      world?.clock.after(20_000, () => seed.restart(replica))
    })
  }
  const processOf = (name: string) => {
    const seed = seedOf(name)
    return [...(seed?.instances() ?? []), ...(seed?.bridges() ?? [])]
      .map(({ process }) => process)
      .find(process => process.name === name)
  }

  /** Freezes a process of the old seed until the new one has begun to restore. */
  const freezeUntilRestore = (process: SimulatedProcess | undefined, endsAt: number): void => {
    if (world === undefined || world.clock.now() > endsAt || (phase === 'restore' && newSeedWrites >= 5))
      return
    process?.freeze(2_000)
    world.clock.after(1_000, () => freezeUntilRestore(process, endsAt))
  }

  const fates: Fates = (process, exchange) => {
    const actor = actorOf(process)
    const { about, isWrite, way } = exchange
    const isLease = about.includes('/leases')
    const isOwn = !isLease && !actor.endsWith('/gardenlet')
    const time = world?.clock.now() ?? 0
    if (isOwn && isWrite && phase !== undefined) {
      writes.push(`${process} ${about}`)
      if (way !== 'events' && !actor.includes('/bridge') && newSeed !== undefined) {
        if (actor.startsWith(`${newSeed}/`)) {
          newSeedWroteAt ??= time
          newSeedWrites++
        } else if (newSeedWroteAt !== undefined && !isWithoutObject(actor, about))
          problems.push(`${process} wrote ${about} ${time - newSeedWroteAt} ms after the new seed`)
      }
    }
    if (way === 'kubernetes' && (cutUntil.get(actor.split('/')[0] ?? '') ?? 0) > time)
      return { kind: 'unreachable' }
    if (!isRecording || phase === undefined || isLease) return { kind: 'pass' }
    if (isGivenUp && actor.endsWith('/gardenlet')) return fateOf('crash before')
    const number = (counts.get(actor) ?? 0) + 1
    counts.set(actor, number)
    if (exchanges.length < 20_000) exchanges.push({ ...exchange, actor, number, phase })
    const point = points.find(one => one.actor === actor && one.number === number)
    if (point === undefined) return { kind: 'pass' }
    const { effect } = point
    if (effect === 'given up') {
      isGivenUp = true
      return fateOf(actor.endsWith('/gardenlet') ? 'crash after' : effect)
    }
    if (effect === 'frozen') processOf(process)?.freeze(5 * minuteMs)
    if (effect === 'frozen before') {
      isGivenUp = phase === 'reconcile'
      freezeUntilRestore(processOf(process), time + 60 * minuteMs)
    }
    if (effect === 'leading bridge killed') killBridges(actor, 'leading')
    if (effect === 'both bridges killed') killBridges(actor, 'all')
    if (effect === 'API server unreachable') {
      cutUntil.set(actor.split('/')[0] ?? '', time + 45_000)
      return { kind: 'unreachable' }
    }
    return fateOf(effect)
  }
  return {
    fates,
    watch: (of: Watched) => {
      world = of
    },
    /** `seed`: from now on only this one may write. */
    enter: (next: Phase, seed?: WorldSeed) => {
      phase = next
      isGivenUp = false
      isRecording = !isOver
      if (seed === undefined || seed.name === newSeed) return
      newSeed = seed.name
      newSeedWroteAt = undefined
      newSeedWrites = 0
    },
    isGivenUp: () => isGivenUp,
    /** From now on there are no faults. */
    end: () => {
      isOver = true
      isRecording = false
      isGivenUp = false
    },
    exchanges: () => exchanges,
    writes: () => writes,
    problems: () => [...new Set(problems)].slice(0, 5),
  }
}
