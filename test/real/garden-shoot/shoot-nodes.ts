import { nodes, pods, secrets } from '../../../shared/kubernetes/core-resources.ts'
import {
  type HttpTransport,
  type Kubernetes,
  type KubernetesObject,
  keyOf,
} from '../../../shared/kubernetes/kubernetes.ts'
import type { Pod } from '../knative/machine/kubelet/pod.ts'
import { removePod } from '../knative/machine/kubelet/pod-requests.ts'

const readyOf = (time: string) =>
  ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map(type => ({
    ...{ type, status: 'True', lastTransitionTime: time },
  }))

interface PodSpec {
  readonly nodeName?: string
  readonly containers: readonly { readonly name: string; readonly image: string }[]
}

/**
 * Does once for all Pods of a Shoot what kube-scheduler and kubelets do, and for its Nodes what
 * gardener-node-agent reports. Nothing runs.
 */
export const serveNodes = async (shoot: Kubernetes, transport: HttpTransport): Promise<void> => {
  const allNodes = (await shoot.list(nodes)).items
  for (const node of allNodes) await serveNode(shoot, node)
  const nodeNames = new Set(allNodes.map(({ metadata }) => metadata.name))
  const [first] = nodeNames
  for (const [index, pod] of (await shoot.list(pods)).items.entries()) {
    const { nodeName, containers } = pod.spec as PodSpec
    const key = keyOf(pod)
    if (pod.metadata.deletionTimestamp !== undefined)
      await removePod(transport, pod as KubernetesObject & Pod)
    else if (nodeName === undefined && first !== undefined)
      await shoot.create(
        { ...pods, plural: `pods/${key.name}/binding` },
        {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { ...key },
          target: { apiVersion: 'v1', kind: 'Node', name: wantedNode(pod) ?? first },
        },
      )
    else if (nodeName !== undefined && nodeNames.has(nodeName) && !isReady(pod)) {
      const time = new Date().toISOString()
      const podIP = `100.96.${index >> 8}.${(index & 255) + 1}`
      const containerStatuses = containers.map(({ name, image }) => ({
        ...{ name, image, imageID: image, ready: true, started: true, restartCount: 0 },
        state: { running: { startedAt: time } },
      }))
      const status = { phase: 'Running', podIP, podIPs: [{ ip: podIP }], startTime: time }
      await shoot.patch(
        pods,
        key,
        { status: { ...status, conditions: readyOf(time), containerStatuses } },
        { subresource: 'status' },
      )
    }
  }
}

const isReady = ({ status }: KubernetesObject): boolean => {
  const conditions: readonly { readonly type: string; readonly status: string }[] =
    Object(status).conditions ?? []
  return conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True')
}

/** The Pod of a DaemonSet names its Node in its affinity. */
const wantedNode = ({ spec }: KubernetesObject): string | undefined =>
  Object(spec).affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms?.[0]
    ?.matchFields?.[0]?.values?.[0]

const serveNode = async (shoot: Kubernetes, node: KubernetesObject): Promise<void> => {
  const { name, labels = {}, annotations = {} } = node.metadata
  if (Object(node.status).addresses === undefined) {
    // ip-10-250-0-4.eu-west-1.compute.internal
    const address = /^ip-(\d+-\d+-\d+-\d+)/.exec(name)?.[1]?.replaceAll('-', '.')
    const status = {
      addresses: [
        { type: 'InternalIP', address },
        { type: 'Hostname', address: name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
    }
    await shoot.patch(nodes, { name }, { status }, { subresource: 'status' })
  }
  const of = labels['worker.gardener.cloud/gardener-node-agent-secret-name']
  if (of === undefined) return
  const secret = await shoot.get(secrets, { name: of, namespace: 'kube-system' })
  const applied = secret?.metadata.annotations?.['checksum/data-script']
  if (applied === undefined || applied === annotations['checksum/cloud-config-data']) return
  const patch = { metadata: { annotations: { 'checksum/cloud-config-data': applied } } }
  await shoot.patch(nodes, { name }, patch)
}
