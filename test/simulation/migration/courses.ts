import type { GardenShoot, ShootState, StoredState } from '../../../sandbox/gardenlet/gardenlet.ts'
import { machineState } from '../../../sandbox/gardenlet/gardenlet.ts'
import type { World } from '../../../sandbox/simulation/simulation.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import type { MovedCloud } from './clouds.ts'
import type { GivenUp } from './move-point.ts'
import type { createRecorder } from './move-recorder.ts'
import { GivenUpError, type RepeatedGardenlet } from './repeated-gardenlet.ts'
import { objectsOf } from './seed-contents.ts'

export interface CourseContext {
  readonly world: World
  /** The gardenlets of the first and the second seed. */
  readonly north: RepeatedGardenlet
  readonly south: RepeatedGardenlet
  readonly garden: StoredState
  readonly recorder: ReturnType<typeof createRecorder>
  readonly cloud: MovedCloud
  /** etcd stores a backup in a bucket. */
  readonly backUp: (bucket: string) => Promise<void>
}

/** A way of a shoot between seeds. */
export interface Course extends GivenUp {
  readonly name: string
  /** The seed that has the shoot at the end. */
  readonly holder: 'first' | 'second'
  /** The same course without an old state, whose result it must have. */
  readonly current?: Course
  /** If true, machines are replaced on the way. */
  readonly replacesMachines?: boolean
  run(context: CourseContext): Promise<void>
}

const during = (shoot: GardenShoot, type: string): GardenShoot => ({
  ...shoot,
  status: { ...shoot.status, lastOperation: { type, state: 'Processing' } },
})

const migrate = async (
  { world, north, garden, recorder }: CourseContext,
  shoot = world.cloud.shoot,
): Promise<ShootState> => {
  recorder.enter('migrate', world.first)
  return north('migrate', gardenlet => gardenlet.migrate(during(shoot, 'Migrate'), garden))
}
const forget = async ({ world, north, recorder }: CourseContext): Promise<void> => {
  recorder.enter('between', world.first)
  await north('forget', gardenlet => gardenlet.forget(during(world.cloud.shoot, 'Migrate')))
}
const restoreInSecond = async (
  { world, south, recorder }: CourseContext,
  state: ShootState,
  shoot = world.cloud.shoot,
): Promise<void> => {
  recorder.enter('restore', world.second)
  await south('restore', gardenlet => gardenlet.restore(during(shoot, 'Restore'), state))
}
const restoreInFirst = async (
  { world, north, recorder }: CourseContext,
  state: ShootState,
): Promise<void> => {
  recorder.enter('restore', world.first)
  await north('restore', gardenlet => gardenlet.restore(during(world.cloud.shoot, 'Restore'), state))
}

/** Runs a phase until the point at which it is given up. */
const untilGivenUp = async (phase: Promise<unknown>): Promise<void> => {
  try {
    await phase
  } catch (error) {
    if (!(error instanceof GivenUpError)) throw error
  }
}

/** The state of a shoot as the garden stores it now and then. */
const currentState = async ({ cloud, first }: World): Promise<ShootState> => {
  const { technicalID: namespace } = cloud.shoot.status
  const { name } = cloud.shoot.metadata
  const objects = objectsOf(first, namespace)
  const infrastructure = objects.find(({ kind }) => kind === 'Infrastructure')
  return {
    states: {
      [`Infrastructure/${name}`]: Object(infrastructure?.status).state,
      [`Worker/${name}`]: await machineState(first.kubernetes, namespace),
    },
    secrets: objects
      .filter(({ kind, metadata }) => kind === 'Secret' && metadata.labels?.persist === 'true')
      .map(({ metadata: { name: secret, labels = {} }, type, data, immutable }) => ({
        name: secret,
        labels,
        type: String(type),
        data: data as Readonly<Record<string, string>>,
        ...(immutable === true && { immutable }),
      })),
    backup: cloud.seeds.first.backup,
  }
}

/** The shoot moves to the second seed. */
export const moved: Course = {
  name: 'moved',
  holder: 'second',
  run: async context => {
    const state = await migrate(context)
    await forget(context)
    await restoreInSecond(context, state)
  },
}

/** The shoot is migrated and then restored where it was. */
export const restoredInItsSeed: Course = {
  name: 'restored in its seed',
  holder: 'first',
  run: async context => restoreInFirst(context, await migrate(context)),
}

/** The migration ends in the middle. The seed finishes its requests, and the shoot is restored there. */
export const givenUpInMigration: Course = {
  name: 'given up in the migration',
  holder: 'first',
  givenUpIn: 'migrate',
  run: async context => {
    const { world, garden } = context
    const state = await currentState(world)
    await untilGivenUp(migrate(context))
    context.recorder.end()
    await world.clock.sleep(5 * 60_000)
    await restoreInFirst(context, garden.read() ?? state)
  },
}

