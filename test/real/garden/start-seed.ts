import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { packageVersion } from '../../../build/project/package-version.ts'
import { knativeDefinitions } from '../../../sandbox/knative/knative.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { define } from '../definitions.ts'
import { onFreePorts } from '../free-port.ts'
import { resolverOf } from '../knative/machine/container/prepare-node.ts'
import { type PodCluster, startPodCluster } from '../knative/pod-cluster.ts'
import { containersOf, trellisImages } from '../knative/trellis-images.ts'
import type { GardenPrograms } from '../programs/garden-programs.ts'
import { startRestartedProcess } from '../server-process.ts'
import { startStandIns } from './stand-ins.ts'
import type { Garden } from './start-garden.ts'

/** A seed whose pods run in a machine, with its gardenlet. */
export interface GardenSeed extends PodCluster {
  /** Returns the last output of gardenlet. */
  output(): string
}

export interface SeedOptions {
  readonly name: string
  /** `spec` of the Seed. */
  readonly spec: object
  /** A port of this host's 127.0.0.1 that answers all calls to AWS. */
  readonly awsPort: number
}

/** The tag of a second version, which differs in its name only. */
export const nextVersion = '9.9.9'

/** Gardener's image of the resource manager, which really runs. */
const resourceManagerImage = 'europe-docker.pkg.dev/gardener-project/releases/gardener/resource-manager'

/** The operator of a landscape creates it. */
const priorityClass = (name: string, value: number): KubernetesObject => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name },
  ...{ value },
})

/** gardenlet has no defaults for the controllers of shoots. */
const controllers = {
  cacheSyncTimeout: '10m',
  ...Object.fromEntries(
    ['shoot', 'shootCare', 'shootState', 'shootStatus'].map(name => [name, { concurrentSyncs: 5 }]),
  ),
  controllerInstallationCare: { syncPeriod: '2s' },
  seed: { syncPeriod: '1h' },
  seedCare: {
    syncPeriod: '5s',
    // Without a threshold, a condition is true at once.
    conditionThresholds: ['ExtensionsReady', 'BackupBucketsReady', 'SeedSystemComponentsHealthy'].map(
      type => ({
        ...{ type, duration: '0s' },
      }),
    ),
  },
}

/** Becomes a program that looks up names as Pods do: gardenlet reaches Shoots by the names of their Services. */
const amongPods = 'mount --bind "$0" /etc/resolv.conf; exec "$@"'

/** Starts a seed with gardenlet, which registers it in the garden. */
export const startSeed = async (
  programs: GardenPrograms,
  garden: Garden,
  { name, spec, awsPort }: SeedOptions,
): Promise<GardenSeed> => {
  const undo: (() => unknown)[] = []
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  let output = () => ''
  let machineLog = () => ''
  try {
    const cluster = await startPodCluster(programs)
    undo.push(cluster.close)
    const { machine, apiServer, server, kubernetes } = cluster
    machineLog = machine.log
    await cluster.create([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'garden' } },
      priorityClass('gardener-system-critical', 999_999_550),
    ])
    await define(kubernetes, knativeDefinitions())
    const { host, port } = await machine.openOutside(awsPort)
    const environment = { AWS_ENDPOINT_URL: `http://${host}:${port}` }
    const images = await trellisImages()
    await machine.addImages({
      [resourceManagerImage]: { command: [programs.resourceManager], user: '65532:65532' },
      ...containersOf(images, await packageVersion(), environment),
      ...containersOf(images, nextVersion, environment),
    })
    await machine.serve({ apiServer, othersReady: true })
    const ended = new AbortController()
    undo.push(() => ended.abort())
    startStandIns({ kubernetes, signal: ended.signal })

    const { host: at, port: gardenPort } = await machine.openOutside(
      Number(new URL(garden.server.access.server).port),
    )
    const gardenKubeconfig = await garden.kubeconfigOf({
      name: `gardener.cloud:system:seed:${name}`,
      group: 'gardener.cloud:system:seeds',
      at: `https://${at}:${gardenPort}`,
    })
    const seedKubeconfig = await server.kubeconfig(undefined, apiServer.server)
    const resolver = join(garden.folder, `resolv-${name}.conf`)
    await writeFile(resolver, resolverOf('garden'))
    const gardenlet = await onFreePorts(2, async (health = 0, metrics = 0) => {
      const config = {
        apiVersion: 'gardenlet.config.gardener.cloud/v1alpha1',
        kind: 'GardenletConfiguration',
        gardenClientConnection: { kubeconfig: gardenKubeconfig, qps: 200, burst: 400 },
        seedClientConnection: { kubeconfig: seedKubeconfig, qps: 200, burst: 400 },
        controllers,
        leaderElection: { leaderElect: false },
        server: { healthProbes: { port: health }, metrics: { port: metrics } },
        logging: { enabled: false },
        seedConfig: { metadata: { name }, spec },
      }
      const file = join(garden.folder, `gardenlet-${name}.yaml`)
      await writeFile(file, stringify(config))
      const [command = '', ...args] = [...machine.within, 'unshare', '--mount', 'sh', '-c', amongPods]
      return startRestartedProcess({
        command,
        args: [...args, resolver, programs.gardenlet, `--config=${file}`],
      })
    })
    undo.push(gardenlet.stop)
    output = gardenlet.output
    return { ...cluster, output, close }
  } catch (error) {
    const said = `${output().slice(-4_000)}\n${machineLog().slice(-4_000)}`
    await close()
    throw new Error(`cannot start the seed ${name}; its programs reported: ${said}`, { cause: error })
  }
}
