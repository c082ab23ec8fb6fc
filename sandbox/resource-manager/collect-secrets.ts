import { parseTimestamp, type Timestamp } from '../../shared/clock/clock.ts'
import { managedResourceKind } from '../../shared/contract/resource-kinds.ts'
import { deployments, secrets } from '../../shared/kubernetes/core-resources.ts'
import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'

const collectable = 'resources.gardener.cloud/garbage-collectable-reference=true'
const reference = 'reference.resources.gardener.cloud/secret-'

/** Deletes the collectable Secrets that were created before the time and have no reference in an annotation. */
export const collectSecrets = async (kubernetes: Kubernetes, madeBefore: Timestamp): Promise<void> => {
  const { items: candidates } = await kubernetes.list(secrets, { labelSelector: collectable })
  const inUse = new Set<string>()
  for (const resource of [managedResourceKind.resource, deployments]) {
    for (const { metadata } of (await kubernetes.list(resource)).items)
      for (const [key, name] of Object.entries(metadata.annotations ?? {}))
        if (key.startsWith(reference)) inUse.add(`${metadata.namespace}/${name}`)
  }
  for (const { metadata } of candidates) {
    const { name, namespace = '', uid = '', creationTimestamp = '' } = metadata
    const madeAt = parseTimestamp(creationTimestamp) ?? Number.POSITIVE_INFINITY
    if (madeAt > madeBefore || inUse.has(`${namespace}/${name}`)) continue
    await kubernetes.delete(secrets, { namespace, name }, { uid })
  }
}
