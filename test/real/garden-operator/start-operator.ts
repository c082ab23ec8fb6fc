import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { packageVersion } from '../../../build/project/package-version.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { contractModules, pinnedVersion } from '../../contract/modules.ts'
import { answerOf } from '../answer-of.ts'
import { define } from '../definitions.ts'
import { type Garden, startGarden } from '../garden/start-garden.ts'
import { nextVersion } from '../garden/start-seed.ts'
import { startResourceManager } from '../gardener/resource-manager.ts'
import { startRegistry } from '../images/registry.ts'
import { apiServerAddress, nodeAddress } from '../knative/machine/container/pod-network.ts'
import { type PodCluster, startPodCluster } from '../knative/pod-cluster.ts'
import { startKubeControllers } from '../knative/start-kube-controllers.ts'
import { containersOf, trellisImages } from '../knative/trellis-images.ts'
import type { OperatorPrograms } from '../programs/operator-programs.ts'
import { startServerProcess } from '../server-process.ts'
import { runtimeObjects, virtualAccess } from './runtime-objects.ts'

/** A virtual garden, and its runtime cluster with gardener-operator. */
export interface GardenOperator {
  readonly runtime: PodCluster
  readonly garden: Garden
  /** Registry of charts: its address on this host, and the one of the same for the operator. */
  readonly registry: { readonly host: string; readonly inside: string }
  /** Returns the last output of the operator and the resource managers. */
  output(): string
  close(): Promise<void>
}

/** An address of Services that kube-apiserver assigns only when all others are in use. */
const virtualAddress = '10.0.0.2'

/** The namespaces that Gardener's resource manager watches in a virtual garden. */
const virtualNamespaces = ['garden', 'gardener-system-shoot-issuer', 'gardener-system-public']

/** The CRDs that a Garden installs and the operator watches, or whose objects our charts have. */
const wanted =
  /_(?:verticalpodautoscalers|managedresources|scrapeconfigs|servicemonitors|prometheusrules)\.|-crd-extensions\.|-crd-operator\.gardener\./

const gardenerDefinitions = async (): Promise<readonly KubernetesObject[]> => {
  const { gardener } = await contractModules(pinnedVersion)
  const found = new Map<string, KubernetesObject>()
  for (const name of ['example/seed-crds', 'example/operator']) {
    const folder = join(gardener.folder, name)
    for (const file of (await readdir(folder)).filter(one => wanted.test(one)))
      found.set(file, parse(await readFile(join(folder, file), 'utf8')) as KubernetesObject)
  }
  return [...found.values()]
}

