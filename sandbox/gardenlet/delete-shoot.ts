import { clusterKind, type KindName } from '../../shared/contract/kinds.ts'
import { deployments, namespaces } from '../../shared/kubernetes/core-resources.ts'
import type { GardenletContext } from './context.ts'
import { controlPlaneOf, entryOf, infrastructureOf, recordOf, workerOf } from './desired-objects.ts'
import type { GardenShoot } from './garden.ts'
import {
  apiServerName,
  drop,
  machineControllerName,
  putCluster,
  removeBackup,
  scale,
} from './seed-objects.ts'
import { presentObjects } from './small-objects.ts'

/** Deletes a shoot and everything that belongs to it (docs/contract/lifecycle.md#order-of-a-shoots-objects). */
export const deleteShoot = async (context: GardenletContext, shoot: GardenShoot): Promise<void> => {
  const { landscape, seed, objects, kubernetes } = context
  const { technicalID: namespace } = shoot.status
  await putCluster(context, shoot)
  await scale(context, shoot, machineControllerName, 1)
  const removeAll = async (...list: readonly KindName[]) =>
    Promise.all((await presentObjects(context, shoot, ...list)).map(objects.remove))
  await removeAll('ContainerRuntime')
  await objects.remove(workerOf(shoot, landscape))
  await removeAll('Network', 'OperatingSystemConfig', 'Extension')
  await objects.remove(controlPlaneOf(shoot, undefined))
  await drop(kubernetes, deployments, { name: apiServerName, namespace })
  await Promise.all([
    objects.remove(recordOf(shoot, landscape, seed, 'ingress')),
    objects.remove(infrastructureOf(shoot, landscape)),
    objects.remove(recordOf(shoot, landscape, seed, 'external')),
  ])
  await objects.remove(recordOf(shoot, landscape, seed, 'internal'))
  await forgetShoot(context, shoot)
  // The garden can retain backups for a while, if it is configured.
  await removeBackup(context, entryOf(shoot, seed.backup))
}

/** Removes the namespace. No extension objects are left in it. */
export const forgetShoot = async (
  { kubernetes, objects }: GardenletContext,
  { status: { technicalID: name } }: GardenShoot,
): Promise<void> => {
  await drop(kubernetes, clusterKind.resource, { name })
  await drop(kubernetes, namespaces, { name })
  await objects.until(`deletion of the namespace ${name}`, async () =>
    (await kubernetes.get(namespaces, { name })) === undefined ? true : undefined,
  )
}
