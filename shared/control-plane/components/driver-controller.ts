import type { V1Deployment } from '@kubernetes/client-node'
import type { Rendered } from '../../kubernetes/kubernetes.ts'
import {
  availabilityLabels,
  controlPlaneLabels,
  networkLabels,
  type TextMap,
} from '../../manifests/manifests.ts'
import { kubeconfigMount, kubeconfigPath, kubeconfigVolume } from '../../shoot/shoot.ts'
import type { PodVolume } from './volumes.ts'
import { type Container, memory } from './workload.ts'

export interface DriverController {
  readonly namespace: string
  readonly name: string
  readonly labels: TextMap
  readonly replicas: number
  /** Checksums of its configuration and credentials. */
  readonly annotations: TextMap
  /** Labels for traffic, beside that to the internet and the shoot's API server. */
  readonly networks?: TextMap
  readonly containers: readonly Container[]
  readonly volumes: readonly PodVolume[]
}

/** Returns the Deployment in the seed of a CSI driver with its sidecars. */
export const driverController = ({
  namespace,
  name,
  labels,
  replicas,
  annotations,
  networks,
  containers,
  volumes,
}: DriverController): Rendered<V1Deployment> => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace, labels: { ...labels, ...availabilityLabels.controller } },
  spec: {
    replicas,
    revisionHistoryLimit: 1,
    selector: { matchLabels: labels },
    strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' }, type: 'RollingUpdate' },
    template: {
      metadata: {
        annotations,
        labels: {
          ...labels,
          ...controlPlaneLabels,
          ...networkLabels.toDns,
          ...networkLabels.toPublicNetworks,
          ...networks,
          ...networkLabels.toShootApiServer,
        },
      },
      spec: {
        automountServiceAccountToken: false,
        priorityClassName: 'gardener-system-300',
        containers,
        volumes,
      },
    },
  },
})

/** Returns the volumes with the kubeconfigs of sidecars. Each has its own token. */
export const sidecarKubeconfigs = (
  genericKubeconfig: string,
  names: readonly string[],
): readonly PodVolume[] => names.map(name => kubeconfigVolume(genericKubeconfig, name, `kubeconfig-${name}`))

/** The socket of a driver, in a volume that its sidecars share. */
export const driverSocket = {
  folder: '/var/lib/csi/sockets/pluginproxy',
  mount: { name: 'socket-dir', mountPath: '/var/lib/csi/sockets/pluginproxy' },
}

/** A container beside a driver. */
export interface DriverSidecar<Name extends string> {
  /** The name of the image and of the shoot access secret. */
  readonly name: Name
  readonly request: string
  /** The variable with the path of the socket. Default: `ADDRESS`. */
  readonly variable?: 'ADDRESS' | 'CSI_ENDPOINT'
  readonly env?: Container['env']
  /** Arguments before the address of the socket. */
  readonly first?: readonly string[]
  /** Arguments after the kubeconfig. */
  readonly args: readonly string[]
}

/**
 * Returns the container of a sidecar. It watches the shoot and calls the driver over its socket.
 *
 * @param cloud the prefix of its name
 */
export const sidecarContainer = <Name extends string>(
  cloud: string,
  { name, request, variable = 'ADDRESS', env = [], first = [], args }: DriverSidecar<Name>,
  {
    image,
    securityContext,
  }: {
    readonly image: (name: Name) => string
    readonly securityContext: NonNullable<Container['securityContext']>
  },
): Container => ({
  name: `${cloud}-${name}`,
  image: image(name),
  imagePullPolicy: 'IfNotPresent',
  args: [...first, `--csi-address=$(${variable})`, `--kubeconfig=${kubeconfigPath}`, ...args],
  env: [{ name: variable, value: `${driverSocket.folder}/csi.sock` }, ...env],
  resources: memory(request),
  securityContext,
  volumeMounts: [driverSocket.mount, kubeconfigMount(`kubeconfig-${name}`)],
})
