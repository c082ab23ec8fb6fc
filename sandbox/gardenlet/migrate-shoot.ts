import { clusterKind } from '../../shared/contract/kinds.ts'
import { deployments } from '../core-resources.ts'
import type { GardenletContext } from './context.ts'
import { controlPlaneOf, entryOf, infrastructureOf, recordOf, workerOf } from './desired-objects.ts'
import type { GardenShoot, ShootState, StoredState } from './garden.ts'
import {
  apiServerName,
  drop,
  machineControllerName,
  putCluster,
  removeBackup,
  scale,
} from './seed-objects.ts'
import { dropMachineObjects, dropPersistedSecrets, readShootState } from './shoot-state.ts'
import { containerRuntimesOf, extensionsOf, networkOf, operatingSystemConfigsOf } from './small-objects.ts'

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

  // gardenlet deletes the Deployment, which stops the machine controller as well.
  await scale(context, shoot, machineControllerName, 0)
  await objects.migrate(worker, 'until-migrated')
  // An earlier run may have deleted a part of the objects.
  const state = garden?.read() ?? (await readShootState(context, shoot, { infrastructure, worker }))
  garden?.write(state)
  await Promise.all([objects.remove(worker), dropMachineObjects(context, shoot)])

  const leave = async (desired: typeof infrastructure) => {
    await objects.migrate(desired, 'until-migrated')
    await objects.remove(desired)
  }
  await Promise.all(
    [
      ...containerRuntimesOf(shoot),
      networkOf(shoot),
      ...operatingSystemConfigsOf(shoot),
      ...extensionsOf(shoot, landscape),
    ].map(leave),
  )

  // Deleted without waiting for the migration; the migration runs first anyway.
  await objects.migrate(controlPlane)
  await objects.remove(controlPlane)
  await drop(kubernetes, deployments, { name: apiServerName, namespace })

  const roles = ['ingress', 'external', 'internal'] as const
  await Promise.all([
    leave(infrastructure),
    ...roles.map(role => leave(recordOf(shoot, landscape, seed, role))),
  ])
  const entry = entryOf(shoot, seed.backup)
  await objects.migrate(entry, 'until-migrated')
  await removeBackup(context, entry)
  await dropPersistedSecrets(context, shoot)
  await drop(kubernetes, clusterKind.resource, { name: namespace })
  return state
}
