import { createExtensionObjects } from '../../../sandbox/gardenlet/gardenlet.ts'
import type { EtcdBackup } from '../../../sandbox/kubernetes/kubernetes.ts'
import type { AwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import { isRead } from '../../../sandbox/providers/aws/simulator/aws.ts'
import {
  changedRows,
  compareWorlds,
  createObjectRows,
  rowText,
  type WorldRow,
} from '../../../sandbox/simulation/oracle/oracle.ts'
import { restartBridges } from '../../../sandbox/simulation/random/random.ts'
import {
  broken,
  createRandom,
  objectName,
  type SimulatedCode,
  simulate,
  type World,
} from '../../../sandbox/simulation/simulation.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { BrokenWorld } from '../simulation-set.ts'
import { countWrites, createActor, createConfirmations } from './actor.ts'
import type { Cast, Part } from './cast.ts'
import { lifeExceptions, type Moment } from './life-exceptions.ts'
import { letOthersWork } from './others/others.ts'
import type { Act, LifePlan } from './plan-life.ts'
import { livesSide, quietSeed, type Stage } from './stage.ts'
import { createTroubles } from './troubles.ts'
import { watchErrors } from './watch-errors.ts'
import { watchReports } from './watch-reports.ts'
import { watchSuccesses } from './watch-successes.ts'

export interface LifeResult {
  /** Each broken invariant in a sentence. */
  readonly broken: readonly string[]
  readonly virtualMs: number
  readonly trace: readonly string[]
}

/** The rows of the parts after a creation without troubles, by their specs. */
export type FreshLives = Map<string, Promise<readonly WorldRow[]>>

export interface LifeOptions {
  readonly code: SimulatedCode
  readonly stage: Stage
  readonly cast: Cast
  readonly fresh: FreshLives
  readonly traced?: boolean
}

const minute = 60_000
/** Longer than every limit of a wait, and shorter than the time of the end. */
const stuckMs = 30 * minute
/** All calls see all writes, and nothing waits. */
const calmMs = 10 * minute

/** Runs a life, and checks every invariant at its end. */
export const runLife = async (plan: LifePlan, options: LifeOptions): Promise<LifeResult> => {
  const { code, stage, cast } = options
  const parts = cast.parts(createRandom(`${plan.seed}/parts`), stage.given)
  const troubles = createTroubles(plan)
  const { shuffles, pages, lagMs, addressMs = 0, stuck, isSlow } = plan.hostility
  const seed = `${plan.seed}/aws`
  const lines: string[] = []
  const finished = await simulate(
    {
      seed: plan.seed,
      code,
      cloud: livesSide({
        ...(shuffles && { shuffleLists: seed }),
        ...(pages && { pages: { seed, omittedAgain: false, ...pages } }),
        ...(lagMs > 0 && { lag: { seed, most: lagMs } }),
        ec2: {
          durations: {
            scale: isSlow ? 1 : 0.01,
            natAddressShown: addressMs,
            ...(stuck && { [stuck]: stuckMs }),
          },
        },
      }),
      delivery: 'in-memory',
      from: stage[cast.from],
      fates: troubles.fates,
      ofSeeds: { ...quietSeed, instances: isSuspended(plan) ? 2 : 1 },
      trace: { retained: 0, ...(options.traced && { onLine: line => void lines.push(line) }) },
    },
    world => Promise.race([play(world, plan, parts, troubles), untilBroken(world)]),
  )
  const different: string[] = []
  // Both accounts may have the same public addresses.
  for (const { wanted, rows, when } of finished.moments) {
    // A user has pinned an address, which no other world has.
    const addresses = JSON.stringify(wanted).match(/\beipalloc-[0-9a-f]{17}\b/g) ?? []
    if (!addresses.every(id => stage.known[cast.from].has(id))) continue
    const found = compareWorlds(rows, await freshRows(wanted, options), {
      exceptions: lifeExceptions(plan, when),
      isKnown: name => stage.known[cast.from].has(name),
    })
    different.push(...found.map(difference => `${when}: ${difference}`))
  }
  return {
    broken: [
      ...finished.broken,
      ...different.map(difference => broken('the live state is the wanted one', difference)).slice(0, 4),
    ],
    virtualMs: finished.virtualMs,
    trace: lines,
  }
}

interface LifeCourse {
  readonly broken: readonly string[]
  /** Objects at a time, and what they have created: each at its successes, and those of each shoot at rest. */
  readonly moments: readonly {
    readonly when: Moment
    readonly wanted: readonly Part['desired'][]
    readonly rows: readonly WorldRow[]
  }[]
  readonly virtualMs: number
}

/** Another process continues the work of a suspended one. */
const isSuspended = ({ events }: LifePlan): boolean =>
  events.some(event => event.kind === 'exchange' && event.fault === 'suspended')

/** A life that is broken may take thousands of calls to its end. */
const untilBroken = async (world: World<AwsSide>): Promise<LifeCourse> => {
  const start = world.clock.now()
  while (!world.isBroken()) await world.clock.sleep(10_000)
  return { broken: world.broken(), moments: [], virtualMs: world.clock.now() - start }
}

const play = async (
  world: World<AwsSide>,
  plan: LifePlan,
  parts: readonly Part[],
  troubles: ReturnType<typeof createTroubles>,
): Promise<LifeCourse> => {
  const { clock, first, trace } = world
  const start = clock.now()
  const foreign = rowsOfOthers(world)
  const others =
    plan.hasOthers === true
      ? await letOthersWork(world, parts, { seed: plan.seed, isLate: plan.hostility.lagMs > 0 })
      : undefined
  const endRestarts = restartBridges(first, clock.after)
  const errors = watchErrors(world, plan)
  const writes = countWrites(world, action => !isRead({ action }))
  const successes = watchSuccesses(world, parts, (one, live) => rowsOf(world, [one], live))
  const reports = watchReports(world, parts, {
    seenMs: plan.hostility.lagMs,
    visitedAt: () => others?.visits.visitedAt() ?? 0,
  })
  const surroundings = {
    writes,
    confirm: createConfirmations(world),
    began: (what: Act['do'], own?: Act['with']) => {
      troubles.began(what, own)
      if (what !== 'accident') return
      successes.end()
      reports.end()
    },
    outOfReach: new Set<string>(),
    isPrompt: plan.hostility.lagMs === 0,
  }
  const actors = parts.map(part => createActor(world, part, surroundings))
  troubles.begin(world, parts)
  await Promise.all(
    actors.map((actor, index) =>
      actor.play(plan.events.flatMap(event => (event.kind === 'act' && event.part === index ? [event] : []))),
    ),
  )
  troubles.stop()
  await others?.visits.end()
  trace.note('simulation', 'the troubles end')
  // A list that a user changes between a read and a write of a function is lost, so some ends come later.
  if (
    others &&
    parts.some(({ desired }) => desired.kind === 'BackupBucket') &&
    createRandom(plan.seed).chance(0.5)
  )
    await clock.sleep(plan.hostility.lagMs + minute)
  const ends = endsOf(plan, parts)
  const late: string[] = []
  // Networks and buckets are needed until the others are gone.
  for (const isLast of [false, true]) {
    // Others may be in the way of a creation, but not of a deletion.
    if (isLast || parts.some((part, index) => !part.isLast && ends[index] === 'present'))
      await others?.leave()
    late.push(
      ...(
        await Promise.all(
          actors.map((actor, index) =>
            (parts[index]?.isLast ?? false) === isLast ? actor.finish(ends[index] ?? 'present') : [],
          ),
        )
      ).flat(),
    )
    if (late.length > 0) break
    // Before the deletion of a bucket deletes everything in it.
    const left = actors.filter(
      ({ part }, index) => (part.isLast ?? false) === isLast && ends[index] === 'deleted',
    )
    for (const { part } of left)
      for (const what of part.left?.(world) ?? []) late.push(broken('nothing is left', what))
  }
  await others?.endControllers()
  await clock.sleep(calmMs)
  const present = actors.filter((_, index) => ends[index] === 'present')
  const wanted = present.map(({ part, spec }) => ({
    home: part.home,
    desired: { ...part.desired, spec: spec() },
  }))
  const homes = [...Map.groupBy(wanted, ({ home }) => home).values()].map(own => {
    const objects = own.map(({ desired }) => desired)
    return { when: 'at rest' as const, wanted: objects, rows: rowsOf(world, objects) }
  })
  if (late.length === 0) {
    const before = writes()
    late.push(...(await Promise.all(present.map(actor => actor.finish('present')))).flat())
    if (writes() > before) late.push(broken('idle means idle', `${writes() - before} writes to the account`))
  }
  endRestarts()
  const given = JSON.stringify([
    wanted.map(({ desired }) => desired),
    actors.map(actor => actor.isReleased() && actor.spec()),
  ])
  const known = new Set(foreign.map(idOf))
  const after = rowsOfOthers(world)
  const touched = changedRows(
    foreign.filter(row => !given.includes(idOf(row))),
    after.filter(row => known.has(idOf(row)) && !given.includes(idOf(row))),
  ).filter(row => !isOfAws.test(row.place) && !isReplaced(row, after))
  return {
    broken: [
      ...late,
      ...errors(),
      ...reports.all(),
      ...heldSecrets(world),
      ...troubles.unnamed(),
      ...touched.map(row => broken('nothing of others is touched', rowText(row))),
      ...world.broken(),
    ],
    moments: [
      ...homes,
      ...successes
        .all()
        .map(({ wanted: one, rows }) => ({ when: 'at a success' as const, wanted: [one], rows })),
    ],
    virtualMs: clock.now() - start,
  }
}

/** Returns a sentence for each Secret that a function holds, although no object uses it. */
const heldSecrets = ({ first: { server } }: World<AwsSide>): readonly string[] => {
  const refs = server.store
    .resources()
    .filter(resource => resource.endsWith('.extensions.gardener.cloud'))
    .flatMap(resource => server.store.collection(resource).list())
    .map(({ object: { spec } }) => Object(Object(spec).secretRef))
  return server.store
    .collection('secrets')
    .list()
    .filter(({ object: { metadata } }) => {
      const { finalizers = [], name } = metadata
      return (
        finalizers.some(finalizer => finalizer.startsWith('extensions.gardener.cloud/')) &&
        !refs.some(ref => ref.name === name)
      )
    })
    .map(({ object: { metadata } }) =>
      broken(
        'nothing is left',
        `${metadata.finalizers} on the Secret ${metadata.name}, which no object uses`,
      ),
    )
}

/** A part that others need is deleted only with them. */
const endsOf = ({ ends }: LifePlan, parts: readonly Part[]): LifePlan['ends'] =>
  parts.map(({ home, isLast }, index) => {
    const isNeeded = parts.some((other, at) => !other.isLast && other.home === home && ends[at] === 'present')
    return isLast && isNeeded ? 'present' : (ends[index] ?? 'present')
  })

/** AWS itself changes them with the subnets of a VPC. */
const isOfAws = / networkAcls$/

/** A user has replaced the tagged NAT gateway (`users.ts`). The book sees what functions remove. */
const isReplaced = ({ place, value }: WorldRow, after: readonly WorldRow[]): boolean => {
  const gateways = new Set(after.flatMap(row => (row.place.endsWith(' natGateways') ? [idOf(row)] : [])))
  const [gateway] = JSON.stringify(value).match(/\bnat-[0-9a-f]{17}\b/) ?? []
  return gateway === undefined ? place.endsWith(' addresses') : !gateways.has(gateway)
}

/** Role tags of subnets stay, because other clusters may use them (docs/infrastructure.md). */
const rowsOfOthers = ({ cloud }: World<AwsSide>): readonly WorldRow[] =>
  cloud
    .contentsOf(owner => owner === 'others')
    .map(row => ({
      ...row,
      value: JSON.parse(JSON.stringify(row.value), (name, field) =>
        name === 'tags' && Array.isArray(field)
          ? field.filter(tag => !String(Object(tag).Key).startsWith('kubernetes.io/role/'))
          : field,
      ),
    }))

const idOf = ({ value }: WorldRow): string => String(Object(value).id)

/** Returns what objects have created, and the objects themselves. */
const rowsOf = (
  { cloud, first }: World<AwsSide>,
  wanted: readonly Part['desired'][],
  live?: KubernetesObject,
): readonly WorldRow[] => {
  const names = new Set(
    wanted.map(({ kind, key }) => objectName({ kind, name: key.name, namespace: key.namespace })),
  )
  const places = new Set(
    wanted.map(({ kind, key: { namespace = '', name } }) => `seed ${kind} ${namespace}/${name}`),
  )
  return [
    ...cloud.contentsOf(owner => names.has(owner)),
    ...createObjectRows()('seed', live === undefined ? first.server.backUp() : backupOf(live)).filter(
      ({ place }) => places.has(place),
    ),
  ]
}

const backupOf = (object: KubernetesObject): EtcdBackup => ({
  version: 0,
  objects: new Map([['', new Map([['', { version: 0, object, json: () => JSON.stringify(object) }]])]]),
})

/** The most time of a creation, in milliseconds. */
const creationMs = 40 * 60_000

const freshRows = (
  wanted: readonly Part['desired'][],
  options: LifeOptions,
): Promise<readonly WorldRow[]> => {
  const { code, stage, cast, fresh } = options
  const id = JSON.stringify([cast.from, wanted])
  const known =
    fresh.get(id) ??
    simulate(
      {
        seed: 'fresh',
        code,
        cloud: livesSide({}),
        delivery: 'in-memory',
        from: stage[cast.from],
        ofSeeds: quietSeed,
      },
      async world => {
        const { clock, first } = world
        const { signal } = new AbortController()
        const objects = createExtensionObjects({ kubernetes: first.kubernetes, clock, signal, pollMs: 1_000 })
        const tooLong = clock.sleep(creationMs).then(async () => {
          const found = await Promise.all(wanted.map(one => objects.get(one)))
          throw new Error(
            `the same objects cannot be created: ${JSON.stringify(found.map(one => one?.status))}`,
          )
        })
        await Promise.race([Promise.all(wanted.map(one => objects.apply(one))), tooLong])
        await clock.sleep(calmMs)
        const problems = world.broken()
        if (problems.length > 0) throw new BrokenWorld('a creation', problems)
        return rowsOf(world, wanted)
      },
    )
  fresh.set(id, known)
  return known
}
