import fc from 'fast-check'
import { expect, test } from 'vitest'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import type { Worker } from '../../../../shared/contract/objects.ts'
import type { GroupVersionResource, KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { nodeChanges } from '../../../../shared/worker/rolls/rolls.ts'
import { apiVersion } from '../../../../terraform-free-infra/aws/account/config/config.ts'
import { machineHashInputs } from '../../worker/machines/machines.ts'
import { planWorker } from '../../worker/plan.ts'
import { withOther } from '../testing/reviews.ts'
import { clusterSpecOf, workerSpecOf } from './testing/gardenlet-worker.ts'
import { base } from './testing/updated-shoot.ts'
import { updatesGarden } from './testing/updates-garden.ts'

const profile = updatesGarden().find(({ kind }) => kind === 'CloudProfile')
const shootBase = base()
const namespace = 'shoot--p--s'

const one = <T>(...values: readonly T[]) => fc.constantFrom(...values)
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })

const workerConfig = fc
  .record(
    {
      volume: fc.record({ iops: one(3000, 4000) }),
      nodeTemplate: fc.record(
        { capacity: fc.constant({ cpu: '3' }), virtualCapacity: fc.constant({ 'example.com/x': '1' }) },
        { requiredKeys: [] },
      ),
      cpuOptions: fc.record(
        { coreCount: one(1, 2), threadsPerCore: one(1, 2), amdSevSnp: one('enabled', 'disabled') },
        { requiredKeys: ['coreCount', 'threadsPerCore'] },
      ),
      networkInterfaces: fc.constant([{ description: 'a' }]),
      placement: fc.record({ tenancy: one('default', 'dedicated') }),
    },
    { requiredKeys: [] },
  )
  .map(fields => ({ apiVersion, kind: 'WorkerConfig', ...fields }))

const pool = fc.record({
  'machine.type': one('m5.large', 'm5.xlarge'),
  'machine.image.version': one('1877.3.0', '1877.4.0'),
  'volume.size': one('50Gi', '60Gi'),
  'volume.type': one('gp2', 'gp3'),
  'volume.encrypted': one(undefined, true, false),
  dataVolumes: maybe(
    fc.uniqueArray(
      fc.record({ name: one('a', 'b', 'c'), size: one('10Gi', '20Gi'), type: one('gp2', 'gp3') }),
      {
        selector: ({ name }) => name,
        maxLength: 2,
      },
    ),
  ),
  providerConfig: maybe(workerConfig),
  cri: maybe(fc.constant({ name: 'containerd' })),
  'kubernetes.version': maybe(one('1.33.3', '1.33.4')),
  'kubernetes.kubelet': maybe(fc.record({ maxPods: one(50, 100), cpuManagerPolicy: one('none', 'static') })),
  labels: maybe(fc.constant({ a: 'b' })),
  maximum: one(3, 5),
})

const shoot = fc.record({
  'kubernetes.version': one('1.33.3', '1.33.4', '1.34.1'),
  'kubernetes.kubelet': maybe(
    fc.record({ maxPods: one(50, 100), kubeReserved: fc.record({ cpu: one('1', '1000m', '2') }) }),
  ),
  'kubernetes.kubeProxy.mode': one('IPTables', 'IPVS'),
  'systemComponents.nodeLocalDNS.enabled': fc.boolean(),
  pool,
})
type Fields = typeof shoot extends fc.Arbitrary<infer F> ? F : never

const shootOf = ({ pool: fields, ...spec }: Fields, updateStrategy: string) =>
  withOther(shootBase, {
    'spec.kubernetes.kubeProxy.enabled': true,
    ...under('spec', spec),
    'spec.provider.workers.0.updateStrategy': updateStrategy,
    ...under('spec.provider.workers.0', fields),
  })

