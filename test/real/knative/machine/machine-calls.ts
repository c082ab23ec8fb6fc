import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type Credentials, readText } from '../../../../shared/kubernetes/kubernetes.ts'
import type { ContainerSignal } from './container/start-container.ts'
import type { ContainerImages } from './container-images.ts'
import type { ContainerId } from './kubelet/node.ts'
import type { RestartDelays } from './kubelet/restart-delay.ts'

/** A container of a running Pod. */
export interface ContainerFigures extends ContainerId {
  readonly image: string
  /** In the machine's PID namespace. 0: it does not run. */
  readonly pid: number
  readonly residentBytes: number
  /** Shared pages count in proportion to their users (PSS). */
  readonly proportionalBytes: number
  readonly cpuSeconds: number
  readonly restarts: number
}

export interface ServeRequest {
  /** The address inside of the machine. */
  readonly server: string
  readonly headers: Credentials['headers']
  readonly tls: Credentials['tls']
  /** Default: those of a kubelet. */
  readonly restartDelays?: RestartDelays
  /** Pods with only unknown images are ready without a process. Default: they wait for their images. */
  readonly othersReady?: boolean
  /** Plain data for the other parts of the machine. */
  readonly settings?: Readonly<Record<string, unknown>>
}

/** The calls from the test to the machine. Arguments and results are plain data. */
export interface MachineCalls {
  serve(request: ServeRequest): Promise<void>
  addImages(images: ContainerImages): Promise<void>
  /** Opens a port inside that leads to a port of the host. */
  openOutside(hostPort: number): Promise<number>
  closeOutside(port: number): Promise<void>
  containers(): Promise<readonly ContainerFigures[]>
  /** `pod`: a name or the start of names. Returns the number of containers that it reached. */
  signal(target: ContainerId, signal: ContainerSignal): Promise<number>
  output(target: ContainerId): Promise<string>
}

type AnyCall = (...args: readonly unknown[]) => Promise<unknown>

/** Answers calls at a Unix socket. */
export const serveCalls = async (socketPath: string, calls: MachineCalls): Promise<void> => {
  const server = createServer(async (incoming, answer) => {
    try {
      const call = calls[(incoming.url ?? '').slice(1) as keyof MachineCalls] as unknown as AnyCall
      const result = await call(...(JSON.parse(await readText(incoming)) as unknown[]))
      answer.end(JSON.stringify(result ?? null))
    } catch (error) {
      answer.writeHead(500).end(error instanceof Error ? error.stack : String(error))
    }
  }).listen(socketPath)
  await once(server, 'listening')
}

/** Returns the calls to a machine. */
export const machineCalls = (socketPath: string): MachineCalls => {
  const call =
    (name: keyof MachineCalls): AnyCall =>
    (...args) =>
      new Promise((resolve, reject) => {
        request({ socketPath, path: `/${name}`, method: 'POST' }, async answer => {
          const text = await readText(answer)
          if (answer.statusCode === 200) resolve(JSON.parse(text))
          else reject(new Error(`${name} of the machine: ${text}`))
        })
          .once('error', reject)
          .end(JSON.stringify(args))
      })
  return {
    serve: call('serve') as MachineCalls['serve'],
    addImages: call('addImages') as MachineCalls['addImages'],
    openOutside: call('openOutside') as MachineCalls['openOutside'],
    closeOutside: call('closeOutside') as MachineCalls['closeOutside'],
    containers: call('containers') as MachineCalls['containers'],
    signal: call('signal') as MachineCalls['signal'],
    output: call('output') as MachineCalls['output'],
  }
}
