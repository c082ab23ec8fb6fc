import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiServer, createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import { namespaces } from '../../shared/kubernetes/core-resources.ts'
import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { createKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { type BridgeProcess, bridgeProcesses } from './bridge-process.ts'
import { shootObjects } from './harness.ts'
import { type Sink, startSink } from './sink.ts'

/** The surroundings of bridge processes: a listening API server, a shoot, and a sink. */
export interface ProcessSeed {
  readonly server: ApiServer
  readonly kubernetes: Kubernetes
  readonly sink: Sink
  /** For files of the test. Deleted with the seed. */
  readonly folder: string
  readonly kubeconfig: string
  /** Starts a bridge on this seed. */
  start(env?: Readonly<Record<string, string>>): BridgeProcess
  close(): Promise<void>
}

export const startProcessSeed = async (): Promise<ProcessSeed> => {
  const server = createApiServer({ clock: systemClock, objects: allCrds() })
  const kubernetes = createKubernetes({ transport: server.transport, clock: systemClock })
  for (const [resource, object] of shootObjects) await kubernetes.create(resource, object)
  await kubernetes.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'trellis' } })
  const listener = await server.listen()
  const sink = await startSink()
  const processes = bridgeProcesses()
  const folder = await mkdtemp(join(tmpdir(), 'trellis-bridge-'))
  const kubeconfig = join(folder, 'kubeconfig')
  await writeFile(kubeconfig, server.kubeconfig(listener.url))
  return {
    server,
    kubernetes,
    sink,
    folder,
    kubeconfig,
    start: (env = {}) => processes.start({ TRELLIS_KUBECONFIG: kubeconfig, K_SINK: sink.url, ...env }),
    close: async () => {
      processes.killAll()
      server.close()
      await listener.close()
      sink.close()
      await rm(folder, { recursive: true })
    },
  }
}
