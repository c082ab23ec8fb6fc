import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { V1Container } from '@kubernetes/client-node'
import { nodeAddress, type PodNamespace } from '../container/pod-network.ts'
import { startContainer } from '../container/start-container.ts'
import { containerEnvironment, expandVariables } from './container-environment.ts'
import { type StartedContainer, WaitingError } from './container-life.ts'
import { amountOf, fieldValue, resourceValue } from './field-value.ts'
import { type Node, nodeCapacity } from './node.ts'
import { commandOf, type Pod } from './pod.ts'
import { MissingSourceError, readPodObjects } from './pod-objects.ts'
import type { PodRoom } from './pod-room.ts'

const usualPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Starts a container of a Pod. Throws a `WaitingError` if its image or configuration is missing. */
export const startPodContainer = async (
  node: Node,
  pod: Pod,
  container: V1Container,
  network: PodNamespace,
  room: PodRoom,
  attempt: number,
): Promise<StartedContainer> => {
  const image = node.image(container.image ?? '')
  if (!image) {
    const message = `Back-off pulling image "${container.image}"`
    throw new WaitingError('ImagePullBackOff', message)
  }
  const { metadata, spec } = pod
  const security = { ...spec.securityContext, ...container.securityContext }
  const user = userOf(image.user, security)
  if (security.runAsNonRoot && user.uid === 0) {
    const message = 'container has runAsNonRoot and image will run as root'
    throw new WaitingError('CreateContainerConfigError', message)
  }
  const environment = await environmentOf(node, pod, container, network.address, image.environment)
  const command = commandOf(container, image).map(text => expandVariables(text, environment))
  const folder = join(room.folder, `${container.name}-${attempt}`)
  await mkdir(folder, { recursive: true })
  const [program = ''] = image.command
  const memoryLimit = container.resources?.limits?.memory
  const memoryGroup = memoryLimit === undefined ? undefined : await node.memory.add(amountOf(memoryLimit))
  const id = { namespace: metadata.namespace, pod: metadata.name, container: container.name }
  const running = await startContainer({
    room: folder,
    network: network.path,
    hostname: metadata.name,
    lower: image.root ?? node.emptyRoot,
    readOnlyRoot: security.readOnlyRootFilesystem ?? false,
    mounts: [
      ...node.mounts,
      ...(image.root ? [] : [{ source: program, target: program, readOnly: true }]),
      ...(memoryGroup ? [{ source: memoryGroup.path, target: '/sys/fs/cgroup/memory', readOnly: true }] : []),
      ...(await room.mountsOf(container)),
    ],
    command,
    environment,
    user,
    workingDirectory: container.workingDir ?? image.workingDirectory ?? '/',
    memoryGroup,
    output: text => node.output(id, text),
  })
  return {
    running,
    address: network.address,
    release: async () => {
      const outOfMemory = (await memoryGroup?.hasKilled()) ?? false
      await memoryGroup?.remove()
      return { outOfMemory }
    },
  }
}

const environmentOf = async (
  node: Node,
  pod: Pod,
  container: V1Container,
  address: string,
  ofImage: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, string>>> => {
  const { hostname, port } = new URL(node.access.server)
  try {
    return containerEnvironment(container, {
      base: {
        PATH: usualPath,
        HOSTNAME: pod.metadata.name,
        HOME: '/',
        ...ofImage,
        KUBERNETES_SERVICE_HOST: hostname,
        KUBERNETES_SERVICE_PORT: port || '443',
        KUBERNETES_SERVICE_PORT_HTTPS: port || '443',
      },
      objects: await readPodObjects(node.kubernetes, pod),
      field: path => fieldValue(path, pod, { pod: address, node: nodeAddress }),
      resource: reference => resourceValue(reference, container, nodeCapacity),
    })
  } catch (error) {
    if (!(error instanceof MissingSourceError)) throw error
    throw new WaitingError('CreateContainerConfigError', error.message)
  }
}

const userOf = (
  ofImage = '0',
  { runAsUser, runAsGroup }: { readonly runAsUser?: number; readonly runAsGroup?: number },
): { readonly uid: number; readonly gid: number } => {
  const [uid = 0, gid = 0] = ofImage.split(':').map(Number)
  if (Number.isNaN(uid + gid)) throw new Error(`the user of an image must be a number, found ${ofImage}`)
  return { uid: runAsUser ?? uid, gid: runAsGroup ?? gid }
}
