import { setTimeout as sleep } from 'node:timers/promises'
import { apiVersion, labels, machineApiVersion } from '../../../shared/contract/constants.ts'
import { type KindName, kinds } from '../../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { sampleObject } from '../../lifecycle/sample-objects.ts'
import type { KnativeSeed } from '../../real/knative/life/knative-seed.ts'
import { podNames } from '../../real/knative/life/pods.ts'
import { untilPasses } from '../../real/until-passes.ts'
import { healthy } from '../bridge/healthy-seed.ts'
import type { Benchmark, Row } from '../figure.ts'
import { memoryFigures, usageByContainer } from './usage.ts'
import { withKnative } from './with-knative.ts'

const title = 'real Knative at rest'
const shoots = 20
const minutes = 4
const functions = [
  'backupbucket',
  'backupentry',
  'bastion',
  'controlplane',
  'dnsrecord',
  'infrastructure',
  'worker',
]
/** The Deployments of a shoot with a pod: the functions check these. */
const running = ['cloud-controller-manager', 'csi-driver-controller', 'csi-snapshot-controller']
/** Those that a shoot has besides: of the function, at zero, and of gardenlet. */
const others = [
  ...['aws-custom-route-controller', 'aws-ipam-controller', 'aws-load-balancer-controller'],
  ...Array.from({ length: 9 }, (_, index) => `other-${index}`),
]
const completedAt = '2026-11-21T12:00:00Z'

/** Measures memory and processor time with healthy shoots and no change, on Knative's own programs. */
export const shootsOnKnative: Benchmark = {
  name: 'knative-rest',
  run: () => withKnative(title, { functions: functions.map(name => `aws-${name}`) }, measure),
}

const measure = async (seed: KnativeSeed): Promise<readonly Row[]> => {
  await addShoots(seed)
  await untilPasses(
    async () => {
      const names = await podNames(seed.kubernetes)
      if (names.some(isFunction)) throw new Error('functions do not scale to zero')
    },
    { timeoutMs: 600_000, intervalMs: 1_000 },
  )
  const before = await usageByContainer(seed)
  const started = new Set<string>()
  const until = performance.now() + minutes * 60_000
  while (performance.now() < until) {
    for (const name of await podNames(seed.kubernetes)) if (isFunction(name)) started.add(name)
    await sleep(5_000)
  }
  const after = await usageByContainer(seed)
  const circumstances = `${shoots} healthy shoots, ${minutes} minutes`
  return [
    { name: `${title}: pods of functions`, value: started.size, unit: 'starts', with: circumstances },
    ...[...after]
      .filter(([name]) => !name.startsWith('shoot--'))
      .map(([name, { cpuSeconds }]) => ({
        name: `${name}: processor time of an hour`,
        value: ((cpuSeconds - (before.get(name)?.cpuSeconds ?? 0)) * 60) / minutes,
        unit: 's' as const,
        with: circumstances,
      })),
    ...memoryFigures(new Map([...after].filter(([name]) => !name.startsWith('shoot--'))), circumstances),
  ]
}

const isFunction = (pod: string): boolean => functions.some(name => pod.startsWith(`aws-${name}-`))

/** Creates healthy shoots whose functions have nothing to do. Only the Deployments that they check have a pod. */
const addShoots = async ({ kubernetes, machine, resourceOf }: KnativeSeed): Promise<void> => {
  // The machine's own files: a container needs some program.
  const image = { root: '/', command: ['/bin/sleep', 'infinity'] }
  await machine.addImages(Object.fromEntries(running.map(name => [`registry/${name}:v1`, image])))
  for (let index = 0; index < shoots; index++)
    for (const object of healthyShoot(`shoot--bench--${index}`)) {
      const resource = await resourceOf(object)
      await kubernetes.create(resource, object)
      const { status, metadata } = object
      const { name, namespace = '' } = metadata
      // A create request ignores the status.
      if (status) await kubernetes.patch(resource, { name, namespace }, { status }, { subresource: 'status' })
    }
}

/** All objects of a healthy shoot. */
const healthyShoot = (namespace: string): readonly KubernetesObject[] => [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: { [labels.role]: 'shoot' } } },
  {
    apiVersion,
    kind: 'Cluster',
    metadata: { name: namespace },
    spec: { cloudProfile: {}, seed: {}, shoot: { status: { lastOperation: { state: 'Succeeded' } } } },
  },
  ...[...running, ...others].map(name => deploymentOf(namespace, name)),
  ...['a', 'b'].map(name => ({
    apiVersion: machineApiVersion,
    kind: 'MachineDeployment',
    metadata: { name, namespace },
    spec: { replicas: 3, template: { spec: { class: { kind: 'MachineClass', name } } } },
    status: {
      observedGeneration: 1,
      replicas: 3,
      updatedReplicas: 3,
      availableReplicas: 3,
      conditions: [{ type: 'Available', status: 'True', reason: 'a', message: 'b' }],
    },
  })),
  monitored('ControlPlane', namespace, 'ControlPlaneHealthy'),
  monitored('Worker', namespace, 'EveryNodeReady'),
]

/** About as large as a Deployment of a control plane: 6 KB. */
const deploymentOf = (namespace: string, name: string): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name,
    namespace,
    labels: { 'high-availability-config.resources.gardener.cloud/type': 'controller' },
  },
  spec: {
    replicas: running.includes(name) ? 1 : 0,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [
          {
            name,
            image: `registry/${name}:v1`,
            command: ['/bin/sleep', 'infinity'],
            env: Array.from({ length: 40 }, (_, index) => ({
              name: `NAME_${index}`,
              value: 'y'.repeat(100),
            })),
          },
        ],
      },
    },
  },
})

/** A healthy object with a condition of yesterday, as in a seed that runs for long. */
const monitored = (kind: KindName, namespace: string, condition: string): KubernetesObject => {
  const sample = sampleObject(kind, {
    namespace,
    timestamp: completedAt,
    finalizers: [kinds[kind].finalizer('bench')],
    spec: { type: 'aws' },
  })
  const lastOperation = {
    type: 'Reconcile',
    state: 'Succeeded',
    progress: 100,
    description: 'Successfully reconciled',
    lastUpdateTime: completedAt,
  }
  const completed = { ...sample, status: { observedGeneration: 1, lastOperation } }
  return healthy(completed, condition, 24 * 3_600_000)
}
