import { isSelfHosted } from '../../../shared/contract/cluster-facts.ts'
import type { Cluster } from '../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import {
  infraNamespaceOf,
  type MachineAddressPool,
  machinePoolsOf,
  type ProviderObject,
  providerName,
  providerResources,
  technicalIdOf,
} from '../provider/local.ts'

/** The namespace for all other objects of the shoot. */
export const desiredNamespace = (cluster: Cluster): ProviderObject => ({
  resource: providerResources.Namespace,
  object: {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: infraNamespaceOf(cluster), labels: { 'gardener.cloud/role': 'infra' } },
  },
})

/**
 * Returns the objects to create in the namespace, in this order: the IP pools, which are deleted with it, and the
 * network policies for machines. Throws a `CodedError` if a shoot cannot have addresses.
 */
export const desiredNetwork = (
  cluster: Cluster,
): ((namespace: KubernetesObject) => readonly ProviderObject[]) => {
  const name = infraNamespaceOf(cluster)
  const pools = machinePoolsOf(cluster, technicalIdOf(cluster))
  const policies = [allowMachinePods(name, isSelfHosted(cluster)), denyAll(name)]
  return namespace => [
    ...pools.map(pool => ({ resource: providerResources.IPPool, object: ipPool(pool, namespace) })),
    ...policies.map(object => ({ resource: providerResources.NetworkPolicy, object })),
  ]
}

const ipPool = (
  { name, cidr, family }: MachineAddressPool,
  { metadata }: KubernetesObject,
): KubernetesObject => ({
  apiVersion: 'crd.projectcalico.org/v1',
  kind: 'IPPool',
  metadata: {
    name,
    ownerReferences: [{ apiVersion: 'v1', kind: 'Namespace', name: metadata.name, uid: metadata.uid }],
  },
  spec: {
    cidr,
    ipipMode: family === 'IPv4' ? 'Always' : 'Never',
    natOutgoing: true,
    nodeSelector: '!all()',
  },
})

const ports = (protocol: 'TCP' | 'UDP', ...numbers: readonly number[]) =>
  numbers.map(port => ({ protocol, port }))
const blocks = (...cidrs: readonly string[]) => cidrs.map(cidr => ({ ipBlock: { cidr } }))
const podsOf = (app: string) => ({ podSelector: { matchLabels: { app } } })

/** Networks of Gardener's local setup. */
const nodes = blocks('172.18.0.0/24', 'fd00:10::/64')
const nameServers = blocks('172.18.255.53/32', 'fd00:ff::53/128')
const loadBalancers = blocks('172.18.255.224/27', 'fd00:ff::e0/123')
const exposures = blocks('172.18.0.224/27', 'fd00:10::e0/123')

/** All addresses except private ranges. */
const everywhereElse = [
  {
    ipBlock: {
      cidr: '0.0.0.0/0',
      except: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'],
    },
  },
  { ipBlock: { cidr: '::/0', except: ['fe80::/10', 'fc00::/7'] } },
]

const policy = (name: string, namespace: string, spec: object): KubernetesObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name, namespace, labels: { 'app.kubernetes.io/managed-by': providerName } },
  spec: { ...spec, policyTypes: ['Ingress', 'Egress'] },
})

/** The allowed ingress and egress of machine pods. */
const allowMachinePods = (namespace: string, isSelfHosted: boolean): KubernetesObject =>
  policy('provider-local-allow-machine-pods', namespace, {
    podSelector: { matchLabels: { app: 'machine' } },
    ingress: [
      { ports: [{ protocol: 'TCP', port: 30_000, endPort: 32_767 }, ...ports('TCP', 10_256)], from: nodes },
      { ports: ports('TCP', 22), from: [podsOf('bastion')] },
      { from: [podsOf('machine')] },
      ...(isSelfHosted ? [{ ports: ports('TCP', 443), from: exposures }] : []),
    ],
    egress: [
      {
        ports: ports('TCP', 8132, 8443, 9443),
        to: [
          {
            ...podsOf('istio-ingressgateway'),
            namespaceSelector: { matchLabels: { 'gardener.cloud/role': 'istio-ingress' } },
          },
        ],
      },
      { ports: [...ports('UDP', 53), ...ports('TCP', 53)], to: nameServers },
      { to: everywhereElse },
      { to: loadBalancers },
      { to: [podsOf('machine')] },
      { to: nodes },
    ],
  })

/** Denies all traffic that no other policy allows. */
const denyAll = (namespace: string): KubernetesObject =>
  policy('provider-local-deny-all', namespace, { podSelector: {} })
