// First: it replaces builtins before modules of the product take references to them.
import '../../../sandbox/simulation/simulation.ts'
import type { GardenShoot } from '../../../sandbox/gardenlet/gardenlet.ts'
import { createAwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import {
  type Fate,
  loadSimulatedCode,
  type Random,
  simulate,
} from '../../../sandbox/simulation/simulation.ts'
import { kindNames, kinds } from '../../../shared/contract/kinds.ts'

/** The result of this program, as JSON on its standard output. */
export interface WorldHours {
  readonly objects: number
  /** Virtual hours that passed. */
  readonly hours: number
  readonly seconds: number
  readonly crashes: number
}

/** A run replaces the clocks of the process, but not this one. */
const realMs = (): number => Number(process.hrtime.bigint()) / 1e6

const hourMs = 3_600_000
const leastObjects = 100

/** One of 50 exchanges crashes its process, and one loses its answer. */
const anyFate = (random: Random): Fate => {
  const chosen = random.int(50)
  if (chosen === 0) return { kind: 'crash', when: random.pick(['before', 'after']) }
  return chosen === 1 ? { kind: 'lost' } : { kind: 'pass', beforeMs: random.int(20) }
}

/** Lets a seed with shoots live for a time: two bridges, one reconciliation of a shoot in each hour, and faults in it. */
const liveFor = async (seed: string, seconds: number): Promise<WorldHours> => {
  const code = await loadSimulatedCode()
  let crashes = 0
  let isFaulty = false
  const fates =
    ({ random }: { readonly random: Random }) =>
    (): Fate => {
      if (!isFaulty) return { kind: 'pass' }
      const fate = anyFate(random)
      if (fate.kind === 'crash') crashes++
      return fate
    }
  const options = {
    seed,
    code,
    cloud: createAwsSide,
    delivery: 'kafka',
    fates,
    trace: { retained: 0 },
  } as const
  return simulate({ ...options, longestMs: 365 * 24 * hourMs }, async ({ clock, first, cloud, random }) => {
    const gardenlet = first.gardenlet(new AbortController().signal)
    await gardenlet.prepareSeed()
    const count = async () => {
      const lists = await Promise.all(kindNames.map(kind => first.kubernetes.list(kinds[kind].resource)))
      return lists.reduce((sum, { items }) => sum + items.length, 0)
    }
    const shoots: GardenShoot[] = []
    while ((await count()) < leastObjects) {
      const { metadata, spec, status } = cloud.shoot
      const number = shoots.length
      const shoot = {
        ...cloud.shoot,
        metadata: { ...metadata, name: `${metadata.name}${number}`, uid: random.uuid() },
        spec: { ...spec, dns: { domain: spec.dns.domain.replace('.', `${number}.`) } },
        status: { ...status, technicalID: `${status.technicalID}${number}` },
      }
      await gardenlet.reconcile(shoot)
      shoots.push(shoot)
    }
    const objects = await count()
    const [from, began] = [clock.now(), realMs()]
    const passed = () => (realMs() - began) / 1_000
    for (let hour = 0; passed() < seconds; hour++) {
      const shoot = shoots[hour % shoots.length]
      if (shoot === undefined) throw new RangeError('the seed has no shoot')
      isFaulty = true
      const restarts = clock.after(30_000, function restart() {
        for (const replica of [0, 1]) first.restart(replica)
        if (isFaulty) clock.after(30_000, restart)
      })
      await gardenlet.reconcile(shoot)
      isFaulty = false
      restarts()
      for (const replica of [0, 1]) first.restart(replica)
      await clock.sleep(from + (hour + 1) * hourMs - clock.now())
    }
    return { objects, hours: (clock.now() - from) / hourMs, seconds: passed(), crashes }
  })
}

const [, , seed = '1', seconds = '30'] = process.argv
const result = await liveFor(seed, Number(seconds))
process.stdout.write(`${JSON.stringify(result)}\n`)