const under = (path: string, fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${path}.${name}`, value]))

/** A name that differs exactly if gardenlet's differs: another function of the same values. */
const nameOf = ({ pool: fields, ...spec }: Fields, strategy: string): string => {
  if (strategy !== 'AutoRollingUpdate') return 'gardener-node-agent-pool1'
  const version = fields['kubernetes.version'] ?? spec['kubernetes.version']
  const minor = version.slice(0, 4)
  const kubelet = Object(fields['kubernetes.kubelet'] ?? spec['kubernetes.kubelet'])
  const isDns =
    spec['systemComponents.nodeLocalDNS.enabled'] &&
    (minor === '1.33' || spec['kubernetes.kubeProxy.mode'] === 'IPVS')
  return JSON.stringify([
    minor,
    fields['machine.type'],
    fields['machine.image.version'],
    fields['volume.size'],
    fields['volume.type'],
    fields.cri,
    isDns,
    { 1: 1, '1000m': 1, 2: 2 }[String(kubelet.kubeReserved?.cpu)],
    kubelet.cpuManagerPolicy,
  ])
}

const reader = (objects: Readonly<Record<string, readonly KubernetesObject[]>>) => ({
  get: async ({ plural }: GroupVersionResource, { name }: { readonly name: string }) =>
    plural === 'secrets'
      ? { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, data: { cloud_config: 'eA==' } }
      : objects[plural]?.find(({ metadata }) => metadata.name === name),
  list: async ({ plural }: GroupVersionResource) => ({ items: objects[plural] ?? [], resourceVersion: '1' }),
})

const plan = (object: KubernetesObject, name: string, objects: Parameters<typeof reader>[0]) =>
  planWorker({
    object: {
      apiVersion: 'extensions.gardener.cloud/v1alpha1',
      kind: 'Worker',
      metadata: { name: 's', namespace },
      spec: workerSpecOf(object, { pool1: name }),
    } as Worker,
    cluster: {
      apiVersion: 'extensions.gardener.cloud/v1alpha1',
      kind: 'Cluster',
      metadata: { name: namespace },
      spec: clusterSpecOf(object, profile as KubernetesObject),
    },
    secret: { name: 'cloudprovider', namespace, labels: {}, data: {} },
    kubernetes: reader(objects),
    clock: virtualClock(0),
    signal: new AbortController().signal,
  })

/** The MachineDeployments after the reconcile that was planned. */
const deploymentsAfter = ({ writes }: Awaited<ReturnType<typeof plan>>): readonly KubernetesObject[] => {
  const named = (plural: string) => writes.filter(({ resource }) => resource === plural)
  return named('machinedeployments').map(({ name }) => ({
    apiVersion: 'machine.sapcloud.io/v1alpha1',
    kind: 'MachineDeployment',
    metadata: { name, namespace },
    spec: {
      replicas: 1,
      template: {
        spec: { class: { name: named('machineclasses').find(one => one.name.startsWith(`${name}-`))?.name } },
      },
    },
  }))
}

test('a roll of any change of a pool is announced if and only if the Worker plans it', async () => {
  const strategies = one('AutoRollingUpdate', 'AutoInPlaceUpdate', 'ManualInPlaceUpdate')
  const [example] = fc.sample(shoot, 1)
  const changed = fc.subarray(Object.keys({ ...example, ...example?.pool }), { maxLength: 2 })
  let rolls = 0
  let others = 0
  await fc.assert(
    fc.asyncProperty(shoot, shoot, changed, strategies, async (was, other, names, strategy) => {
      const now = mixed(was, other, names)
      const [former, next] = [shootOf(was, strategy), shootOf(now, strategy)]
      const before = await plan(former, nameOf(was, strategy), {})
      expect(before.problems).toEqual([])
      const after = await plan(next, nameOf(now, strategy), { machinedeployments: deploymentsAfter(before) })
      const planned = after.actions.some(({ why }) => why !== undefined)
      const announced = nodeChanges(machineHashInputs, { former, next })
      expect(announced.map(change => 'pool' in change && change.pool)).toEqual(planned ? ['pool1'] : [])
      if (planned) rolls++
      else others++
    }),
    { numRuns: 150 },
  )
  expect(Math.min(rolls, others)).toBeGreaterThan(5)
})

/** Returns a Shoot with the named fields of another one. */
const mixed = (was: Fields, other: Fields, names: readonly string[]): Fields => {
  const taken = (mine: object, theirs: object): object =>
    Object.fromEntries(
      Object.entries(mine).map(([name, value]) => [
        name,
        names.includes(name) ? Reflect.get(theirs, name) : value,
      ]),
    )
  return { ...taken(was, other), pool: taken(was.pool, other.pool) } as Fields
}
