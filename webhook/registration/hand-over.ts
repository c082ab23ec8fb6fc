import type { WebhookConfiguration } from '../../shared/admission/admission.ts'
import { configMaps, shootWebhooksData, shootWebhooksName } from '../../shared/control-plane/control-plane.ts'
import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'

/** Leaves the configuration for shoots where the ControlPlane function reads it; writes nothing where it is there. */
export const handOver = async (
  kubernetes: Pick<Kubernetes, 'get' | 'create' | 'patch'>,
  namespace: string,
  component: string,
  configuration: WebhookConfiguration,
): Promise<'created' | 'changed' | 'same'> => {
  const key = { namespace, name: shootWebhooksName(component) }
  const data = shootWebhooksData(configuration)
  const present = await kubernetes.get(configMaps, key)
  if (present === undefined) {
    await kubernetes.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: key, data })
    return 'created'
  }
  const isSame = Object.entries(data).every(([name, text]) => Object(present.data)[name] === text)
  if (isSame) return 'same'
  const { uid, resourceVersion } = present.metadata
  await kubernetes.patch(configMaps, key, { metadata: { uid, resourceVersion }, data })
  return 'changed'
}
