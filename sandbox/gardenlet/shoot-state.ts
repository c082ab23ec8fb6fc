import { gzipSync } from 'node:zlib'
import { type MachineKindName, machineKinds } from '../../shared/contract/machine-kinds.ts'
import { secrets } from '../../shared/kubernetes/core-resources.ts'
import type { GroupVersionResource, KubernetesObject, ObjectKey } from '../../shared/kubernetes/kubernetes.ts'
import type { GardenletContext } from './context.ts'
import type { DesiredExtensionObject } from './desired-objects.ts'
import type { GardenShoot, PersistedSecret, ShootState } from './garden.ts'
import { drop } from './seed-objects.ts'

const persisted = 'persist=true'

export const stateKey = ({ kind, key }: Pick<DesiredExtensionObject, 'kind' | 'key'>): string =>
  `${kind}/${key.name}`

export const readShootState = async (
  { kubernetes, objects, seed }: GardenletContext,
  { status: { technicalID: namespace } }: GardenShoot,
  {
    infrastructure,
    worker,
  }: { readonly infrastructure: DesiredExtensionObject; readonly worker: DesiredExtensionObject },
): Promise<ShootState> => {
  const { items } = await kubernetes.list(secrets, { namespace, labelSelector: persisted })
  const { state } = (await objects.get(infrastructure))?.status ?? {}
  return {
    states: {
      [stateKey(infrastructure)]: state,
      [stateKey(worker)]: await machineState(kubernetes, namespace),
    },
    secrets: items.map(object => {
      const { type, immutable, data } = object as KubernetesObject & Omit<PersistedSecret, 'name' | 'labels'>
      const { name, labels = {} } = object.metadata
      return { name, labels, type, data, ...(immutable !== undefined && { immutable }) }
    }),
    backup: seed.backup,
  }
}

/** Creates the missing persisted Secrets of a shoot, before its first extension runs. */
export const restoreSecrets = async (
  { kubernetes }: GardenletContext,
  { status: { technicalID: namespace } }: GardenShoot,
  state: ShootState,
): Promise<void> => {
  for (const { name, labels, ...content } of state.secrets) {
    const metadata = { name, namespace, labels }
    if ((await kubernetes.get(secrets, { name, namespace })) === undefined)
      await kubernetes.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata, ...content })
  }
}

/** Removes the persisted Secrets in the old seed. */
export const dropPersistedSecrets = async (
  { kubernetes }: GardenletContext,
  { status: { technicalID: namespace } }: GardenShoot,
): Promise<void> => {
  const { items } = await kubernetes.list(secrets, { namespace, labelSelector: persisted })
  for (const { metadata } of items) await drop(kubernetes, secrets, { name: metadata.name, namespace })
}

/** Returns the machines of a shoot as a restored Worker receives them (docs/contract/workers.md). */
export const machineState = async (
  kubernetes: GardenletContext['kubernetes'],
  namespace: string,
): Promise<unknown> => {
  const all = async (kind: MachineKindName) =>
    (await kubernetes.list(machineKinds[kind].resource, { namespace })).items
  const bare = ({ apiVersion, kind, metadata, spec }: KubernetesObject) => {
    const { name, labels, annotations } = metadata
    return { apiVersion, kind, metadata: { name, namespace, labels, annotations }, spec }
  }
  const [deployments, sets, machines] = await Promise.all([
    all('MachineDeployment'),
    all('MachineSet'),
    all('Machine'),
  ])
  const machineDeployments = Object.fromEntries(
    deployments.map(({ metadata, spec }) => {
      const isOwn = (object: KubernetesObject) => object.metadata.labels?.name === metadata.name
      const { replicas = 0 } = spec as { readonly replicas?: number }
      return [
        metadata.name,
        {
          replicas,
          machineSets: sets.filter(isOwn).map(bare),
          machines: machines.filter(isOwn).map(bare),
        },
      ]
    }),
  )
  return { state: gzipSync(JSON.stringify({ machineDeployments })).toString('base64') }
}

/** In the order in which gardenlet starts to delete them (`ShallowDeleteMachineResources`). */
const machineObjects = ['Machine', 'MachineSet', 'MachineDeployment', 'MachineClass'] as const

/**
 * Removes the machine objects but no machine. Removes finalizers first, because no controller runs that could react.
 * Lists all objects before it deletes the first, as gardenlet does.
 */
export const dropMachineObjects = async (
  kubernetes: GardenletContext['kubernetes'],
  namespace: string,
): Promise<void> => {
  const found: { readonly resource: GroupVersionResource; readonly key: ObjectKey }[] = []
  const list = async (resource: GroupVersionResource, labelSelector?: string) => {
    const { items } = await kubernetes.list(resource, { namespace, ...(labelSelector && { labelSelector }) })
    found.push(...items.map(({ metadata: { name } }) => ({ resource, key: { name, namespace } })))
  }
  for (const kind of machineObjects) await list(machineKinds[kind].resource)
  await list(secrets, 'gardener.cloud/purpose=machineclass')
  for (const { resource, key } of found) {
    await kubernetes.patch(resource, key, { metadata: { finalizers: null } })
    await drop(kubernetes, resource, key)
  }
}
