import { labels } from '../../shared/contract/constants.ts'
import { clusterKind } from '../../shared/contract/kinds.ts'
import { deployments, namespaces, secrets } from '../../shared/kubernetes/core-resources.ts'
import {
  type GroupVersionResource,
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
  type ObjectKey,
} from '../../shared/kubernetes/kubernetes.ts'
import type { GardenletContext } from './context.ts'
import type { DesiredExtensionObject } from './desired-objects.ts'
import type { GardenShoot, SeedFacts } from './garden.ts'

/** gardenlet's own Deployments in a shoot's namespace. Extensions read them, but nothing runs them here. */
export const apiServerName = 'kube-apiserver'
export const machineControllerName = 'machine-controller-manager'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** Creates the object, or updates these fields of an existing one. */
export const put = async (
  kubernetes: Kubernetes,
  resource: GroupVersionResource,
  object: KubernetesObject,
): Promise<void> => {
  const { name, namespace } = object.metadata
  const key: ObjectKey = { name, ...(namespace !== undefined && { namespace }) }
  if ((await kubernetes.get(resource, key)) === undefined) await kubernetes.create(resource, object)
  else await kubernetes.patch(resource, key, object)
}

const putSecret = (
  kubernetes: Kubernetes,
  metadata: KubernetesObject['metadata'],
  texts: Readonly<Record<string, string>>,
): Promise<void> =>
  put(kubernetes, secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
    type: 'Opaque',
    data: Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, base64(text)])),
  })

/** Deletes the object if it exists. */
export const drop = async (
  kubernetes: Kubernetes,
  resource: GroupVersionResource,
  key: ObjectKey,
): Promise<void> => {
  try {
    await kubernetes.delete(resource, key)
  } catch (error) {
    if (!(error instanceof KubernetesError && error.status === 404)) throw error
  }
}

export const scale = (
  { kubernetes }: GardenletContext,
  { status: { technicalID: namespace } }: GardenShoot,
  name: string,
  replicas: number,
): Promise<void> =>
  put(kubernetes, deployments, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name, image: name }] } },
    },
  })

/**
 * Writes the Cluster, which extensions read. Written before all other objects of the shoot, and at each change of it.
 */
export const putCluster = async (
  { kubernetes, landscape, seed }: GardenletContext,
  shoot: GardenShoot,
): Promise<void> => {
  const api = { apiVersion: 'core.gardener.cloud/v1beta1' }
  await put(kubernetes, clusterKind.resource, {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Cluster',
    metadata: { name: shoot.status.technicalID },
    spec: {
      cloudProfile: landscape.cloudProfile,
      seed: { ...api, kind: 'Seed', metadata: { name: seed.name } },
      shoot: { ...api, kind: 'Shoot', ...shoot },
    },
  })
}

/** Creates the namespace of a shoot, with gardenlet's Secrets. */
export const putNamespace = async (
  { kubernetes, landscape }: GardenletContext,
  { metadata, spec, status: { technicalID: namespace } }: GardenShoot,
): Promise<void> => {
  await put(kubernetes, namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: namespace,
      labels: { [labels.role]: 'shoot', 'shoot.gardener.cloud/provider': spec.provider.type },
    },
  })
  await putSecret(kubernetes, { name: 'cloudprovider', namespace }, landscape.credentials)
  for (const role of ['internal', 'external', 'ingress'])
    await putSecret(
      kubernetes,
      { name: `dnsrecord-${metadata.name}-${role}`, namespace },
      landscape.dns.credentials,
    )
}

export const putBackupSecret = async (
  { kubernetes }: GardenletContext,
  { spec }: DesiredExtensionObject,
  { credentials }: SeedFacts['backup'],
): Promise<void> => {
  const { name, namespace } = spec.secretRef as { readonly name: string; readonly namespace: string }
  await putSecret(kubernetes, { name, namespace }, credentials)
}

/** Removes a BackupBucket or BackupEntry, and then its credentials. */
export const removeBackup = async (
  { kubernetes, objects }: GardenletContext,
  desired: DesiredExtensionObject,
): Promise<void> => {
  const { name, namespace } = desired.spec.secretRef as { readonly name: string; readonly namespace: string }
  await objects.remove(desired)
  await drop(kubernetes, secrets, { name, namespace })
}
