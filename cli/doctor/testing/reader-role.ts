import type { V1ClusterRole } from '@kubernetes/client-node'
import type { Rendered } from '../../../shared/kubernetes/kubernetes.ts'
import { observedResources } from '../../observe/observe.ts'
import { seedReads } from '../reads.ts'

/** Returns the role for all checks, and for `status` and `trace`; with fewer permissions, some parts are not shown. */
export const readerRole = (): Rendered<V1ClusterRole> => {
  const resources = [...Object.values(seedReads).map(({ resource }) => resource), ...observedResources]
  const byGroup = Map.groupBy(resources, ({ group }) => group)
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'extensions.gardener.cloud:trellis:doctor' },
    rules: [
      ...[...byGroup].map(([group, own]) => ({
        apiGroups: [group],
        resources: [...new Set(own.map(({ plural }) => plural))].toSorted(),
        verbs: ['list'],
      })),
      { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
    ],
  }
}
