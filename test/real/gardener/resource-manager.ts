import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { answerOf } from '../answer-of.ts'
import { onFreePorts } from '../free-port.ts'
import { startServerProcess } from '../server-process.ts'

export interface ResourceManagerOptions {
  /** The path of gardener-resource-manager. */
  readonly program: string
  /** The path of a kubeconfig of the cluster with the ManagedResources. */
  readonly seed: string
  /** Absent: the manager of the class `seed`, which applies the objects of all namespaces to the seed itself. */
  readonly shoot?: {
    readonly namespace: string
    readonly kubeconfig: string
    /** More namespaces that it manages there: those of a virtual garden. */
    readonly more?: readonly string[]
  }
  /** The interval between two applies of an unchanged ManagedResource, in Go notation. @default '1h' */
  readonly syncPeriod?: string
  /** The interval between two checks whether objects still change. @default '1m' */
  readonly checkEvery?: string
  /** The interval between two collections of Secrets. @default '12h' */
  readonly collectEvery?: string
}

export interface RunningResourceManager {
  /** The address of its webhooks, and the CA of their certificate. */
  readonly webhooks: { readonly url: string; readonly ca: string }
  output(): string
  close(): Promise<void>
}

/**
 * Starts gardener-resource-manager with the configuration that gardenlet renders
 * (`pkg/component/gardener/resourcemanager`): one manager for the seed, one for each shoot. Left out are the leader
 * election, because a killed leader would block its successor, and the controllers of nodes, certificate
 * requests and network policies, which no ManagedResource needs, and outside of a garden that of tokens.
 */
export const startResourceManager = (options: ResourceManagerOptions): Promise<RunningResourceManager> =>
  onFreePorts(3, (...ports) => startOn(options, ports))

const startOn = async (
  {
    program,
    seed,
    shoot,
    syncPeriod = '1h',
    checkEvery = '1m',
    collectEvery = '12h',
  }: ResourceManagerOptions,
  [health = 0, metrics = 0, webhooks = 0]: readonly number[],
): Promise<RunningResourceManager> => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-resource-manager-'))
  const serving = await generate([{ name: 'commonName', value: 'webhooks' }], {
    keyType: 'ec',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  })
  await writeFile(join(folder, 'tls.crt'), serving.cert)
  await writeFile(join(folder, 'tls.key'), serving.private)
  const listen = (port: number) => ({ bindAddress: '127.0.0.1', port })
  const config = {
    apiVersion: 'resourcemanager.config.gardener.cloud/v1alpha1',
    kind: 'ResourceManagerConfiguration',
    sourceClientConnection: {
      kubeconfig: seed,
      ...(shoot && { namespaces: [shoot.namespace] }),
    },
    targetClientConnection:
      shoot === undefined
        ? { kubeconfig: seed }
        : {
            kubeconfig: shoot.kubeconfig,
            namespaces: ['kube-system', 'kubernetes-dashboard', 'kube-node-lease', ...(shoot.more ?? [])],
          },
    leaderElection: { leaderElect: false },
    server: {
      healthProbes: listen(health),
      metrics: listen(metrics),
      webhooks: { ...listen(webhooks), tls: { serverCertDir: folder } },
    },
    logLevel: 'info',
    logFormat: 'json',
    controllers: {
      clusterID: 'seed-identity',
      ...(shoot === undefined && { resourceClass: 'seed' }),
      garbageCollector: { enabled: true, syncPeriod: collectEvery },
      health: { concurrentSyncs: 10, syncPeriod: checkEvery },
      managedResources: { concurrentSyncs: 20, syncPeriod, alwaysUpdate: shoot !== undefined },
      tokenRequestor: { enabled: shoot?.more !== undefined, concurrentSyncs: 5 },
    },
    webhooks: {
      highAvailabilityConfig: { enabled: true, defaultNotReadyTolerationSeconds: 60 },
      projectedTokenMount: { enabled: true },
    },
  }
  const file = join(folder, 'config.json')
  await writeFile(file, JSON.stringify(config))
  const server = startServerProcess({ command: program, args: [`--config=${file}`], folder })
  try {
    await answerOf('gardener-resource-manager', server, async () => {
      const answer = await fetch(`http://127.0.0.1:${health}/readyz`)
      return answer.ok ? answer.text() : undefined
    })
  } catch (error) {
    await server.stop()
    throw error
  }
  return {
    webhooks: { url: `https://127.0.0.1:${webhooks}/webhooks`, ca: serving.cert },
    output: server.output,
    close: server.stop,
  }
}
