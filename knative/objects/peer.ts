import type { V1NetworkPolicyPeer } from '@kubernetes/client-node'
import type { Json } from '../../shared/kubernetes/kubernetes.ts'
import type { PodsOfNamespace } from '../deployment.ts'

/** Returns the peer of a network policy for pods of a namespace, or all of it. */
export const peer = ({ namespace, labels }: PodsOfNamespace): Json<V1NetworkPolicyPeer> => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
  ...(labels && { podSelector: { matchLabels: labels } }),
})
