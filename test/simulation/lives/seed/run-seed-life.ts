import {
  compareWorlds,
  createObjectRows,
  type WorldRow,
  worldExceptions,
} from '../../../../sandbox/simulation/oracle/oracle.ts'
import { restartBridges } from '../../../../sandbox/simulation/random/random.ts'
import {
  broken,
  createRandom,
  runningCode,
  type SimulatedCode,
  simulate,
  type World,
  type WorldBackup,
} from '../../../../sandbox/simulation/simulation.ts'
import { kinds } from '../../../../shared/contract/kinds.ts'
import type { BaseWorlds } from '../../points/base-worlds.ts'
import { contentOf } from '../../points/play-phase.ts'
import { quietSeed } from '../stage.ts'
import { judgeWorker } from './judge-worker.ts'
import { createSeedActor } from './seed-actor.ts'
import type { SeedCast, ShootInput } from './seed-cast.ts'
import { createSeedPeople } from './seed-people.ts'
import type { SeedPlan } from './seed-plan.ts'
import { createSeedTroubles } from './seed-troubles.ts'

export interface SeedLifeOptions {
  readonly code: SimulatedCode
  readonly bases: BaseWorlds
  readonly cast: SeedCast
  /** The rows of a world whose object has had only the last inputs. */
  readonly fresh: Map<string, Promise<readonly WorldRow[]>>
  readonly traced?: boolean
}

export interface SeedLifeResult {
  readonly broken: readonly string[]
  readonly virtualMs: number
  readonly trace: readonly string[]
}

/** Machines are quick, so that a roll fits into an attempt. */
const machineScale = 0.2
const calmMs = 3 * 60_000

/** Runs a life, and checks every invariant at its end. */
export const runSeedLife = async (plan: SeedPlan, options: SeedLifeOptions): Promise<SeedLifeResult> => {
  const { code, bases, cast, traced } = options
  const { subject } = cast
  const desired = subject.of(bases.complete)
  const { kind, key } = desired
  const isWorker = kind === 'Worker'
  const { plural } = kinds[kind].resource
  const troubles = createSeedTroubles(plan, `/${plural}/${key.name}`)
  const lines: string[] = []
  const others = subject.others ?? ((objects: WorldBackup['first']) => objects)
  const { wanted, rows, ...result } = await simulate(
    {
      seed: plan.seed,
      code,
      cloud: bases.cloud,
      delivery: 'in-memory',
      from: { ...bases[subject.base], first: others(bases[subject.base].first) },
      fates: troubles.fates,
      ofSeeds: { ...quietSeed, instances: 2, machineScale, controllerWay: troubles.controllerWay },
      trace: { retained: 0, ...(traced && { onLine: line => void lines.push(line) }) },
    },
    async world => {
      const { clock, first } = world
      const began = clock.now()
      const endRestarts = restartBridges(first, clock.after)
      const judge = isWorker ? judgeWorker(world, key.namespace ?? '') : undefined
      const actor = createSeedActor(world, cast, desired, () => people)
      const people = createSeedPeople(world, key.namespace ?? '', kind, {
        random: createRandom(`${plan.seed}/people`),
        spec: () => actor.wanted().spec,
      })
      troubles.begin(world, people.race)
      if (subject.name === 'aws-controlplane') await people.begin()
      await actor.play(plan.events.flatMap(event => (event.kind === 'act' ? [event] : [])))
      troubles.stop()
      await people.leave()
      const late = [...(await actor.rest())]
      if (late.length === 0) late.push(...(await actor.finish(plan.end)))
      await clock.sleep(calmMs)
      const found = plan.end === 'present' ? rowsOf(world, kind) : []
      if (late.length === 0 && plan.end === 'present')
        late.push(...(await idleProblems(world, actor, plural)))
      if (late.length === 0 && plan.end === 'deleted') late.push(...heldSecrets(world, desired))
      if (late.length === 0) late.push(...(await nodeProblems(world, key.namespace ?? '', actor)))
      endRestarts()
      judge?.end()
      return {
        broken: [...late, ...(judge?.problems() ?? []), ...world.broken()],
        virtualMs: clock.now() - began,
        wanted: actor.wanted(),
        rows: found,
      }
    },
  )
  const compared = result.broken.length === 0 && plan.end === 'present' && !isWorker
  const different = compared ? await differences(rows, wanted, options) : []
  return { ...result, broken: [...result.broken, ...different], trace: lines }
}

