import { setTimeout as sleep } from 'node:timers/promises'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { KnativeSeed } from '../../real/knative/life/knative-seed.ts'
import { podNames } from '../../real/knative/life/pods.ts'
import { untilPasses } from '../../real/until-passes.ts'
import type { Benchmark, Row } from '../figure.ts'
import { shootObjects, statusResources } from '../health/shoots.ts'
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

const addShoots = async (seed: KnativeSeed): Promise<void> => {
  // The machine's own files: a container needs some program.
  const image = { root: '/', command: ['/bin/sleep', 'infinity'] }
  await seed.machine.addImages(Object.fromEntries(running.map(name => [`registry/${name}:v1`, image])))
  for (let index = 0; index < shoots; index++)
    for (const object of shootObjects(index, undefined)) await addObject(seed, withPods(object))
}

/** Deployments that no function checks have no pods. */
const withPods = (object: KubernetesObject): KubernetesObject => {
  if (object.kind !== 'Deployment') return object
  const { name } = object.metadata
  const { template, ...spec } = object.spec as {
    readonly template: { readonly spec: { readonly containers: readonly object[] } }
  }
  const containers = template.spec.containers.map(container => ({
    ...container,
    command: ['/bin/sleep', 'infinity'],
  }))
  return {
    ...object,
    spec: {
      ...spec,
      replicas: running.includes(name) ? 1 : 0,
      template: { ...template, spec: { ...template.spec, containers } },
    },
  }
}

const addObject = async (
  { kubernetes, resourceOf }: KnativeSeed,
  object: KubernetesObject,
): Promise<void> => {
  const { kind, metadata, status } = object
  await kubernetes.create(await resourceOf(object), object)
  const resource = statusResources[kind]
  if (kind === 'Deployment' || resource === undefined || status === undefined) return
  const { name, namespace = '' } = metadata
  await kubernetes.patch(resource, { name, namespace }, { status }, { subresource: 'status' })
}
