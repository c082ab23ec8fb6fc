import { deployments } from '../../../shared/kubernetes/core-resources.ts'
import type { Kubernetes, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

const daemonSets = { ...deployments, plural: 'daemonsets' } as const
const pods = { ...deployments, group: '', plural: 'pods' } as const

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

/** The resource manager counts the pods of a Deployment. Their content does not matter. */
const ensurePods = async (kubernetes: Kubernetes, { metadata, spec }: KubernetesObject, count: number) => {
  const { name: of, namespace = '' } = metadata
  const labels = Object(spec).selector.matchLabels as Readonly<Record<string, string>>
  const labelSelector = Object.entries(labels)
    .map(entry => entry.join('='))
    .join()
  const { items } = await kubernetes.list(pods, { namespace, labelSelector })
  for (let index = items.length; index < count; index++)
    await kubernetes.create(pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `${of}-${index}`, namespace, labels },
      spec: { containers: [{ name: 'one', image: 'example' }] },
    })
  for (const { metadata } of items.slice(count))
    await kubernetes.delete(pods, { name: metadata.name, namespace })
}

/**
 * Does for ManagedResources what kube-controller-manager does: Deployments get pods and become available, DaemonSets
 * become available without nodes, and those that are deleted in the foreground disappear with their pods.
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
          if (kind === 'Deployment') await ensurePods(kubernetes, object, 0)
          const left = finalizers.filter(one => one !== 'foregroundDeletion')
          if (left.length < finalizers.length)
            await kubernetes.patch(resource, key, { metadata: { finalizers: left } })
        } else if (Object(object.status).observedGeneration !== generation) {
          if (kind === 'Deployment')
            await ensurePods(kubernetes, object, Number(Object(object.spec).replicas ?? 1))
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
