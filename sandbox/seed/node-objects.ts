import { type Clock, formatSeconds } from '../../shared/clock/clock.ts'
import { recordOf } from '../../shared/decode/record-of.ts'
import { nodes as nodeResource } from '../../shared/kubernetes/core-resources.ts'
import {
  createKubernetes,
  type Kubernetes,
  type KubernetesObject,
} from '../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../shared/log/log.ts'
import type { ShootNode } from '../machine-controller/machine-controller.ts'
import type { ShootCluster } from '../resource-manager/resource-manager.ts'

export interface NodeObjectsOptions {
  readonly clock: Clock
  readonly log: Log
  readonly nodes: (namespace: string) => readonly ShootNode[]
}

/** Writes Node objects to the API servers of shoots. It never reads them, so deleting one changes no machine. */
export interface NodeObjects {
  /** Call it with the shoot's namespace after a Node was created, deleted or changed. */
  changed(namespace: string): void
  /** Call it with the shoot's namespace once the shoot's API server runs. */
  opened(namespace: string, shoot: ShootCluster): void
  /** Stops writing. Resolves after the last running write. */
  close(): Promise<void>
}

interface NodesOfShoot {
  readonly kubernetes: Kubernetes
  readonly written: Set<string>
  work: Promise<void>
}

export const createNodeObjects = ({ clock, log, nodes }: NodeObjectsOptions): NodeObjects => {
  const shoots = new Map<string, NodesOfShoot>()
  let isClosed = false

  const write = async (namespace: string, { kubernetes, written }: NodesOfShoot): Promise<void> => {
    if (isClosed) return
    const wanted = nodes(namespace)
    for (const node of wanted) {
      written.add(node.name)
      await writeNode(kubernetes, node)
    }
    for (const name of written) {
      if (wanted.some(node => node.name === name)) continue
      await kubernetes.delete(nodeResource, { name })
      written.delete(name)
    }
  }
  const changed = (namespace: string): void => {
    const shoot = shoots.get(namespace)
    if (shoot === undefined || isClosed) return
    shoot.work = shoot.work
      .then(() => write(namespace, shoot))
      .catch(error => {
        if (!isClosed) log.warn('cannot write the Nodes of a shoot', { namespace, error })
      })
  }
  return {
    changed,
    opened: (namespace, { server }) => {
      const kubernetes = createKubernetes({ transport: server.controllerTransport, clock })
      shoots.set(namespace, { kubernetes, written: new Set(), work: Promise.resolve() })
      changed(namespace)
    },
    close: async () => {
      isClosed = true
      await Promise.all([...shoots.values()].map(({ work }) => work))
    },
  }
}

const writeNode = async (kubernetes: Kubernetes, node: ShootNode): Promise<void> => {
  const key = { name: node.name }
  const there = await kubernetes.get(nodeResource, key)
  const { metadata, spec, status } = objectOf(node)
  if (there === undefined) {
    await kubernetes.create(nodeResource, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { ...metadata, ...key },
      spec,
    })
  } else if (recordOf(there.spec).unschedulable !== spec.unschedulable) {
    await kubernetes.patch(nodeResource, key, { spec: { unschedulable: spec.unschedulable ?? null } })
  }
  const [ready] = status.conditions
  const conditions = conditionsOf(there)
  if (conditions.some(({ type, status }) => type === ready.type && status === ready.status)) return
  const others = conditions.filter(({ type }) => type !== ready.type)
  await kubernetes.patch(
    nodeResource,
    key,
    { status: { ...status, conditions: [...others, ready] } },
    { subresource: 'status' },
  )
}

interface FoundCondition {
  readonly type: string
  readonly status: string
}

const conditionsOf = (node: KubernetesObject | undefined): readonly FoundCondition[] => {
  const { conditions } = recordOf(node?.status)
  return Array.isArray(conditions) ? conditions : []
}

/** Returns the Node that a kubelet registers, with labels, annotations and taints from the machine's template. */
const objectOf = ({ name, providerId, ready, readySince, unschedulable, template }: ShootNode) => {
  const labels = template?.metadata?.labels ?? {}
  const annotations = template?.metadata?.annotations ?? {}
  const { taints } = template?.spec ?? {}
  const version = labels['worker.gardener.cloud/kubernetes-version']
  return {
    metadata: { labels: { 'kubernetes.io/hostname': name, ...labels }, annotations },
    spec: {
      providerID: providerId,
      ...(taints && { taints }),
      ...(unschedulable && { unschedulable }),
    },
    status: {
      conditions: [
        {
          type: 'Ready',
          status: ready,
          reason: ready === 'True' ? 'KubeletReady' : 'NodeStatusUnknown',
          lastTransitionTime: formatSeconds(readySince),
        },
      ] as const,
      ...(version !== undefined && { nodeInfo: { kubeletVersion: `v${version}` } }),
    },
  }
}
