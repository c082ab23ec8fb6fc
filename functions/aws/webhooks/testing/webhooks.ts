import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import type { WebhookDefinition } from '../../../../shared/webhooks/admission/admission.ts'
import type { RecordedReview, Recording } from '../../../../shared/webhooks/admission/testing/recording.ts'
import { definition as cloudprovider } from '../cloudprovider/webhook.ts'
import { definition as controlplane } from '../controlplane/webhook.ts'
import { definition as seedPvca } from '../seed-pvca/webhook.ts'
import { definition as seedprovider } from '../seedprovider/webhook.ts'
import { definition as shootConfigmap } from '../shoot-configmap/webhook.ts'
import { definition as shootService } from '../shoot-service/webhook.ts'
import { definition as shootServiceNginxIngress } from '../shoot-service-nginx-ingress/webhook.ts'
import { definition as terraformer } from '../terraformer/webhook.ts'

const definitions: readonly WebhookDefinition[] = [
  cloudprovider,
  controlplane,
  seedPvca,
  seedprovider,
  shootConfigmap,
  shootService,
  shootServiceNginxIngress,
  terraformer,
]

/**
 * Returns the webhook that answers the reviews of a recording: `controlplane` for `controlplane.kube-apiserver` and for
 * `handler`.
 */
export const definitionOf = (file: string): WebhookDefinition => {
  const [name = ''] = file.split('.')
  const found = definitions.find(one => one.name === (name === 'handler' ? 'controlplane' : name))
  if (found === undefined) throw new Error(`nobody answers ${file}`)
  return found
}

/** The settings with which the Go extension was recorded. */
export const recordedSettings = (file: string): Readonly<Record<string, unknown>> =>
  file === 'seedprovider' ? { etcdStorageClass: 'gardener.cloud-fast', etcdStorageCapacity: '25Gi' } : {}

/** Returns the objects that existed when a review was recorded. */
export const objectsOf = (
  { clusters, secrets }: Recording,
  { state }: Pick<RecordedReview, 'state'>,
): readonly KubernetesObject[] => [
  ...Object.values(clusters),
  ...Object.entries(secrets).flatMap(([namespace, secret]) =>
    secret === undefined
      ? []
      : [
          {
            apiVersion: 'v1',
            kind: 'Secret',
            metadata: { namespace, name: 'cloudprovider', labels: secret.labels },
            data: Object.fromEntries(secret.keys.map(key => [key, ''])),
          },
        ],
  ),
  ...(state?.kubeDNS
    ? [
        {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { namespace: 'kube-system', name: 'kube-dns' },
          spec: { ipFamilies: state.kubeDNS },
        },
      ]
    : []),
]
