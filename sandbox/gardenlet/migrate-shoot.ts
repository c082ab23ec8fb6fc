import { clusterKind } from '../../shared/contract/kinds.ts'
import { deployments } from '../../shared/kubernetes/core-resources.ts'
import type { GardenletContext } from './context.ts'
import { controlPlaneOf, entryOf, infrastructureOf, recordOf, workerOf } from './desired-objects.ts'
import type { GardenShoot, ShootState, StoredState } from './garden.ts'
import { apiServerName, drop, machineControllerName, putCluster, removeBackup } from './seed-objects.ts'
import { dropMachineObjects, dropPersistedSecrets, readShootState } from './shoot-state.ts'
import { presentObjects } from './small-objects.ts'

/**
 * Removes a shoot from its seed (docs/contract/lifecycle.md#order-of-a-shoots-objects). Resources in the cloud remain.
 * The namespace remains too, without the persisted Secrets.
 */
export const migrateShoot = async (
  context: GardenletContext,
  shoot: GardenShoot,
  garden?: StoredState,
): Promise<ShootState> => {
  const { landscape, seed, objects, kubernetes } = context
  const { technicalID: namespace } = shoot.status
  const infrastructure = infrastructureOf(shoot, landscape)
  const worker = workerOf(shoot, landscape)
  const controlPlane = controlPlaneOf(shoot, undefined)
  await putCluster(context, shoot)

  // An aborted restore may not have created it, nor its namespace.
  await drop(kubernetes, deployments, { name: machineControllerName, namespace })
  await objects.migrate(worker, 'until-migrated')
  // An earlier run may have deleted a part of the objects.
  const state = garden?.read() ?? (await readShootState(context, shoot, { infrastructure, worker }))
  garden?.write(state)
  await Promise.all([objects.remove(worker), dropMachineObjects(kubernetes, namespace)])

  const leave = async (desired: Pick<typeof infrastructure, 'kind' | 'key'>) => {
    await objects.migrate(desired, 'until-migrated')
    await objects.remove(desired)
  }
  const others = ['ContainerRuntime', 'Network', 'OperatingSystemConfig', 'Extension'] as const
  await Promise.all((await presentObjects(context, shoot, ...others)).map(leave))

  // Deleted without waiting for the migration; the migration runs first anyway.
  await objects.migrate(controlPlane)
  await objects.remove(controlPlane)
  await drop(kubernetes, deployments, { name: apiServerName, namespace })

  const roles = ['ingress', 'external', 'internal'] as const
  await Promise.all([
    leave(infrastructure),
    ...roles.map(role => leave(recordOf(shoot, landscape, seed, role))),
  ])
  // The source entry of a restore that was given up leaves this seed too.
  for (const prefix of ['', 'source-'] as const) {
    const entry = entryOf(shoot, seed.backup, prefix)
    await objects.migrate(entry, 'until-migrated')
    await removeBackup(context, entry)
  }
  await dropPersistedSecrets(context, shoot)
  await drop(kubernetes, clusterKind.resource, { name: namespace })
  return state
}
