import {
  createReflector,
  idOf,
  KubernetesError,
  type KubernetesObject,
} from '../../../../../shared/kubernetes/kubernetes.ts'
import { nodeAddress } from '../container/pod-network.ts'
import type { ContainerLife } from './container-life.ts'
import { type Node, nodeCapacity, nodeName } from './node.ts'
import { coreResource, type Pod } from './pod.ts'
import { type PodLife, startPodLife } from './pod-life.ts'
import { bindPod } from './pod-requests.ts'

export interface Kubelet {
  /** Returns the containers of all Pods of the node. */
  containers(): readonly { readonly pod: Pod['metadata']; readonly life: ContainerLife }[]
}

/**
 * Imitates kube-scheduler and kubelet: assigns every Pod to the one node, runs its containers, and reports its status.
 * Not imitated: resources of the node, sidecar containers, hostPath, capabilities, seccomp.
 */
export const startKubelet = async (node: Node, signal: AbortSignal): Promise<Kubelet> => {
  const { kubernetes, clock, log } = node
  const lives = new Map<string, { readonly metadata: Pod['metadata']; readonly life: PodLife }>()
  await createNode(node)

  const bind = (pod: Pod) =>
    bindPod(kubernetes, pod).catch(async error => {
      // Another event of the Pod has already caused it.
      if (error instanceof KubernetesError && [404, 409].includes(error.status)) return
      log.info('pod is not bound', { object: idOf(pod.metadata), error })
      await clock.sleep(1_000, signal)
      bind(pod)
    })

  const upsert = (pod: Pod) => {
    const id = idOf(pod.metadata)
    const { phase } = pod.status ?? {}
    const known = lives.get(id)
    if (known) known.life.update(pod)
    else if (pod.spec.nodeName === undefined) {
      if (pod.metadata.deletionTimestamp === undefined) void bind(pod)
    } else if (pod.spec.nodeName === nodeName && phase !== 'Succeeded' && phase !== 'Failed') {
      const life = startPodLife(node, pod)
      lives.set(id, { metadata: pod.metadata, life })
      void life.done.then(() => {
        if (lives.get(id)?.life === life) lives.delete(id)
      })
    }
  }

  const reflector = createReflector({
    ...{ kubernetes, clock, log, resource: coreResource('pods') },
    handler: {
      upsert: object => upsert(object as KubernetesObject & Pod),
      deleted: key => {
        lives.get(idOf(key))?.life.kill()
        lives.delete(idOf(key))
      },
    },
  })
  void reflector.run(signal)
  return {
    containers: () =>
      [...lives.values()].flatMap(({ metadata, life }) =>
        life.containers().map(container => ({ pod: metadata, life: container })),
      ),
  }
}

const createNode = async ({ kubernetes, clock }: Node): Promise<void> => {
  const now = new Date(clock.now())
  const object = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: nodeName, labels: { 'kubernetes.io/hostname': nodeName, 'kubernetes.io/os': 'linux' } },
  }
  const status = {
    capacity: nodeCapacity,
    allocatable: nodeCapacity,
    addresses: [{ type: 'InternalIP', address: nodeAddress }],
    conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', lastTransitionTime: now }],
  }
  await kubernetes.create(coreResource('nodes', false), object).catch(error => {
    if (!(error instanceof KubernetesError && error.reason === 'AlreadyExists')) throw error
  })
  await kubernetes.patch(
    coreResource('nodes', false),
    { name: nodeName },
    { status },
    { subresource: 'status' },
  )
}
