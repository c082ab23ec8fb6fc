import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { ClusterAccess } from '../../../../shared/kubernetes/kubernetes.ts'
import { answerOf } from '../../answer-of.ts'
import { startServerProcess } from '../../server-process.ts'
import { memoryGroupFolder } from './container/memory-groups.ts'
import { apiServerAddress, nodeAddress, serviceRange } from './container/pod-network.ts'
import { type Door, openDoor, serveDoors } from './doors.ts'
import { type MachineCalls, machineCalls, type ServeRequest } from './machine-calls.ts'

export interface ServeOptions extends Pick<ServeRequest, 'restartDelays' | 'othersReady' | 'settings'> {
  /** An API server at an address inside of the machine. */
  readonly apiServer: ClusterAccess
}

/** A machine with namespaces of its own that runs the Pods of an API server. The host remains unchanged. */
export interface PodMachine extends Pick<MachineCalls, 'addImages' | 'containers' | 'signal' | 'output'> {
  /** The start of a command that runs in the network of the machine's node. */
  readonly within: readonly string[]
  /** The address of the API server inside. Together with `within` and `openInside` a `ServerNetwork`. */
  readonly address: string
  readonly serviceRange: string
  /** Opens a port of the host's 127.0.0.1 that leads to an address inside. */
  openInside(host: string, port: number): Promise<Door>
  /** Opens a port inside, which Pods reach, that leads to a port of the host's 127.0.0.1. */
  openOutside(hostPort: number): Promise<Door & { readonly host: string }>
  /** Starts the kubelet and the other parts. */
  serve(options: ServeOptions): Promise<void>
  /** Returns the last part of the machine's own log. */
  log(): string
  /** Ends all processes of the machine. They also end with this process. */
  close(): Promise<void>
}

/** The process that this command becomes is in the new network namespace. Its child is the first of the others. */
const enterNamespaces = `
echo $$ > "$1/pid"
shift
exec unshare --net --mount --pid --fork --kill-child --mount-proc "$@"
`

export const startPodMachine = async (programs: { readonly node: string }): Promise<PodMachine> => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-machine-'))
  const doors = await serveDoors(join(folder, 'outside.sock'))
  const main = join(import.meta.dirname, 'main.ts')
  const server = startServerProcess({
    command: 'sh',
    args: ['-c', enterNamespaces, 'machine', folder, programs.node, main, folder],
    folder,
    controlGroups: memoryGroupFolder(basename(folder)),
  })
  const close = async () => {
    doors.close()
    await server.stop()
  }
  const { serve, openOutside, closeOutside, ...calls } = machineCalls(join(folder, 'calls.sock'))
  try {
    await answerOf('the machine for pods', server, calls.containers)
  } catch (error) {
    await close()
    throw error
  }
  const pid = (await readFile(join(folder, 'pid'), 'utf8')).trim()
  return {
    ...calls,
    within: ['nsenter', `--net=/proc/${pid}/ns/net`],
    address: apiServerAddress,
    serviceRange,
    openInside: (host, port) => openDoor('127.0.0.1', join(folder, 'inside.sock'), { host, port }),
    openOutside: async hostPort => {
      const port = await openOutside(hostPort)
      return { host: nodeAddress, port, close: () => closeOutside(port) }
    },
    serve: async ({ apiServer, ...options }) => {
      const { headers, tls } = await apiServer.credentials()
      await serve({ server: apiServer.server, headers, tls, ...options })
    },
    log: server.output,
    close,
  }
}