/** Starts both clusters and the operator. `awsPort`: a port of this host's 127.0.0.1 that answers all calls to AWS. */
export const startOperator = async (programs: OperatorPrograms, awsPort: number): Promise<GardenOperator> => {
  const undo: (() => unknown)[] = []
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  const outputs: (() => string)[] = []
  const output = () => outputs.map(one => one().slice(-6_000)).join('\n')
  const folder = await mkdtemp(join(tmpdir(), 'trellis-operator-'))
  try {
    const registry = await startRegistry(programs.registry)
    undo.push(registry.stop)
    const runtime = await startPodCluster(programs)
    undo.push(runtime.close)
    const { machine, server } = runtime
    outputs.push(machine.log)
    // As the Pods of a garden's API servers, they resolve the names of Services.
    const resolver = join(folder, 'resolv.conf')
    await writeFile(resolver, `nameserver ${nodeAddress}\n`)
    const resolved = [
      'unshare',
      '--mount',
      'sh',
      '-c',
      'mount --bind "$0" /etc/resolv.conf && exec "$@"',
      resolver,
    ]
    const network = { ...machine, address: virtualAddress, within: [...machine.within, ...resolved] }
    const garden = await startGarden(programs, network)
    undo.push(garden.close)
    outputs.push(garden.output)
    const virtual = await virtualAccess(garden, virtualAddress)
    undo.push(
      startKubeControllers({
        program: programs.kubeControllerManager,
        within: machine.within,
        kubeconfig: virtual.file,
        certificate: virtual.certificate,
      }).stop,
    )

    await define(runtime.kubernetes, await gardenerDefinitions())
    await runtime.create(runtimeObjects(virtual))
    const inside = async (port: number) => {
      const door = await machine.openOutside(port)
      return `${door.host}:${door.port}`
    }
    const environment = { AWS_ENDPOINT_URL: `http://${await inside(awsPort)}` }
    // The operator waits for the end of all old Pods, to which API servers stay connected for 90 s.
    const drain = { TRELLIS_DRAIN_ACCEPT_MS: '500', TRELLIS_DRAIN_LIMIT_MS: '3000' }
    const { webhook, ...others } = await trellisImages()
    for (const version of [await packageVersion(), nextVersion])
      await machine.addImages({
        ...containersOf(others, version, environment),
        ...(webhook && containersOf({ webhook }, version, drain)),
      })
    await machine.serve({ apiServer: runtime.apiServer })

    const seed = await server.kubeconfig()
    const program = programs.resourceManager
    const shoot = {
      namespace: 'garden',
      kubeconfig: await garden.server.kubeconfig(),
      more: virtualNamespaces,
    }
    for (const target of [{}, { shoot }]) {
      const manager = await startResourceManager({ program, seed, checkEvery: '15s', ...target })
      undo.push(manager.close)
      outputs.push(manager.output)
    }

    const config = join(folder, 'operator.yaml')
    await writeFile(config, stringify(configuration))
    const [command = '', ...args] = [...machine.within, programs.gardenerOperator, `--config=${config}`]
    const account = { namespace: 'garden', name: 'gardener-operator' }
    const operator = startServerProcess({
      command,
      args,
      folder,
      env: {
        ...process.env,
        KUBECONFIG: await server.kubeconfig(account, `https://${apiServerAddress}`),
        WEBHOOK_MODE: 'url',
        WEBHOOK_URL: `${apiServerAddress}:${ports.webhooks}`,
      },
    })
    undo.push(operator.stop)
    outputs.push(operator.output)
    const health = await machine.openInside(apiServerAddress, ports.health)
    undo.push(health.close)
    await answerOf('gardener-operator', operator, async () => {
      const answer = await fetch(`http://127.0.0.1:${health.port}/readyz`)
      return answer.ok ? answer.text() : undefined
    })
    const { port } = new URL(`http://${registry.host}`)
    const host = { host: registry.host, inside: await inside(Number(port)) }
    return { runtime, garden, registry: host, output, close }
  } catch (error) {
    const said = output()
    await close()
    throw new Error(`cannot start the operator; its programs reported: ${said}`, { cause: error })
  }
}

/** Nothing else listens at this address of the machine. */
const ports = { webhooks: 2750, health: 2751, metrics: 2752 }

const listen = (port: number) => ({ bindAddress: apiServerAddress, port })

const configuration = {
  apiVersion: 'operator.config.gardener.cloud/v1alpha1',
  kind: 'OperatorConfiguration',
  runtimeClientConnection: { qps: 200, burst: 400 },
  virtualClientConnection: { qps: 200, burst: 400 },
  leaderElection: { leaderElect: false },
  server: {
    webhooks: listen(ports.webhooks),
    healthProbes: listen(ports.health),
    metrics: listen(ports.metrics),
  },
  controllers: {
    // The operator has no defaults for them.
    ...Object.fromEntries(
      [
        ...[
          'gardenletDeployer',
          'networkPolicy',
          'vpaEvictionRequirements',
          'extension',
          'extensionReference',
        ],
        ...['extensionRequiredRuntime', 'extensionRequiredVirtual'],
      ].map(name => [name, { concurrentSyncs: 5 }]),
    ),
    extensionCare: { concurrentSyncs: 5, syncPeriod: '5s' },
  },
}
