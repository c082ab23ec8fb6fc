import { systemClock } from '../../../shared/clock/clock.ts'
import { apiVersion, labels } from '../../../shared/contract/constants.ts'
import { allCrds } from '../../../shared/contract/crds/crd-of.ts'
import { clusterKind, kindNames, kinds } from '../../../shared/contract/kinds.ts'
import { namespaces } from '../../../shared/kubernetes/core-resources.ts'
import type { Kubernetes } from '../../../shared/kubernetes/kubernetes.ts'
import { createKubernetes, multiplexedTransport } from '../../../shared/kubernetes/kubernetes.ts'
import { type BridgeProcess, bridgeProcesses } from '../../bridge/bridge-process.ts'
import { manifestEnvironment } from '../../bridge/manifest-environment.ts'
import { type Sink, startSink } from '../../bridge/sink.ts'
import { type RunningApiServer, startKubeApiServer } from '../../real/kube-apiserver.ts'
import type { KubePrograms } from '../../real/programs/kube-programs.ts'
import { definitions } from '../../real/real-cluster.ts'
import { freshSnapshot, startArgs } from '../bundle.ts'
import { podArguments, podEnvironment } from '../pod-environment.ts'
import { knownUsageOf, type ProcessUsage } from '../process-usage.ts'
import { type BenchObject, shootNamespace } from './objects.ts'
import { atRate, inParallel, until, untilServed } from './pace.ts'

/**
 * kube-apiserver with the kinds and a shoot's namespace, a sink in this process, and bridges as separate processes.
 */
export interface BridgeSeed {
  readonly server: RunningApiServer
  readonly kubernetes: Kubernetes
  /** The environment in the bridge's manifest. */
  readonly environment: Readonly<Record<string, string>>
  /** Starts a sink. The port of a closed sink restarts that sink. */
  sink(port?: number): Promise<Sink>
  /**
   * Starts a bridge with the settings of its manifest, overridden by `env`. Resolves when it has listed everything.
   * `program`: the file of another bridge.
   */
  bridge(sink: string, env?: Readonly<Record<string, string>>, program?: string): Promise<MeasuredBridge>
  /**
   * Creates objects through the API, `perSecond` of them or as fast as the server accepts them. Calls `created` with
   * each.
   */
  create(objects: readonly BenchObject[], options?: CreateOptions): Promise<void>
  /** Writes the objects directly to etcd. */
  store(objects: readonly BenchObject[]): Promise<void>
  close(): Promise<void>
}

export interface CreateOptions {
  readonly perSecond?: number
  readonly created?: (name: string) => void
}

export interface MeasuredBridge extends BridgeProcess {
  usage(): Promise<ProcessUsage>
  /** The value of a metric, summed over its labels. */
  metric(name: string): Promise<number>
}

const bundle = 'dist/bundles/bridge/main.cjs'
/** Concurrent requests when no rate is set. */
const creators = 64

export const startBridgeSeed = async (programs: KubePrograms): Promise<BridgeSeed> => {
  const server = await startKubeApiServer(programs)
  const transport = multiplexedTransport({ access: server.access, clock: systemClock })
  const kubernetes = createKubernetes({ transport: transport.send, clock: systemClock })
  const processes = bridgeProcesses()
  const sinks = new Set<Sink>()
  const close = async () => {
    processes.killAll()
    for (const sink of sinks) sink.close()
    transport.close()
    await server.close()
  }
  try {
    await prepare(kubernetes)
  } catch (error) {
    await close()
    throw error
  }
  const pod = await podEnvironment(await server.kubeconfig())
  const manifest = await manifestEnvironment()

  return {
    server,
    kubernetes,
    environment: manifest,
    sink: async port => {
      const sink = await startSink(port)
      sinks.add(sink)
      return sink
    },
    bridge: async (sink, env = {}, program = bundle) => {
      await freshSnapshot(program)
      const settings = { TRELLIS_KINDS: kindNames.join(), TRELLIS_LEADER_ELECTION: 'false', K_SINK: sink }
      const process = processes.start({ ...manifest, ...pod, ...settings, ...env }, [
        ...podArguments,
        ...startArgs(program),
      ])
      const port = await process.port
      const metric = async (name: string) =>
        sumOf(name, await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())
      await until('the bridge to list everything', async () => (await metric('trellis_bridge_ready')) === 1)
      return { ...process, metric, usage: () => knownUsageOf(process.pid) }
    },
    create: async (objects, { perSecond, created = () => {} } = {}) => {
      const one = async ({ kind, object }: BenchObject) => {
        await kubernetes.create(kinds[kind].resource, object)
        created(object.metadata.name)
      }
      if (perSecond === undefined) await inParallel(objects, creators, one)
      else await atRate(objects, perSecond, one)
    },
    store: async objects => {
      for (const [kind, some] of Map.groupBy(objects, one => one.kind)) {
        const plain = some.map(({ object }) => object)
        await server.store(kinds[kind].resource, plain)
      }
    },
    close,
  }
}

/** Creates the kinds, a healthy shoot, and the namespace of the bridges' Lease. */
const prepare = async (kubernetes: Kubernetes): Promise<void> => {
  for (const crd of allCrds()) await kubernetes.create(definitions, crd)
  const resources = [...kindNames.map(kind => kinds[kind].resource), clusterKind.resource]
  for (const resource of resources) await untilServed(kubernetes, resource)
  for (const metadata of [
    { name: shootNamespace, labels: { [labels.role]: 'shoot' } },
    { name: 'trellis' },
  ]) {
    await kubernetes.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata })
  }
  await kubernetes.create(clusterKind.resource, {
    apiVersion,
    kind: 'Cluster',
    metadata: { name: shootNamespace },
    spec: { cloudProfile: {}, seed: {}, shoot: {} },
  })
}

/** Parses Prometheus' text format. */
const sumOf = (name: string, text: string): number =>
  text
    .split('\n')
    .filter(line => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
