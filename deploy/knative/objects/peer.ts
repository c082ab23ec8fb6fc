import type { V1NetworkPolicyPeer } from '@kubernetes/client-node'
import type { Json } from '../../../shared/kubernetes/kubernetes.ts'
import type { PodsOfNamespace } from '../deployment.ts'

/** Pods of a namespace, or all of it, as a network policy names them. */
export const peer = ({ namespace, labels }: PodsOfNamespace): Json<V1NetworkPolicyPeer> => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
  ...(labels && { podSelector: { matchLabels: labels } }),
})
