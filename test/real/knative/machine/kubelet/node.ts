import type { Clock } from '../../../../../shared/clock/clock.ts'
import type { ClusterAccess, HttpTransport, Kubernetes } from '../../../../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../../../../shared/log/log.ts'
import type { ContainerMount } from '../container/container-root.ts'
import type { MemoryGroups } from '../container/memory-groups.ts'
import type { PodNetwork } from '../container/pod-network.ts'
import type { ContainerImage } from '../container-images.ts'
import type { RestartDelays } from './restart-delay.ts'

/** The node on which the kubelet starts Pods. */
export interface Node {
  readonly kubernetes: Kubernetes
  readonly transport: HttpTransport
  readonly access: ClusterAccess
  readonly network: PodNetwork
  readonly memory: MemoryGroups
  readonly delays: RestartDelays
  readonly clock: Clock
  readonly log: Log
  /** A folder on a tmpfs. */
  readonly folder: string
  /** Root file system of images without one. */
  readonly emptyRoot: string
  /** Files and folders of the node that each container has. */
  readonly mounts: readonly ContainerMount[]
  /** Pods with only unknown images are ready without a process. */
  readonly othersReady: boolean
  /** Returns an image by its whole name, or by the name of its repository. */
  image(name: string): ContainerImage | undefined
  /** Receives the output of a container. */
  output(container: ContainerId, text: string): void
}

/** Identifies a container. */
export interface ContainerId {
  readonly namespace: string
  readonly pod: string
  readonly container: string
}

export const nodeName = 'machine'

export const nodeCapacity = { cpu: '2', memory: '16Gi', pods: '500' }
