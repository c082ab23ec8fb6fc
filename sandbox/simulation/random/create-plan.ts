import { createRandom, type Random } from '../random.ts'
import type { DeliveryName } from '../seed/simulated-seed.ts'
import type { NamedCloud } from './random-cloud.ts'
import { seedAccidents } from './seed-accidents.ts'
import {
  eventFaults,
  injectedFaults,
  type ShootRequest,
  type Target,
  type TimedAction,
  type WorldAction,
  type WorldPlan,
} from './world-plan.ts'

export interface PlanLimits {
  /** The time of the last action, in ms. Default: 40 minutes. */
  readonly longMs?: number
  /** Default: 1 to 3. */
  readonly shoots?: number
  /** The most actions for each shoot. Default: 12. */
  readonly actions?: number
}

const deliveries: readonly DeliveryName[] = ['in-memory', 'kafka', 'rabbitmq', 'nats', 'seed process']

const minute = 60_000

/**
 * Returns a seed without the name of its cloud. `openstack-7` is the plan of seed 7 in OpenStack, whichever other clouds
 * there are. Without a name, the seed chooses its cloud.
 */
export const namedCloudOf = (
  seed: string,
  clouds: readonly NamedCloud[],
): { readonly own: string; readonly named: NamedCloud | undefined } => {
  const named = clouds.find(({ name }) => seed.startsWith(`${name}-`))
  return { named, own: named === undefined ? seed : seed.slice(named.name.length + 1) }
}

/** Creates the plan of a seed. */
export const createPlan = (
  given: string,
  clouds: readonly NamedCloud[],
  { longMs = 40 * minute, shoots, actions: most = 12 }: PlanLimits = {},
): WorldPlan => {
  const { own: seed, named } = namedCloudOf(given, clouds)
  const random = createRandom(`${seed}/plan`)
  const picked = random.pick(clouds)
  const cloud = named ?? picked
  const count = shoots ?? random.pick([1, 1, 1, 2, 3])
  const number = random.between(2, most * count)
  const actions: TimedAction[] = Array.from({ length: number }, () => ({
    at: random.int(longMs),
    ...actionOf(random, cloud, count),
  }))
  // Sources of their own, so that the rest of a plan is independent of it.
  const further = createRandom(`${seed}/further`)
  const restores: readonly TimedAction[] = further.chance(0.2) ? [restoreOf(further, longMs)] : []
  const last = createRandom(`${seed}/events and stops`)
  const events: readonly TimedAction[] = last.chance(0.4) ? [eventWindowOf(last, longMs)] : []
  const stops: readonly TimedAction[] = last.chance(0.3) ? [stopOf(last, longMs)] : []
  const ofBrokers = createRandom(`${seed}/brokers`)
  const brokers: readonly TimedAction[] = ofBrokers.chance(0.4) ? [brokerActionOf(ofBrokers, longMs)] : []
  const ofPauses = createRandom(`${seed}/pauses`)
  const pauses: readonly TimedAction[] = ofPauses.chance(0.3) ? [pauseOf(ofPauses, longMs, count)] : []
  return {
    cloud: cloud.name,
    delivery: random.pick(deliveries),
    latencyMs: random.pick([0, 5, 50, 400]),
    visibleAfterMs: further.pick([0, 0, 2_000, 10_000]),
    shoots: Array.from({ length: count }, () => (random.chance(0.2) ? 'deleted' : 'present')),
    actions: [...actions, ...restores, ...events, ...stops, ...brokers, ...pauses].sort(
      (a, b) => a.at - b.at,
    ),
  }
}

const restoreOf = (random: Random, longMs: number): TimedAction => ({
  at: random.int(longMs),
  kind: 'restore etcd',
  seed: seedOf(random),
  forMs: random.pick([30_000, 2 * minute, 10 * minute]),
  bump: random.chance(0.5),
})

