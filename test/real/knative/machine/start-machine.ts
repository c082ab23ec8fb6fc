import { join } from 'node:path'
import { type Clock, systemClock } from '../../../../shared/clock/clock.ts'
import {
  type ClusterAccess,
  createKubernetes,
  type HttpTransport,
  httpTransport,
  type Kubernetes,
} from '../../../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../../../shared/log/log.ts'
import { createMemoryGroups, memoryGroupFolder } from './container/memory-groups.ts'
import { createPodNetwork, nodeAddress } from './container/pod-network.ts'
import { prepareNode } from './container/prepare-node.ts'
import { processFigures } from './container/process-figures.ts'
import type { ContainerImage } from './container-images.ts'
import { type Door, openDoor, serveDoors } from './doors.ts'
import type { ContainerId } from './kubelet/node.ts'
import { kubeletDelays } from './kubelet/restart-delay.ts'
import { type Kubelet, startKubelet } from './kubelet/start-kubelet.ts'
import { type MachineCalls, type ServeRequest, serveCalls } from './machine-calls.ts'

/** The cluster that a machine serves. */
export interface ServedCluster {
  readonly kubernetes: Kubernetes
  readonly transport: HttpTransport
  readonly access: ClusterAccess
  /** `/etc/hosts` of all containers. Write it in place and append lines. */
  readonly hostsFile: string
  /** `settings` of the call that serves the cluster. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly clock: Clock
  readonly log: Log
  /** Never aborts today: the machine ends by SIGKILL. */
  readonly signal: AbortSignal
}

/** A part of the machine beside the kubelet: the proxy of Services, the networking layer. */
export type MachinePart = (cluster: ServedCluster) => Promise<void>

export interface MachineOptions {
  /** The folder of the sockets, which the outer side has created. */
  readonly folder: string
  readonly log: Log
  readonly parts: readonly MachinePart[]
}

/** Between half of this number and all of it are stored per container: usually, a piece is a line. */
const outputPieces = 4_000

/** Starts the inner side of the machine. */
export const startMachine = async ({ folder, log, parts }: MachineOptions): Promise<void> => {
  // The end of this process would end all Pods.
  process.on('unhandledRejection', error => log.error('unexpected failure', { error }))
  const files = await prepareNode()
  const network = await createPodNetwork()
  const name = folder.split('/').at(-1) ?? ''
  const memory = await createMemoryGroups(memoryGroupFolder(name), error =>
    log.warn('memory limits have no effect: control groups of version 1 are not writable', { error }),
  )
  const images = new Map<string, ContainerImage>()
  const doors = new Map<number, Door>()
  const outputs = new Map<string, string[]>()
  const outputId = ({ namespace, pod, container }: ContainerId) => `${namespace}/${pod}/${container}`
  let kubelet: Kubelet | undefined

  const serve = async ({
    server,
    headers,
    tls,
    restartDelays,
    othersReady = false,
    settings = {},
  }: ServeRequest) => {
    const credentials = { headers, tls }
    const access: ClusterAccess = { server, credentials: async () => credentials }
    const transport = httpTransport({ access, maxConnections: 32 })
    const kubernetes = createKubernetes({ transport: transport.send, clock: systemClock })
    const { signal } = new AbortController()
    const cluster = { kubernetes, transport, access, settings, clock: systemClock, log, signal }
    for (const part of parts) await part({ ...cluster, hostsFile: files.hostsFile })
    kubelet = await startKubelet(
      {
        ...{ ...cluster, ...files, network, memory, othersReady, delays: restartDelays ?? kubeletDelays },
        image: image => images.get(image) ?? images.get(image.replace(/(?::[^:/@]*)?(?:@.*)?$/, '')),
        output: (container, text) => {
          const id = outputId(container)
          const pieces = outputs.get(id) ?? []
          outputs.set(id, pieces)
          pieces.push(text)
          if (pieces.length > outputPieces) pieces.splice(0, outputPieces / 2)
        },
      },
      signal,
    )
  }

  const calls: MachineCalls = {
    serve,
    addImages: async more => {
      for (const [image, program] of Object.entries(more)) images.set(image, program)
    },
    openOutside: async hostPort => {
      const target = { host: '127.0.0.1', port: hostPort }
      const door = await openDoor(nodeAddress, join(folder, 'outside.sock'), target)
      doors.set(door.port, door)
      return door.port
    },
    closeOutside: async port => {
      await doors.get(port)?.close()
      doors.delete(port)
    },
    containers: async () =>
      (kubelet?.containers() ?? []).map(({ pod, life }) => {
        const pid = life.running()?.pid() ?? 0
        return {
          ...{ namespace: pod.namespace, pod: pod.name, container: life.name, image: life.image, pid },
          ...processFigures(pid),
          restarts: life.status().restartCount,
        }
      }),
    signal: async (target, signal) => {
      const reached = (kubelet?.containers() ?? []).filter(
        ({ pod, life }) =>
          pod.namespace === target.namespace &&
          pod.name.startsWith(target.pod) &&
          life.name === target.container &&
          life.running()?.pid() !== undefined,
      )
      for (const { life } of reached) life.running()?.signal(signal)
      return reached.length
    },
    output: async target => (outputs.get(outputId(target)) ?? []).join(''),
  }
  await serveDoors(join(folder, 'inside.sock'))
  await serveCalls(join(folder, 'calls.sock'), calls)
}
