import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBroker, parseManifests } from '../../../sandbox/knative/knative.ts'
import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import { createActivator, functionProcesses } from '../../../sandbox/seed/seed.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { allCrds } from '../../../shared/contract/crds/crd-of.ts'
import { createKubernetes } from '../../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../../shared/log/log.ts'
import { bridgeProcesses } from '../../bridge/bridge-process.ts'
import { namespace, shootObjects } from '../shoot.ts'

const service = 'bench-compact'
/** Shorter than in a pod, so that the benchmark takes less than a minute. */
export const drainMs = 5_000

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

const triggerOf = (name: string, kind: string) => `
---
apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata: { name: ${name}, namespace: trellis }
spec:
  broker: default
  filter: { attributes: { kind: ${kind}, provider: bench-slow } }
  subscriber:
    ref: { apiVersion: serving.knative.dev/v1, kind: Service, name: ${service} }
    uri: /${name}
`

/** One Service for several functions, which only wait. */
const manifests = `
apiVersion: eventing.knative.dev/v1
kind: Broker
metadata:
  name: default
  namespace: trellis
  annotations: { messaging.knative.dev/async-handler: "true" }
spec:
  delivery: { retry: 5, backoffPolicy: exponential, backoffDelay: PT1S, timeout: PT75S }
---
apiVersion: serving.knative.dev/v1
kind: Service
metadata: { name: ${service}, namespace: trellis }
spec:
  template:
    spec:
      containerConcurrency: 200
      containers: [{ image: bench }]
${triggerOf('bench-slow', 'Network')}${triggerOf('bench-slow-runtime', 'ContainerRuntime')}`

/**
 * Starts the API server and the broker in this process, and two bridges and all functions of a provider in separate
 * processes.
 */
export const startHandoverWorld = async () => {
  const clock = systemClock
  const server = createApiServer({ clock, objects: [...allCrds(), ...shootObjects] })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  const listener = await server.listen()
  const folder = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  const kubeconfig = join(folder, 'kubeconfig')
  await writeFile(kubeconfig, server.kubeconfig(listener.url), { mode: 0o600 })
  const start = functionProcesses({
    kubeconfig,
    env: { TRELLIS_DRAIN_MS: String(drainMs) },
    programOf: () => 'test/bench/memory/programs/slow-functions.ts',
  })
  const activator = createActivator({
    starterOf: name => (name === service ? () => start({ name, file: '' }) : undefined),
    clock,
    idleMs: undefined,
  })
  const broker = await createBroker({
    manifests: parseManifests([{ name: 'bench', text: manifests }]),
    resolve: name => activator.url(name),
    onAnswered: activator.answered,
    clock,
    log: silent,
  })
  const bridges = bridgeProcesses()
  return {
    kubernetes,
    /** A replica of the bridge; resolves when it serves its metrics. */
    bridge: async () => {
      const bridge = bridges.start({
        TRELLIS_KUBECONFIG: kubeconfig,
        K_SINK: broker.ingress('trellis', 'default'),
        TRELLIS_KINDS: 'Network,ContainerRuntime',
        TRELLIS_LEADER_ELECTION: 'true',
        TRELLIS_LEASE_NAMESPACE: namespace,
      })
      const port = await bridge.port
      return {
        ...bridge,
        leads: async () =>
          /^trellis_bridge_leader(\{.*\})? 1$/m.test(
            await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
          ),
      }
    },
    /**
     * Sends SIGTERM, as to a terminating pod. Events that arrive meanwhile start a new process. Resolves when the
     * process has ended.
     */
    endFunctions: () => activator.restart(service),
    onObject: server.store.subscribe,
    close: async () => {
      bridges.killAll()
      await activator.close()
      await broker.close()
      await listener.close()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
