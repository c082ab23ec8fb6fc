import {
  type Container,
  type Mount,
  memory,
  type PodVolume,
} from '../../../shared/control-plane/components/components.ts'
import { checksum } from '../../../shared/control-plane/control-plane.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { networkLabels } from '../../../shared/manifests/manifests.ts'
import type { CloudConfigs } from './config/cloud-configs.ts'
import type { OpenStackImage } from './images/image-table.ts'
import type { OpenStackValues } from './input/openstack-values.ts'
import { diskConfigName } from './names.ts'

/** The input of every component. */
export interface OpenStackRendering extends OpenStackValues {
  /** Replicas of each component: 1, or 0 if the shoot is hibernated. */
  readonly replicas: number
  /** The Secret with the certificate of the cloud controller manager. */
  readonly serverSecret: string
  readonly image: (name: OpenStackImage) => string
  readonly configs: CloudConfigs
  /** The checksum of the Secret `cloudprovider`. */
  readonly cloudproviderChecksum: string
}

/** Renders the objects of one component. `seed` and `shoot` are two clusters. */
export interface OpenStackComponent {
  readonly seed?: (rendering: OpenStackRendering) => readonly KubernetesObject[]
  readonly shoot?: (rendering: OpenStackRendering) => readonly KubernetesObject[]
}

/** A container without any right beyond those of its user. */
export const unprivileged = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } }

/** A driver on a node mounts volumes for other containers. */
export const privileged = {
  privileged: true,
  capabilities: { add: ['SYS_ADMIN'] },
  allowPrivilegeEscalation: true,
}

export const apiLimits = ['--kube-api-qps=100', '--kube-api-burst=200']
export const leaderNamespace = '--leader-election-namespace=kube-system'

export const userAgentFlags = ({ userAgents }: OpenStackRendering): readonly string[] =>
  userAgents.map(part => `--user-agent=${part}`)

/**
 * The common part of the Deployments with drivers. The checksum restarts pods when the configuration changes. It is that
 * of the desired Secret, because none may exist yet.
 */
export const driverTraits = ({ namespace, replicas, configs }: OpenStackRendering) => ({
  namespace,
  replicas,
  annotations: { [`checksum/secret-${diskConfigName}`]: checksum(configs.disks.data) },
  networks: networkLabels.toPrivateNetworks,
})

/** Passes the name of the node to a driver. */
export const nodeNameVariable = (name: string) => ({
  name,
  valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } },
})

/** The host's CA certificates: OpenStack may have a certificate of a CA that only the hosts of the seed trust. */
export const hostCertificates: {
  readonly mounts: readonly Mount[]
  readonly share: PodVolume
  readonly etc: PodVolume
} = {
  mounts: [
    { name: 'usr-share-ca-certificates', mountPath: '/usr/share/ca-certificates', readOnly: true },
    { name: 'etc-ssl', mountPath: '/etc/ssl', readOnly: true },
  ],
  share: { name: 'usr-share-ca-certificates', hostPath: { path: '/usr/share/ca-certificates' } },
  etc: { name: 'etc-ssl', hostPath: { path: '/etc/ssl' } },
}

/** A container that reports whether a driver answers at its socket. */
export const probeContainer = (
  { image }: OpenStackRendering,
  name: string,
  args: readonly string[],
  mount: Mount,
): Container => ({
  name,
  image: image('csi-liveness-probe'),
  args: ['--csi-address=/csi/csi.sock', ...args],
  resources: memory('32Mi'),
  securityContext: unprivileged,
  volumeMounts: [mount],
})