const eventWindowOf = (random: Random, longMs: number): TimedAction => ({
  at: random.int(longMs),
  kind: 'faults',
  forMs: random.pick([2 * minute, 10 * minute]),
  way: 'events',
  fault: random.pick(eventFaults),
  rate: random.pick([0.2, 0.6, 1]),
})

const brokerActionOf = (random: Random, longMs: number): TimedAction => ({
  at: random.int(longMs),
  seed: seedOf(random),
  ...(random.chance(0.7)
    ? { kind: 'replace dispatchers', by: random.chance(0.7) ? 'SIGTERM' : 'SIGKILL' }
    : { kind: 'take storage away', forMs: random.pick([5_000, 30_000, 5 * minute]) }),
})

const pauseOf = (random: Random, longMs: number, shoots: number): TimedAction => ({
  at: random.int(longMs),
  kind: 'pause',
  shoot: random.int(shoots),
  forMs: random.pick([10 * minute, 30 * minute]),
  resume: random.chance(0.5),
})

const stopOf = (random: Random, longMs: number): TimedAction => ({
  at: random.int(longMs),
  kind: 'stop',
  of: 'bridge',
  seed: seedOf(random),
  pick: random.int(1_000),
})

const actionOf = (random: Random, cloud: NamedCloud, shoots: number): WorldAction => {
  const chosen = random.int(100)
  if (chosen < 35) return { kind: 'request', shoot: random.int(shoots), request: requestOf(random, cloud) }
  if (chosen < 60)
    return {
      kind: 'faults',
      forMs: random.pick([5_000, 30_000, 2 * minute, 10 * minute]),
      way: random.pick(['kubernetes', 'kubernetes', 'cloud', 'cloud', 'events'] as const),
      fault: random.pick(injectedFaults),
      rate: random.pick([0.01, 0.05, 0.2, 0.6, 1]),
    }
  if (chosen < 66) return { kind: 'kill', ...targetOf(random) }
  if (chosen < 71)
    return { kind: 'freeze', ...targetOf(random), forMs: random.pick([2_000, 20_000, 2 * minute]) }
  if (chosen < 75)
    return { kind: 'skew', ...targetOf(random), ms: random.pick([-90_000, -2_000, 2_000, 90_000]) }
  if (chosen < 80) return { kind: 'cut watches', seed: seedOf(random), compact: random.chance(0.5) }
  if (chosen < 83)
    return {
      kind: 'lag',
      seed: seedOf(random),
      replica: random.int(2),
      lagMs: random.pick([200, 3_000, 30_000]),
      forMs: random.pick([minute, 10 * minute]),
    }
  if (chosen < 85) return { kind: 'refuse credentials', forMs: random.between(1, 10) * minute }
  if (chosen < 87) return { kind: 'change credentials' }
  const pick = random.int(1_000)
  if (chosen < 94) return { kind: 'accident in the cloud', accident: random.pick(cloud.accidents), pick }
  return { kind: 'accident in the seed', accident: random.pick(Object.keys(seedAccidents)), pick }
}

const seedOf = (random: Random) => (random.chance(0.8) ? 'first' : 'second')

const targetOf = (random: Random): Target => ({
  of: random.chance(0.5) ? 'bridge' : 'function',
  seed: seedOf(random),
  pick: random.int(1_000),
})

const requestOf = (random: Random, cloud: NamedCloud): ShootRequest => {
  const chosen = random.int(100)
  if (chosen < 35) return { kind: 'change', change: random.pick(cloud.changes), pick: random.int(1_000) }
  if (chosen < 55) return { kind: 'reconcile' }
  if (chosen < 63) return { kind: 'hibernate' }
  if (chosen < 70) return { kind: 'wake' }
  if (chosen < 78) return { kind: 'rotate' }
  if (chosen < 84) return { kind: 'migrate' }
  if (chosen < 90) return { kind: 'delete' }
  return {
    kind: random.chance(0.6) ? 'open bastion' : 'close bastion',
    name: random.pick(['cli', 'web']),
  }
}