/** A function migrates when the move is given up. The first seed restores the shoot at once and reconciles it again. */
export const givenUpAndReconciled: Course = {
  name: 'given up and reconciled',
  holder: 'first',
  givenUpIn: 'migrate',
  isGivenUpByFunctions: true,
  run: async context => {
    const { world, north, garden } = context
    const state = await currentState(world)
    await untilGivenUp(migrate(context))
    context.recorder.end()
    // A migrated object ignores a reconciliation until it is restored, as in Gardener.
    await restoreInFirst(context, garden.read() ?? state)
    await north('reconcile', gardenlet => gardenlet.reconcile(world.cloud.shoot))
  },
}

/** The shoot is moved while it is reconciled. */
export const givenUpInReconcile: Course = {
  name: 'given up in the reconciliation',
  holder: 'second',
  givenUpIn: 'reconcile',
  isGivenUpByFunctions: true,
  run: async context => {
    const { world, north, recorder, cloud } = context
    const [change] = Object.values(cloud.changes).slice(-1)
    const shoot = (await change?.(world.cloud)) ?? world.cloud.shoot
    recorder.enter('reconcile', world.first)
    await untilGivenUp(north('reconcile', gardenlet => gardenlet.reconcile(shoot)))
    const state = await migrate(context, shoot)
    await forget(context)
    await restoreInSecond(context, state, shoot)
  },
}

/** The second seed has started to restore when the shoot goes back. */
export const givenUpInRestore: Course = {
  name: 'given up in the restore',
  holder: 'first',
  givenUpIn: 'restore',
  run: async context => {
    const { world, south, garden, recorder, backUp } = context
    const { shoot } = world.cloud
    const state = await migrate(context)
    await forget(context)
    await untilGivenUp(restoreInSecond(context, state))
    recorder.end()
    await world.clock.sleep(5 * 60_000)
    // etcd has run in the second seed, with a copy of the backups.
    const { first, second } = world.cloud.seeds
    await backUp(second.backup.bucketName)
    await south('migrate', gardenlet => gardenlet.migrate(during(shoot, 'Migrate'), garden))
    await south('forget', gardenlet => gardenlet.forget(during(shoot, 'Migrate')))
    await restoreInFirst(context, { ...state, backup: second.backup })
    await backUp(first.backup.bucketName)
  },
}

/** The cloud changes, and the state of the move is from before the change, or `current`. */
export const stateFromBefore = (change: string, state: 'from before' | 'after' = 'from before'): Course => ({
  name: `with a state ${state} ${change}`,
  holder: 'second',
  ...(state === 'from before' && { current: stateFromBefore(change, 'after') }),
  replacesMachines: change.includes('machine'),
  run: async context => {
    const { world, north, cloud } = context
    const old = await currentState(world)
    const shoot = (await cloud.changes[change]?.(world.cloud)) ?? world.cloud.shoot
    await north('reconcile', gardenlet => gardenlet.reconcile(shoot))
    await world.clock.sleep(20 * 60_000)
    const current = await migrate(context, shoot)
    await forget(context)
    await restoreInSecond(context, state === 'after' ? current : old, shoot)
  },
})

/** Keys of our state that the Go extension does not write (`test/infrastructure/recorded-shoot.ts`). */
const ownKeys = ['CreatedFor', 'AccountID']

const asOfGo = (state: unknown): unknown => {
  const { data, ...rest } = Object(state)
  const ofGo = Object.entries(Object(data)).filter(([key]) => !ownKeys.includes(key))
  return data === undefined ? state : { ...rest, data: Object.fromEntries(ofGo) }
}

/** The shoot was created by the Go extension: neither its objects nor its ShootState have what only Trellis writes. */
export const stateOfGo: Course = {
  name: 'with the state of Go',
  holder: 'second',
  current: moved,
  run: async context => {
    const { world, garden } = context
    const { kubernetes } = world.first
    for (const { kind, metadata, status } of objectsOf(world.first, world.cloud.shoot.status.technicalID)) {
      const found = Object.entries(kinds).find(([name]) => name === kind)?.[1]
      if (found === undefined) continue
      const { name, namespace } = metadata
      const key = { name, ...(namespace !== undefined && { namespace }) }
      const own = Object.keys(metadata.annotations ?? {}).filter(one => one.startsWith('trellis.'))
      const annotations = Object.fromEntries(own.map(one => [one, null]))
      await kubernetes.patch(found.resource, key, { metadata: { annotations } })
      const { state } = Object(status)
      if (kind === 'Infrastructure' && state !== undefined) {
        const data = Object.fromEntries(ownKeys.map(one => [one, null]))
        const change = Object(state).data === undefined ? {} : { status: { state: { data } } }
        await kubernetes.patch(found.resource, key, change, { subresource: 'status' })
      }
    }
    const state = await migrate(context)
    const states = Object.fromEntries(Object.entries(state.states).map(([key, one]) => [key, asOfGo(one)]))
    garden.write({ ...state, states })
    await forget(context)
    await restoreInSecond(context, { ...state, states })
  },
}
