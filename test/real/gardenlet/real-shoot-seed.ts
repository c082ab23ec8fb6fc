import { bridgeSettings, startBridge } from '../../../bridge/bridge.ts'
import type { FoundFunction } from '../../../functions/find-functions.ts'
import type { SeedFacts } from '../../../sandbox/gardenlet/gardenlet.ts'
import { createBroker, loadManifests } from '../../../sandbox/knative/knative.ts'
import { looseDefinitions, type Shoots } from '../../../sandbox/resource-manager/resource-manager.ts'
import {
  createActivator,
  inProcessFunctions,
  providerOf,
  type SimulatedClouds,
  startersOf,
} from '../../../sandbox/seed/seed.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { resourceCrds } from '../../../shared/contract/crds/crd-of.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { httpTransport } from '../../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../../shared/log/log.ts'
import { parseSettings } from '../../../shared/runtime/runtime.ts'
import type { KubePrograms } from '../programs/kube-programs.ts'
import { type RealCluster, startRealCluster } from '../real-cluster.ts'
import type { Driver } from './driver.ts'
import { type Components, startStandIns } from './stand-ins.ts'

export interface RealShootSeedOptions {
  readonly programs: KubePrograms
  readonly driver: Driver
  readonly facts: SeedFacts
  readonly functions: readonly FoundFunction[]
  /** Settings of the functions. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly clouds: SimulatedClouds
  readonly shoots: Shoots
}

/** A seed with Gardener's CRDs, on its own API server, with a gardenlet of the driver. */
export interface RealShootSeed {
  readonly facts: SeedFacts
  readonly cluster: RealCluster
  readonly components: Components
  close(): Promise<void>
}

const manifests = new URL('../../../knative/base', import.meta.url).pathname
const problems = process.env.DRIVER_LOG === undefined ? () => {} : console.warn
const log: Log = { debug: () => {}, info: () => {}, warn: problems, error: problems }

const namespaceOf = (name: string, labels: Readonly<Record<string, string>> = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels },
})

export const startRealShootSeed = async ({
  programs,
  driver,
  facts,
  functions,
  settings,
  clouds,
  shoots,
}: RealShootSeedOptions): Promise<RealShootSeed> => {
  const clock = systemClock
  const undo: (() => unknown)[] = []
  const ended = new AbortController()
  const close = async () => {
    for (const step of undo.reverse().splice(0)) await step()
  }
  try {
    const cluster = await startRealCluster(programs)
    undo.push(cluster.close)
    const { kubernetes, server } = cluster
    const seed = facts.name
    const kubeconfig = await server.kubeconfig()
    await driver.ask({ do: 'connect', seed, kubeconfig, address: facts.address })
    await driver.ask({ do: 'define', seed })
    await cluster.create([
      ...resourceCrds(),
      ...looseDefinitions('seed'),
      namespaceOf('garden'),
      namespaceOf('trellis'),
      // gardenlet looks for the heartbeat in the namespace of the ControllerInstallation.
      namespaceOf(`extension-trellis-${seed}`, {
        'gardener.cloud/role': 'extension',
        'controllerregistration.core.gardener.cloud/name': 'trellis',
      }),
    ])

    const transport = httpTransport({ access: server.access })
    undo.push(transport.close)
    const components = startStandIns({
      ...{ kubernetes, clouds, shoots, clock, log, signal: ended.signal },
      transport: transport.send,
    })
    undo.push(async () => {
      ended.abort()
      await components.ended()
    })

    const activator = createActivator({
      starterOf: startersOf(functions, async fn =>
        inProcessFunctions({
          ...{ kubernetes, clock, log, settings },
          connection: clouds[providerOf(fn)]?.connection,
        })(fn),
      ),
      clock,
      idleMs: undefined,
    })
    undo.push(activator.close)
    const broker = await createBroker({
      manifests: await loadManifests([manifests]),
      resolve: service => activator.url(service),
      clock,
      log,
    })
    undo.push(broker.close)
    const bridge = await startBridge({
      settings: parseSettings(bridgeSettings, {
        flags: {
          ...{ seed, address: '127.0.0.1', port: 0, extensions: 'trellis' },
          sink: broker.ingress('trellis', 'default'),
        },
        env: {},
      }),
      kubernetes,
      clock,
      log,
    })
    undo.push(bridge.close)
    return { facts, cluster, components, close }
  } catch (error) {
    await close()
    throw error
  }
}
