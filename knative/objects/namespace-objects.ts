import type { V1Namespace } from '@kubernetes/client-node'
import type { Rendered } from '../../shared/kubernetes/kubernetes.ts'
import type { Deployment } from '../deployment.ts'
import { type Explained, explained } from './explained.ts'

export const namespaceObjects = ({ namespace, makesNamespace }: Deployment): readonly Explained[] =>
  makesNamespace ? [explained(namespaceOf(namespace))] : []

const namespaceOf = (name: string): Rendered<V1Namespace> => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
})
