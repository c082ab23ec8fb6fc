import type { V1Namespace } from '@kubernetes/client-node'
import type { Rendered } from '../../shared/kubernetes/kubernetes.ts'
import { when } from '../../shared/lists/when.ts'
import type { Deployment } from '../deployment.ts'
import { type Explained, explained } from './explained.ts'

export const namespaceObjects = ({ namespace, makesNamespace, mode }: Deployment): readonly Explained[] =>
  when(
    makesNamespace,
    explained(namespaceOf(namespace, mode === 'knative' ? included : {}), [
      [
        ['metadata', 'labels', 'gardener.cloud/role'],
        "As in gardenlet's namespaces of extensions: only labels and policies allow traffic.",
      ],
      ...Object.keys(mode === 'knative' ? included : {}).map(
        label =>
          [
            ['metadata', 'labels', label],
            'For a Knative that binds only labelled objects (SINK_BINDING_SELECTION_MODE=inclusion).',
          ] as const,
      ),
    ]),
  )

const included = { 'bindings.knative.dev/include': 'true' }

const namespaceOf = (name: string, labels: Readonly<Record<string, string>>): Rendered<V1Namespace> => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name,
    labels: {
      'pod-security.kubernetes.io/enforce': 'restricted',
      'gardener.cloud/role': 'extension',
      'high-availability-config.resources.gardener.cloud/consider': 'true',
      ...labels,
    },
  },
})
