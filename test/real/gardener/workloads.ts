import type { Kubernetes, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

const deployments = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true } as const
const daemonSets = { ...deployments, plural: 'daemonsets' } as const

export interface Workloads {
  close(): Promise<void>
}

const statusOf = ({ kind, metadata: { generation }, spec }: KubernetesObject): object => {
  const replicas = Number(Object(spec).replicas ?? 1)
  if (kind === 'DaemonSet')
    return {
      observedGeneration: generation,
      ...{ currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 },
    }
  const because = { status: 'True', reason: 'NewReplicaSetAvailable', message: 'Available.' }
  return {
    observedGeneration: generation,
    ...{ replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas },
    conditions: [
      { type: 'Available', ...because },
      { type: 'Progressing', ...because },
    ],
  }
}

/**
 * The two things that kube-controller-manager does for ManagedResources: Deployments and DaemonSets become available,
 * and those that are deleted in the foreground disappear.
 */
export const runWorkloads = (kubernetes: Kubernetes): Workloads => {
  const ended = new AbortController()
  const round = async () => {
    for (const [resource, kind] of [
      [deployments, 'Deployment'],
      [daemonSets, 'DaemonSet'],
    ] as const)
      for (const object of (await kubernetes.list(resource)).items) {
        const { name, namespace = '', generation, deletionTimestamp, finalizers = [] } = object.metadata
        const key = { name, namespace }
        if (deletionTimestamp !== undefined) {
          const left = finalizers.filter(one => one !== 'foregroundDeletion')
          if (left.length < finalizers.length)
            await kubernetes.patch(resource, key, { metadata: { finalizers: left } })
        } else if (Object(object.status).observedGeneration !== generation) {
          const status = statusOf({ ...object, kind })
          await kubernetes.patch(resource, key, { status }, { subresource: 'status' })
        }
      }
  }
  const rounds = async () => {
    while (!ended.signal.aborted) {
      // Conflicts are resolved in the next round.
      await round().catch(() => {})
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  }
  const running = rounds()
  return {
    close: async () => {
      ended.abort()
      await running
    },
  }
}
