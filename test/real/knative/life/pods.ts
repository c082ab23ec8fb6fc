import { pods } from '../../../../shared/kubernetes/core-resources.ts'
import type { Kubernetes, KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import type { KnativeCluster } from '../knative-cluster.ts'

const leases = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true } as const
const namespace = 'trellis'

/** Returns the pods of a function, also those that are ending. */
export const podsOf = async (
  kubernetes: Kubernetes,
  service: string,
): Promise<readonly KubernetesObject[]> => {
  const labelSelector = `serving.knative.dev/service=${service}`
  return (await kubernetes.list(pods, { namespace, labelSelector })).items
}

export const deletePod = (kubernetes: Kubernetes, { metadata }: KubernetesObject): Promise<unknown> =>
  kubernetes.delete(pods, { name: metadata.name, namespace })

/** A program of the cluster that a test kills. */
export interface Victim {
  readonly namespace: string
  /** The start of the names of its pods. */
  readonly pod: string
  readonly container: string
}

const eventing = 'knative-eventing'
const serving = 'knative-serving'
const functionPod = { namespace, pod: 'aws-dnsrecord-' }

/** The programs between an object and its cloud, in the order of an event. */
export const victims = {
  'the filter': { namespace: eventing, pod: 'mt-broker-filter-', container: 'filter' },
  'the ingress': { namespace: eventing, pod: 'mt-broker-ingress-', container: 'ingress' },
  'the activator': { namespace: serving, pod: 'activator-', container: 'activator' },
  'the autoscaler': { namespace: serving, pod: 'autoscaler-', container: 'autoscaler' },
  'queue-proxy': { ...functionPod, container: 'queue-proxy' },
  'the function': { ...functionPod, container: 'function' },
  'the dispatcher': { namespace: eventing, pod: 'imc-dispatcher-', container: 'dispatcher' },
} as const satisfies Readonly<Record<string, Victim>>

/** Returns the container of the bridge that leads. */
export const leadingBridge = async (kubernetes: Kubernetes): Promise<Victim> => {
  const lease = await kubernetes.get(leases, { name: 'trellis-bridge', namespace })
  const holder = (lease?.spec as { readonly holderIdentity?: string } | undefined)?.holderIdentity ?? ''
  const bridges = (await kubernetes.list(pods, { namespace, labelSelector: 'app=bridge' })).items
  const leader = bridges.find(({ metadata }) => holder.includes(metadata.name))
  if (leader === undefined) throw new Error(`no bridge has the name of the leader: ${holder}`)
  return { namespace, pod: leader.metadata.name, container: 'bridge' }
}

/** Ends a program with SIGKILL. Throws if none runs. */
export const kill = async ({ machine }: Pick<KnativeCluster, 'machine'>, victim: Victim): Promise<void> => {
  if ((await machine.signal(victim, 'KILL')) === 0)
    throw new Error(`no container ${victim.container} of a pod ${victim.pod} runs`)
}

/** Returns the names of all pods of Trellis. */
export const podNames = async (kubernetes: Kubernetes): Promise<readonly string[]> =>
  (await kubernetes.list(pods, { namespace })).items.map(({ metadata }) => metadata.name)
