import type { V1Namespace } from '@kubernetes/client-node'
import type { Rendered } from '../../../shared/kubernetes/kubernetes.ts'
import type { Deployment } from '../deployment.ts'
import { type Explained, explained } from './explained.ts'

export const namespaceObjects = ({ namespace, makesNamespace }: Deployment): readonly Explained[] =>
  makesNamespace
    ? [
        explained(namespaceOf(namespace), [
          [
            ['metadata', 'labels', 'gardener.cloud/role'],
            'As gardenlet creates them for extensions: labels and policies must allow all traffic.',
          ],
          [
            ['metadata', 'labels', 'bindings.knative.dev/include'],
            'For a Knative that binds only labelled namespaces (SINK_BINDING_SELECTION_MODE=inclusion).',
          ],
        ]),
      ]
    : []

const namespaceOf = (name: string): Rendered<V1Namespace> => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name,
    labels: {
      'pod-security.kubernetes.io/enforce': 'restricted',
      'gardener.cloud/role': 'extension',
      'high-availability-config.resources.gardener.cloud/consider': 'true',
      'bindings.knative.dev/include': 'true',
    },
  },
})
