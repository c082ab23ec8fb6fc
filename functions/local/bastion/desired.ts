import type { Bastion } from '../../../shared/contract/objects.ts'
import type { KubernetesObject, ObjectKey } from '../../../shared/kubernetes/kubernetes.ts'
import { type ProviderObject, providerResources } from '../provider/local.ts'

/** The kinds of a bastion's objects, in the order of their creation and deletion. */
const bastionKinds = ['Secret', 'Pod', 'Service', 'NetworkPolicy'] as const

/** All four objects of a bastion have this name. */
export const keyOf = ({ metadata }: Bastion, namespace: string): Required<ObjectKey> => ({
  name: `bastion-${metadata.name}`,
  namespace,
})

export const targetsOf = (bastion: Bastion, namespace: string) =>
  bastionKinds.map(kind => ({ resource: providerResources[kind], key: keyOf(bastion, namespace) }))

/** `image`: the image of the container that acts as the machine. */
export const desiredBastion = (
  bastion: Bastion,
  namespace: string,
  image: string,
): readonly ProviderObject[] => {
  const { name } = keyOf(bastion, namespace)
  const labels = { app: 'bastion', bastion: bastion.metadata.name }
  const head = { metadata: { name, namespace, labels } }
  const objects: Readonly<Record<(typeof bastionKinds)[number], Omit<KubernetesObject, 'kind'>>> = {
    Secret: { apiVersion: 'v1', ...head, data: { userdata: bastion.spec.userData } },
    Pod: { apiVersion: 'v1', ...head, spec: podSpec(name, image) },
    Service: {
      apiVersion: 'v1',
      ...head,
      spec: {
        type: 'LoadBalancer',
        selector: labels,
        ports: [{ name: 'ssh', protocol: 'TCP', appProtocol: 'ssh', port: 22, targetPort: 22 }],
      },
    },
    NetworkPolicy: { apiVersion: 'networking.k8s.io/v1', ...head, spec: policySpec(labels) },
  }
  return bastionKinds.map(kind => ({
    resource: providerResources[kind],
    object: { ...objects[kind], kind } as KubernetesObject,
  }))
}

const podSpec = (secretName: string, image: string) => ({
  containers: [
    {
      name: 'machine',
      image,
      imagePullPolicy: 'IfNotPresent',
      securityContext: { privileged: true },
      ports: [{ name: 'ssh', containerPort: 22, protocol: 'TCP' }],
      volumeMounts: [{ name: 'userdata', mountPath: '/etc/machine' }],
      readinessProbe: { tcpSocket: { port: 'ssh' } },
    },
  ],
  volumes: [{ name: 'userdata', secret: { secretName, defaultMode: 0o777 } }],
})

const inKubeSystem = (app: string) => ({
  podSelector: { matchExpressions: [{ key: 'k8s-app', operator: 'In', values: [app] }] },
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
})

/**
 * Port 22 is open to everyone, regardless of `spec.ingress`
 * (docs/contract/provider-local.md#bastion-of-provider-local).
 */
const policySpec = (matchLabels: Readonly<Record<string, string>>) => ({
  podSelector: { matchLabels },
  ingress: [{ ports: [{ protocol: 'TCP', port: 22 }] }],
  egress: [
    {
      ports: [53, 8053].flatMap(port => ['UDP', 'TCP'].map(protocol => ({ protocol, port }))),
      to: [
        inKubeSystem('kube-dns'),
        inKubeSystem('node-local-dns'),
        { ipBlock: { cidr: '169.254.20.10/32' } },
        { ipBlock: { cidr: 'fd30:1319:f1e:230b::1/128' } },
      ],
    },
    { ports: [{ protocol: 'TCP', port: 22 }], to: [{ podSelector: { matchLabels: { app: 'machine' } } }] },
  ],
  policyTypes: ['Ingress', 'Egress'],
})
