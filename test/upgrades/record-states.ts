import type { GardenShoot, ShootState } from '../../sandbox/gardenlet/gardenlet.ts'
import { asleep, during, wholeShoot } from '../../sandbox/providers/aws/demo/whole-shoot.ts'
import type { WorldBackup } from '../../sandbox/simulation/simulation.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { type KindName, kinds } from '../../shared/contract/kinds.ts'
import { parseStepAnnotation, type StepAnnotation } from '../../shared/contract/step-annotation.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { VersionWorld } from './version-world.ts'
import type { RecordedState } from './world-file.ts'

export const namespace = wholeShoot.status.technicalID

/** The states of a shoot's life, each with its moment. */
export type StateName =
  | 'creating the network'
  | 'waiting for the network'
  | 'creating the control plane'
  | 'creating machines'
  | 'created'
  | 'failed'
  | 'hibernated'
  | 'migrating'
  | 'migrated'
  | 'deleting machines'
  | 'deleting the network'

/**
 * Runs the life of a shoot and copies the world at its moments. A copy in the middle of a step is the world after a
 * crash of all processes.
 */
export const recordStates = async (
  world: VersionWorld,
  onTaken: (name: StateName) => void,
): Promise<Readonly<Record<string, RecordedState>>> => {
  const states = new Map<StateName, RecordedState>()
  const take = (name: StateName, shootState?: ShootState): void => {
    if (states.has(name)) return
    states.set(name, { world: reachable(world), ...(shootState && { shootState }) })
    onTaken(name)
  }
  const { gardenlet, aws, seed } = world

  const takeAtCall = (action: string, name: StateName) =>
    aws.calls.onCall(call => {
      if (call.action === action) take(name)
    })
  const takeAtStep = (kind: KindName, step: Partial<StepAnnotation>, name: StateName) =>
    seed.server.store.subscribe((resource, { type, entry: { object } }) => {
      const { plural, group } = kinds[kind].resource
      if (resource === `${plural}.${group}` && type !== 'DELETED' && matches(stepOf(object), step)) take(name)
    })
  const within = async (ends: readonly (() => void)[], work: () => Promise<unknown>) => {
    await work()
    for (const end of ends) end()
  }

  await gardenlet.prepareSeed()
  await within(
    [
      takeAtCall('CreateNatGateway', 'creating the network'),
      takeAtStep('Infrastructure', { phase: 'waiting' }, 'waiting for the network'),
      takeAtStep('ControlPlane', { phase: 'claimed' }, 'creating the control plane'),
      takeAtStep('Worker', { phase: 'waiting' }, 'creating machines'),
    ],
    () => gardenlet.reconcile(wholeShoot),
  )
  await gardenlet.openBastion(wholeShoot, { name: 'cli', cidr: '198.51.100.9/32' })
  await atRest(world)
  take('created')
  await gardenlet.closeBastion(wholeShoot, 'cli')

  await fail(world)
  take('failed')
  aws.faults.clear()
  await gardenlet.reconcile(wholeShoot)

  await gardenlet.reconcile(asleep(wholeShoot))
  await atRest(world)
  take('hibernated')
  await gardenlet.reconcile(wholeShoot)
  await atRest(world)

  const state = await migrate(world, wholeShoot, () =>
    takeAtStep('ControlPlane', { operation: 'migrate' }, 'migrating'),
  )
  take('migrated', state)

  await gardenlet.restore(during(wholeShoot, 'Restore'), state)
  await within(
    [
      takeAtStep('Worker', { operation: 'delete', phase: 'waiting' }, 'deleting machines'),
      takeAtCall('DeleteNatGateway', 'deleting the network'),
    ],
    () => gardenlet.delete(during(wholeShoot, 'Delete')),
  )
  return Object.fromEntries(states)
}

const migrate = async (
  { gardenlet }: VersionWorld,
  shoot: GardenShoot,
  watch: () => () => void,
): Promise<ShootState> => {
  const end = watch()
  const state = await gardenlet.migrate(during(shoot, 'Migrate'))
  end()
  await gardenlet.forget(shoot)
  return state
}

const stepOf = ({ metadata }: KubernetesObject): StepAnnotation | undefined =>
  parseStepAnnotation(metadata.annotations?.[annotations.step])

const matches = (step: StepAnnotation | undefined, wanted: Partial<StepAnnotation>): boolean =>
  step !== undefined &&
  Object.entries(wanted).every(([field, value]) => step[field as keyof StepAnnotation] === value)

/** Requests an Infrastructure and its records while AWS refuses their reads, until one of each kind has failed. */
const fail = async ({ aws, kubernetes, seed }: VersionWorld): Promise<void> => {
  for (const service of ['ec2', 'route53'] as const)
    aws.faults.add({
      service,
      times: null,
      effect: { kind: 'error', code: 'AccessDenied', status: 403 },
    })
  const failing = [kinds.Infrastructure, kinds.DNSRecord]
  for (const { resource } of failing)
    for (const { metadata } of (await kubernetes.list(resource, { namespace })).items)
      await kubernetes.patch(
        resource,
        { name: metadata.name, namespace },
        {
          metadata: {
            annotations: {
              [annotations.operation]: 'reconcile',
              [annotations.timestamp]: new Date(seed.clock.now()).toISOString(),
            },
          },
        },
      )
  await until(seed.clock, async () => {
    const objects = await Promise.all(failing.map(({ resource }) => kubernetes.list(resource, { namespace })))
    return objects.every(({ items }) =>
      items.some(
        object =>
          Object(object.status).lastOperation?.state === 'Error' && stepOf(object)?.phase === 'waiting',
      ),
    )
  })
}

/** Waits until no object has changed for some seconds, except Leases. */
const atRest = async ({ seed }: VersionWorld): Promise<void> => {
  let changes = 1
  const end = seed.server.store.subscribe(resource => {
    if (!resource.startsWith('leases')) changes++
  })
  await until(seed.clock, async () => {
    const isQuiet = changes === 0
    changes = 0
    return isQuiet
  })
  end()
}

const until = async (
  { sleep }: VersionWorld['seed']['clock'],
  holds: () => Promise<boolean>,
): Promise<void> => {
  while (!(await holds())) await sleep(3_000)
}

/** Gives the shoot's API server the address that it has in a simulation. */
const reachable = (world: VersionWorld): WorldBackup => {
  const backup = world.backUp()
  const url = world.shootUrl(namespace)
  if (url === undefined) return backup
  const secrets = new Map(
    [...(backup.first.objects.get('secrets') ?? [])].map(([key, revision]) => {
      const { kubeconfig } = Object(revision.object.data) as { readonly kubeconfig?: string }
      if (kubeconfig === undefined) return [key, revision]
      const text = Buffer.from(kubeconfig, 'base64')
        .toString()
        .replaceAll(url, `http://${namespace}.shoot.invalid`)
      const data = { ...Object(revision.object.data), kubeconfig: Buffer.from(text).toString('base64') }
      return [key, { ...revision, object: { ...revision.object, data } }]
    }),
  )
  return {
    ...backup,
    first: { ...backup.first, objects: new Map([...backup.first.objects, ['secrets', secrets]]) },
  }
}