/** A deletion releases its Secret. */
const heldSecrets = (
  { first: { server } }: World,
  { kind, key, spec }: ReturnType<SeedCast['subject']['of']>,
): readonly string[] => {
  const { name, namespace = key.namespace } = Object(spec.secretRef)
  const { finalizers = [] } =
    server.store.collection('secrets').get(`${namespace}/${name}`)?.object.metadata ?? {}
  const own = kind === 'Extension' ? undefined : kinds[kind].finalizer()
  return finalizers.some(one => one === own)
    ? [broken('nothing is left', `the finalizer ${own} of the Secret ${namespace}/${name}`)]
    : []
}

/** Without the overlay, no node has a condition of Calico. */
const nodeProblems = async (
  { shoots }: World,
  namespace: string,
  actor: ReturnType<typeof createSeedActor>,
): Promise<readonly string[]> => {
  if (actor.wanted().input.overlay || actor.wanted().input.sleeps) return []
  const { server } = await shoots.open(namespace)
  return server.store
    .collection('nodes')
    .list()
    .filter(({ object }) => JSON.stringify(object.status).includes('CalicoIsUp'))
    .map(({ object }) =>
      broken('the live state is the wanted one', `node ${object.metadata.name} waits for Calico`),
    )
}

type Wanted = ReturnType<ReturnType<typeof createSeedActor>['wanted']>

/** A reconciliation of an unchanged object writes nothing but the object. */
const idleProblems = async (
  world: World,
  actor: ReturnType<typeof createSeedActor>,
  plural: string,
): Promise<readonly string[]> => {
  const writes = new Set<string>()
  const end = world.first.server.store.subscribe((resource, { type, key, entry, previous }) => {
    if (runningCode.getStore()?.step === undefined || resource.startsWith(`${plural}.`)) return
    if (/^(?:leases|events)\b/.test(resource)) return
    const isSame = JSON.stringify(previous?.object.spec) === JSON.stringify(entry.object.spec)
    if (type !== 'MODIFIED' || !isSame) writes.add(broken('idle means idle', `${type} ${resource} ${key}`))
  })
  const late = await actor.finish('present')
  end()
  return [...late, ...writes]
}

const rowsOf = ({ cloud, first, shoots }: World, own: string): readonly WorldRow[] =>
  contentOf(cloud.contents(), { first: first.server.backUp(), shoots: shoots.backUp() }, createObjectRows())
    .filter(({ place }) => !unstable.test(place))
    // Nothing applies resources of a sleeping shoot, and health checks of other objects have rounds of their own.
    .map(row => {
      const [, what = ''] = row.place.split(' ')
      const isOther = what === 'ManagedResource' || (what in kinds && what !== own)
      return isOther ? { ...row, value: { ...Object(row.value), status: {} } } : row
    })

/** The Cluster and the webhooks are inputs, and other objects are reconciled by themselves. */
const unstable = / (?:Cluster|Event|Lease|Node) |shoot-webhooks|MutatingWebhookConfiguration/

const differences = async (
  rows: readonly WorldRow[],
  wanted: Wanted,
  options: SeedLifeOptions,
): Promise<readonly string[]> => {
  const { cast, fresh } = options
  const id = JSON.stringify([cast.subject.name, wanted])
  const known = fresh.get(id) ?? freshRows(wanted, options)
  fresh.set(id, known)
  const found = compareWorlds(rows, await known, { exceptions: worldExceptions })
  return found.slice(0, 4).map(difference => broken('the live state is the wanted one', difference))
}

const freshRows = (
  { spec, input }: { readonly spec: Wanted['spec']; readonly input: ShootInput },
  { code, bases, cast: { subject } }: SeedLifeOptions,
): Promise<readonly WorldRow[]> =>
  simulate(
    {
      seed: 'fresh',
      code,
      cloud: bases.cloud,
      delivery: 'in-memory',
      from: {
        ...bases[subject.base],
        first: subject.others?.(bases[subject.base].first) ?? bases[subject.base].first,
      },
      ofSeeds: { ...quietSeed, machineScale },
      trace: { retained: 0 },
    },
    async world => {
      const plain = { subject, changes: [], inputs: [], often: 1 }
      const desired = { ...subject.of(bases.complete), spec }
      const actor = createSeedActor(
        world,
        plain,
        desired,
        () => {
          throw new Error('no people')
        },
        input,
      )
      await actor.finish('deleted')
      await actor.finish('present')
      await world.clock.sleep(calmMs)
      return rowsOf(world, subject.kind)
    },
  )
