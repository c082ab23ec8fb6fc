import { apiVersion, labels } from '../../../shared/contract/constants.ts'
import { monitoredKinds } from '../../../shared/contract/health.ts'
import { clusterKind, type KindName } from '../../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { type BenchObject, completed, newObject } from './objects.ts'
import { inParallel } from './pace.ts'
import type { BridgeSeed } from './seed.ts'

/** The objects that gardenlet creates for a shoot with two worker pools, two extensions and an ingress. */
const kindsOfShoot = [
  'Infrastructure',
  'ControlPlane',
  'Worker',
  'Network',
  ...['DNSRecord', 'DNSRecord', 'DNSRecord'],
  // Two for each pool: one to provision nodes, one to reconcile them.
  ...['OperatingSystemConfig', 'OperatingSystemConfig', 'OperatingSystemConfig', 'OperatingSystemConfig'],
  ...['Extension', 'Extension'],
  'BackupEntry',
] as const satisfies readonly KindName[]

/** The length of a measurement without changes, and the age of the oldest condition. */
export const restMs = 260_000
const creators = 16

/** Returns `count` objects of healthy shoots. Their conditions are as old as those of a long-running seed. */
const healthyObjects = (prefix: string, count: number): readonly BenchObject[] =>
  Array.from({ length: count }, (_, index) => {
    const kind = kindsOfShoot[index % kindsOfShoot.length] ?? 'DNSRecord'
    const namespace = namespaceOf(prefix, Math.floor(index / kindsOfShoot.length))
    const bench = completed(newObject(kind, `${prefix}-${index}`, namespace))
    const condition = monitoredKinds[kind]?.conditions[0]
    return condition === undefined ? bench : { kind, object: healthy(bench.object, condition, restMs) }
  })

/** Returns the number of objects that have a condition. */
export const monitoredAmong = (objects: readonly BenchObject[]): number =>
  objects.filter(({ kind }) => monitoredKinds[kind] !== undefined).length

const namespaceOf = (prefix: string, index: number) => `shoot--${prefix}--${index}`

/** The object with a healthy condition that was written within the last `ageMs`. */
export const healthy = (object: KubernetesObject, type: string, ageMs: number): KubernetesObject => {
  const writtenAt = new Date(Date.now() - Math.random() * ageMs).toISOString().replace(/\.\d+/, '')
  return {
    ...object,
    status: {
      ...Object(object.status),
      conditions: [
        {
          type,
          status: 'True',
          reason: 'HealthCheckSuccessful',
          message: 'All health checks successful',
          lastTransitionTime: writtenAt,
          lastUpdateTime: writtenAt,
        },
      ],
    },
  }
}

/** Stores `count` objects of healthy shoots in the seed, with the Namespace and the Cluster of each. */
export const storeHealthy = async (
  seed: BridgeSeed,
  prefix: string,
  count: number,
): Promise<readonly BenchObject[]> => {
  const shoots = Array.from({ length: Math.ceil(count / kindsOfShoot.length) }, (_, index) =>
    namespaceOf(prefix, index),
  )
  await inParallel(shoots, creators, name =>
    seed.kubernetes.create(
      { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { [labels.role]: 'shoot' } } },
    ),
  )
  await seed.server.store(
    clusterKind.resource,
    shoots.map(name => ({
      apiVersion,
      kind: 'Cluster',
      metadata: { name, uid: crypto.randomUUID(), generation: 1 },
      spec: { cloudProfile: {}, seed: {}, shoot: { status: { lastOperation: { state: 'Succeeded' } } } },
    })),
  )
  const objects = healthyObjects(prefix, count)
  await seed.store(objects)
  return objects
}
