import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definition as controlPlane } from '../../../functions/aws/controlplane/function.ts'
import { definition as worker } from '../../../functions/aws/worker/function.ts'
import { createBroker, loadManifests } from '../../../sandbox/knative/knative.ts'
import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import {
  createActivator,
  type FunctionProcess,
  functionProcesses,
  startersOf,
} from '../../../sandbox/seed/seed.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { allCrds, machineCrds, resourceCrds } from '../../../shared/contract/crds/crd-of.ts'
import { createKubernetes } from '../../../shared/kubernetes/kubernetes.ts'
import { bridgeProcesses } from '../../bridge/bridge-process.ts'
import { manifestEnvironment } from '../bridge/manifest-environment.ts'
import { freshSnapshot, startArgs } from '../bundle-start.ts'
import { usageOf } from '../process-usage.ts'
import { shootObjects, statusResources } from './shoots.ts'

export const bundles = [
  'dist/bundles/bridge/main.cjs',
  'dist/bundles/aws-controlplane/main.cjs',
  'dist/bundles/aws-worker/main.cjs',
] as const

const manifests = new URL('../../../knative', import.meta.url).pathname
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

export interface HealthWorldOptions {
  readonly shoots: number
  /** One shoot in this many has a route controller and an API server that is asked for its events. */
  readonly routeControllerIn: number
}

/** A status write of a ControlPlane or Worker. */
export interface ConditionWrite {
  readonly namespace: string
  readonly kind: string
  readonly status: string
}

/**
 * Starts healthy shoots in an API server of this process, and the bridge and both functions as processes from their
 * bundles.
 */
export const startHealthWorld = async ({ shoots, routeControllerIn }: HealthWorldOptions) => {
  for (const bundle of bundles.slice(1)) await freshSnapshot(bundle)
  const folder = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  const clock = systemClock
  const shoot = createApiServer({ clock })
  const shootListener = await shoot.listen()
  const kubeconfig = shoot.kubeconfig(shootListener.url)
  const objects = Array.from({ length: shoots }, (_, index) =>
    shootObjects(index, index % routeControllerIn === 0 ? kubeconfig : undefined),
  ).flat()
  const server = createApiServer({
    clock,
    deletionProtection: false,
    objects: [
      ...allCrds(),
      ...machineCrds(),
      ...resourceCrds(),
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'trellis' } },
      ...objects,
    ],
  })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  // A create request ignores the status.
  for (const { kind, metadata, status } of objects) {
    const resource = statusResources[kind]
    const { name, namespace = '' } = metadata
    if (resource && status)
      await kubernetes.patch(resource, { name, namespace }, { status }, { subresource: 'status' })
  }
  const listener = await server.listen()
  const kubeconfigFile = join(folder, 'kubeconfig')
  await writeFile(kubeconfigFile, server.kubeconfig(listener.url), { mode: 0o600 })
  const functions: FunctionProcess[] = []
  const activator = createActivator({
    starterOf: startersOf(
      [
        { ...controlPlane, file: 'functions/aws/controlplane/function.ts' },
        { ...worker, file: 'functions/aws/worker/function.ts' },
      ],
      async fn => {
        const running = await functionProcesses({
          kubeconfig: kubeconfigFile,
          argsOf: ({ name }) => startArgs(`dist/bundles/${name}/main.cjs`),
        })(fn)
        functions.push(running)
        return running
      },
    ),
    clock,
    idleMs: undefined,
  })
  const broker = await createBroker({
    manifests: await loadManifests([manifests]),
    resolve: service => activator.url(service),
    clock,
    log: silent,
  })
  const bridges = bridgeProcesses()
  const listeners = new Set<(write: ConditionWrite) => void>()
  server.store.subscribe((resource, { entry: { object } }) => {
    if (!/^(controlplanes|workers)\b/.test(resource)) return
    const { conditions = [] } = Object(object.status)
    for (const listener of listeners)
      listener({
        namespace: object.metadata.namespace ?? '',
        kind: object.kind,
        status: conditions[0]?.status ?? '',
      })
  })
  const manifest = await manifestEnvironment()
  return {
    server,
    kubernetes,
    listeners,
    functions,
    /** Ends the process of a function. */
    toZero: (name: string) => activator.restart(name),
    /** Resolves when the bridge has listed everything. */
    bridge: async (watched: string, more: Readonly<Record<string, string>> = {}) => {
      const process = bridges.start(
        {
          ...manifest,
          TRELLIS_KINDS: watched,
          TRELLIS_KUBECONFIG: kubeconfigFile,
          TRELLIS_LEADER_ELECTION: 'false',
          K_SINK: broker.ingress('trellis', 'default'),
          ...more,
        },
        ['dist/bundles/bridge/main.cjs'],
      )
      const port = await process.port
      const isReady = async () => (await fetch(`http://127.0.0.1:${port}/health/readiness`)).status === 200
      while (!(await isReady())) await new Promise(resolve => setTimeout(resolve, 100))
      return { ...process, usage: () => usageOf(process.pid) }
    },
    close: async () => {
      bridges.killAll()
      await broker.close()
      await activator.close()
      await listener.close()
      await shootListener.close()
      server.close()
      shoot.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
