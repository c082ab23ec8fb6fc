import { beforeAll, expect, test } from 'vitest'
import type { Outlook, SeedView } from '../../cli/observe/observe.ts'
import { createAwsSide } from '../../sandbox/providers/aws/simulation/aws-side.ts'
import { restartBridges } from '../../sandbox/simulation/random/random.ts'
import {
  type Fate,
  loadSimulatedCode,
  type Random,
  type SimulatedCode,
  simulate,
  type WorldSeed,
} from '../../sandbox/simulation/simulation.ts'
import { isKindName } from '../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

// Loaded after the simulation, which replaces builtins first.
let observe: typeof import('../../cli/observe/observe.ts')
let code: SimulatedCode
beforeAll(async () => {
  code = await loadSimulatedCode()
  observe = await import('../../cli/observe/observe.ts')
})

/** Crashes and lost requests, which leave objects in every state in between. */
const anyFate = (random: Random): Fate => {
  const chosen = random.int(1_000)
  if (chosen < 10) return { kind: 'crash', when: random.pick(['before', 'after']) }
  if (chosen < 20) return { kind: 'lost' }
  if (chosen < 30) return { kind: 'refused', status: random.pick([429, 500, 503]) }
  return { kind: 'pass', beforeMs: random.int(50), afterMs: random.int(50) }
}

interface Announcement {
  readonly object: KubernetesObject
  readonly at: number
  readonly outlook: Outlook
}

/** Follows the objects of a seed, and compares each event of the bridge with the one that was announced. */
const follow = (seed: WorldSeed, now: () => number) => {
  const { store } = seed.server
  const announced = new Map<string, Announcement>()
  const clusters = new Map<string, KubernetesObject>()
  const broken = new Set<string>()
  const states = new Set<string>()
  let compared = 0

  const outlookFor = (object: KubernetesObject, at: number): Outlook => {
    const view: SeedView = {
      at,
      objects: [object, ...clusters.values()],
      clustersRead: true,
      steps: undefined,
      missing: [],
    }
    if (!isKindName(object.kind)) throw new TypeError(`${object.kind} is no kind of extensions`)
    return observe.outlookOf(object.kind, object, observe.shootOfObject(view, object), at)
  }
  const check = (id: string, outlook: Outlook): void => {
    const { state, why, next } = outlook
    states.add(state)
    if (state !== 'waiting' && state !== 'working' && state !== 'failed') return
    if (state !== 'failed' && why === undefined) broken.add(`${id} is ${state} without a reason`)
    if (next === undefined) broken.add(`${id} is ${state} (${why}) and nothing comes next`)
    else if (next.event !== undefined && next.at === undefined)
      broken.add(`${id} is ${state} (${why}), and its event ${next.event} has no time`)
  }
  const keyOf = (object: KubernetesObject) => `${object.metadata.uid} ${object.metadata.resourceVersion}`

  store.subscribe((_, { entry }) => {
    const object: KubernetesObject = entry.object
    if (object.kind === 'Cluster') clusters.set(object.metadata.name, object)
    if (!isKindName(object.kind)) return
    const at = now()
    const outlook = outlookFor(object, at)
    announced.set(keyOf(object), { object, at, outlook })
    check(observe.viewIdOf(object), outlook)
  })
  seed.broker.onEvent(seen => {
    if (seen.kind !== 'received') return
    const { attributes } = seen.event
    const known = announced.get(`${attributes.objectuid} ${attributes.resourceversion}`)
    if (known === undefined || String(attributes.type).endsWith('.healthcheck')) return
    compared++
    const before = known.outlook.next
    const later = outlookFor(known.object, now()).next
    const id = String(attributes.id)
    // The bridge releases held events when a shoot is no longer failed.
    if (before?.event !== id && later?.event !== id) {
      broken.add(
        `${observe.viewIdOf(known.object)}: announced ${before?.what} ${before?.event}, sent ${attributes.type} ${id} (${attributes.reason})`,
      )
      return
    }
    const isEarly = attributes.reason === 'changed' || attributes.reason === 'touched'
    if (before?.event === id && before.at !== undefined && now() < before.at && !isEarly)
      broken.add(
        `${observe.viewIdOf(known.object)}: ${attributes.type} was announced for ${before.at - now()} ms later`,
      )
  })
  return { broken, states, compared: () => compared }
}

test.each(['1', '2', '3'])(
  'in a random life of a shoot, each wait has a reason and a next time, and the bridge sends the announced events (seed %s)',
  async number => {
    const result = await simulate(
      {
        seed: `announced ${number}`,
        code,
        cloud: createAwsSide,
        delivery: 'in-memory',
        fates:
          ({ random }) =>
          () =>
            anyFate(random),
        trace: { retained: 0 },
      },
      async ({ first, clock, cloud }) => {
        const followed = follow(first, clock.now)
        const stop = new AbortController()
        const end = restartBridges(first, clock.after)
        const gardenlet = first.gardenlet(stop.signal)
        // A gardenlet ends its flow at an error, and starts again later.
        const untilDone = async (flow: () => Promise<unknown>): Promise<void> => {
          while (!stop.signal.aborted) {
            try {
              await flow()
              return
            } catch {
              await clock.sleep(15_000)
            }
          }
        }
        const life = async () => {
          await untilDone(() => gardenlet.prepareSeed())
          await untilDone(() => gardenlet.reconcile(cloud.shoot))
          await untilDone(() => gardenlet.delete(cloud.shoot))
        }
        await Promise.race([life(), clock.sleep(4 * 3_600_000)])
        stop.abort()
        end()
        return followed
      },
    )
    expect([...result.broken]).toEqual([])
    expect(result.compared()).toBeGreaterThan(30)
    expect([...result.states].toSorted()).toEqual(
      expect.arrayContaining(['failed', 'ok', 'waiting', 'working']),
    )
  },
)
