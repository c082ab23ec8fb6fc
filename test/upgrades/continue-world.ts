import type { GardenShoot } from '../../sandbox/gardenlet/gardenlet.ts'
import { during } from '../../sandbox/providers/aws/demo/whole-shoot.ts'
import { type AwsSide, createAwsSide } from '../../sandbox/providers/aws/simulation/aws-side.ts'
import { unfinishedObjects, type WorldRow } from '../../sandbox/simulation/oracle/oracle.ts'
import {
  type SimulatedCode,
  simulate,
  type World,
  type WorldBackup,
  type WorldSeed,
} from '../../sandbox/simulation/simulation.ts'
import { cloudWrites } from '../shoot/whole-shoot-world.ts'

/** A recorded world under the programs of this version. */
export interface ContinuedWorld {
  readonly world: World<AwsSide>
  /** Lets the programs work alone until no claim, wait or backoff of the recorded version is left. */
  rest(): Promise<void>
  /** Does what gardenlet does for the shoot, and waits for it. */
  gardenlet<T>(
    work: (gardenlet: ReturnType<WorldSeed['gardenlet']>) => Promise<T>,
    seed?: WorldSeed,
  ): Promise<T>
  /** Returns a sentence for each object of a seed that has not succeeded, and each event that still waits. */
  unfinished(seed?: WorldSeed): readonly string[]
  /** Returns the write calls since the last call, each with its count. */
  cloudWrites(): Readonly<Record<string, number>>
  /** Returns the ids of the machines. */
  machines(): readonly string[]
  /** Returns the names of the classes of machines, which change when a pool is rolled. */
  classes(seed?: WorldSeed): readonly string[]
}

/** Longer than a claim, the longest backoff, and a check of health. */
const restMs = 30 * 60_000

const hourMs = 60 * 60_000

/** Continues a world with this version, on a virtual clock. Undefined: an empty world. */
export const continueWorld = <T>(
  code: SimulatedCode,
  from: WorldBackup | undefined,
  course: (continued: ContinuedWorld) => Promise<T>,
): Promise<T> =>
  simulate(
    {
      seed: 'upgrade',
      code,
      cloud: createAwsSide,
      delivery: 'in-memory',
      trace: { retained: 0 },
      ...(from && { from }),
    },
    world => course(continued(world)),
  )

const continued = (world: World<AwsSide>): ContinuedWorld => {
  const { clock, cloud, first } = world
  return {
    world,
    rest: () => clock.sleep(restMs),
    gardenlet: async (work, seed = first) => {
      const end = new AbortController()
      const cancel = clock.after(hourMs, () => end.abort(new Error('gardenlet waits for an hour')))
      try {
        return await work(seed.gardenlet(end.signal))
      } finally {
        cancel()
      }
    },
    unfinished: (seed = first) => [
      ...unfinishedObjects([...seed.server.backUp().objects.values()].flatMap(objectsOf)),
      ...seed
        .bridges()
        .flatMap(({ bridge }) => bridge.waiting().map(one => `waiting: ${JSON.stringify(one)}`)),
    ],
    cloudWrites: () => cloudWrites(cloud.aws),
    machines: () =>
      cloud
        .contents()
        .filter(({ place }) => / instances$/.test(place))
        .map(({ value }) => String(Object(value).id ?? Object(value).instanceId))
        .toSorted(),
    classes: (seed = first) =>
      objectsOf(seed.server.backUp().objects.get('machineclasses.machine.sapcloud.io') ?? new Map()).map(
        ({ metadata }) => metadata.name,
      ),
  }
}

type Revisions =
  ReturnType<WorldSeed['server']['backUp']>['objects'] extends ReadonlyMap<string, infer Of> ? Of : never

const objectsOf = (revisions: Revisions) => [...revisions.values()].map(({ object }) => object)

/** Returns the account after a creation of a shoot by this version. */
export const freshAccount = (code: SimulatedCode, shoot: GardenShoot): Promise<readonly WorldRow[]> =>
  continueWorld(code, undefined, async one => {
    await create(one, shoot)
    await one.rest()
    return one.world.cloud.contents()
  })

/** Returns the account after a creation and a deletion by this version: AWS creates things of its own. */
export const deletedAccount = (code: SimulatedCode, shoot: GardenShoot): Promise<readonly WorldRow[]> =>
  continueWorld(code, undefined, async one => {
    await create(one, shoot)
    await removeAll(one, shoot)
    return one.world.cloud.contents()
  })

const create = ({ gardenlet }: ContinuedWorld, shoot: GardenShoot): Promise<void> =>
  gardenlet(async of => {
    await of.prepareSeed()
    await of.reconcile(shoot)
  })

/** Deletes the shoot, and the bucket of its seed. */
export const removeAll = ({ gardenlet }: ContinuedWorld, shoot: GardenShoot): Promise<void> =>
  gardenlet(async of => {
    await of.delete(during(shoot, 'Delete'))
    await of.removeSeed()
  })
