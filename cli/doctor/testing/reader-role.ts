import type { V1ClusterRole } from '@kubernetes/client-node'
import type { Rendered } from '../../../shared/kubernetes/kubernetes.ts'
import { seedReads } from '../reads.ts'

/** Returns the role for all checks; with fewer permissions, some checks are skipped. */
export const readerRole = (): Rendered<V1ClusterRole> => {
  const byGroup = Map.groupBy(Object.values(seedReads), ({ resource }) => resource.group)
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'extensions.gardener.cloud:trellis:doctor' },
    rules: [
      ...[...byGroup].map(([group, reads]) => ({
        apiGroups: [group],
        resources: [...new Set(reads.map(({ resource }) => resource.plural))].toSorted(),
        verbs: ['list'],
      })),
      { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
    ],
  }
}
