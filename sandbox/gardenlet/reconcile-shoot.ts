import type { RequestedOperation } from '../../shared/contract/constants.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import type { GardenletContext } from './context.ts'
import {
  controlPlaneOf,
  type DesiredExtensionObject,
  entryOf,
  infrastructureOf,
  recordOf,
  workerOf,
} from './desired-objects.ts'
import type { ExtensionObject } from './extension-objects.ts'
import type { ExtensionPhase, GardenShoot, ShootState } from './garden.ts'
import {
  apiServerName,
  machineControllerName,
  putBackupSecret,
  putCluster,
  putNamespace,
  removeBackup,
  scale,
} from './seed-objects.ts'
import { restoreSecrets, stateKey } from './shoot-state.ts'
import {
  containerRuntimesOf,
  extensionsOf,
  initConfigOf,
  networkOf,
  operatingSystemConfigsOf,
  removeStaleConfigs,
} from './small-objects.ts'

/**
 * Creates, changes, wakes up or hibernates a shoot (docs/contract/lifecycle.md#order-of-a-shoots-objects). With a state
 * it restores the shoot from another seed. It requests a reconciliation of every object, even if nothing has changed
 * and gardenlet would not.
 */
export const reconcileShoot = async (
  context: GardenletContext,
  shoot: GardenShoot,
  state?: ShootState,
): Promise<void> => {
  const { landscape, seed, objects, kubernetes } = context
  const sleeps = shoot.spec.hibernation.enabled
  // A shoot that is restored in its old seed has its backups already.
  const source = state?.backup.bucketName === seed.backup.bucketName ? undefined : state?.backup
  const apply = (
    desired: DesiredExtensionObject,
    operation?: RequestedOperation,
  ): Promise<ExtensionObject> =>
    state === undefined
      ? objects.apply(desired, operation)
      : objects.restore(desired, state.states[stateKey(desired)])

  await putCluster(context, shoot)
  await putNamespace(context, shoot)
  if (state !== undefined) await restoreSecrets(context, shoot, state)

  const backUp = async (
    desired: DesiredExtensionObject,
    of: typeof seed.backup,
    operation?: RequestedOperation,
  ) => {
    await putBackupSecret(context, desired, of)
    await objects.apply(desired, operation)
  }
  const entries = async () => {
    if (source !== undefined) await backUp(entryOf(shoot, source, 'source-'), source)
    const operation = state === undefined ? 'reconcile' : 'restore'
    await backUp(entryOf(shoot, seed.backup), seed.backup, operation)
  }
  const [infrastructure] = await Promise.all([
    apply(infrastructureOf(shoot, landscape)),
    entries(),
    apply(recordOf(shoot, landscape, seed, 'internal')),
    apply(recordOf(shoot, landscape, seed, 'external')),
  ])
  const { providerStatus } = infrastructure.status ?? {}

  const applyAll = (all: readonly DesiredExtensionObject[]) => Promise.all(all.map(one => apply(one)))
  const extensions = (phase: ExtensionPhase) => applyAll(extensionsOf(shoot, landscape, phase))
  await extensions('before-kube-apiserver')
  if (!sleeps) await scale(context, shoot, apiServerName, 1)
  await apply(controlPlaneOf(shoot, providerStatus))
  // etcd copies the source backups once it runs. They are not needed afterwards.
  if (source !== undefined) await removeBackup(context, entryOf(shoot, source, 'source-'))

  // A restored Worker starts the machine controller, a hibernated one stops it.
  if (state !== undefined) await scale(context, shoot, machineControllerName, 0)
  else if (!sleeps) await scale(context, shoot, machineControllerName, 1)
  await Promise.all([
    extensions('after-kube-apiserver'),
    applyAll([networkOf(shoot), ...operatingSystemConfigsOf(shoot), ...containerRuntimesOf(shoot)]),
  ])
  const userData = await userDataOf(context, shoot)
  const worker = workerOf(shoot, landscape, { infrastructureProviderStatus: providerStatus, userData })
  await apply(worker)
  await removeStaleConfigs(context, shoot)
  if (state !== undefined)
    await kubernetes.patch(
      kinds.Worker.resource,
      worker.key,
      { status: { state: null } },
      { subresource: 'status' },
    )

  await extensions('after-worker')
  await apply(recordOf(shoot, landscape, seed, 'ingress'))
  if (sleeps) await scale(context, shoot, apiServerName, 0)
}

/** Returns the Secret with the user data of each pool, as its OperatingSystemConfig names it. */
const userDataOf = async ({ objects }: GardenletContext, shoot: GardenShoot) => {
  const refs = await Promise.all(
    shoot.spec.provider.workers.map(async workers => {
      const config = await objects.get(initConfigOf(shoot, workers))
      const { secretRef } = config?.status?.cloudConfig ?? {}
      if (secretRef === undefined) throw new Error(`the config of pool ${workers.name} has no user data`)
      return [workers.name, secretRef] as const
    }),
  )
  return Object.fromEntries(refs)
}
