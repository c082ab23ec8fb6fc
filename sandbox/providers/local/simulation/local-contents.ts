import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import type { WorldRow } from '../../../simulation/oracle/oracle.ts'
import type { ProvidedLocal } from '../simulate.ts'

/** Returns what exists in the provider cluster and in the zones of the name server. */
export const localContents = ({ cluster, nameServer }: ProvidedLocal): readonly WorldRow[] =>
  [
    ...cluster.snapshot().map(objectRow),
    ...nameServer.records().map(value => ({ place: 'record', value })),
  ].map(row => ({ ...row, isUnordered: true }))

const objectRow = ({ kind, metadata, ...content }: KubernetesObject): WorldRow => {
  const { name, namespace = '', labels, ownerReferences, finalizers } = metadata
  return { place: `${kind} ${namespace}/${name}`, value: { labels, ownerReferences, finalizers, ...content } }
}
