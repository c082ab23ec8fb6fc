import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openVersion, type PlanningVersion } from '../../cli/upgrade/both-versions.ts'
import { createCloudCalls } from '../../cli/upgrade/cloud-calls.ts'
import { compareVersions } from '../../cli/upgrade/compare-versions.ts'
import { findVersion, ownVersion } from '../../cli/upgrade/other-version.ts'
import { noProgress } from '../../cli/upgrade/progress-file.ts'
import { reportText } from '../../cli/upgrade/report.ts'
import { definition } from '../../functions/aws/worker/function.ts'
import { findProviders } from '../../sandbox/providers/find-providers.ts'
import { createSteppedSeed } from '../../sandbox/stepped-seed/stepped-seed.ts'
import { systemClock, virtualClock } from '../../shared/clock/clock.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import { machineKinds } from '../../shared/contract/machine-kinds.ts'
import {
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
} from '../../shared/kubernetes/kubernetes.ts'
import { secrets } from '../../shared/lifecycle/lifecycle.ts'
import { readYaml } from '../../shared/text/read-yaml.ts'
import { copySources } from '../upgrades/announced/copied-sources.ts'
import { serveObjects } from './testing/worker-seed.ts'

/** The other version also hashes the type of the root volume, from Kubernetes 1.34 on. */
const change = {
  file: 'shared/worker/desired/class-hash.ts',
  find: `  ...(isInPlace(pool) ? [{ name: inPlace, datum: inPlaceHashOf(pool, cluster) }] : []),\n`,
  replace: `  ...(isInPlace(pool) ? [{ name: inPlace, datum: inPlaceHashOf(pool, cluster) }] : []),
  ...(minorText(pool) >= '1.34' ? [{ name: 'type of the root volume', datum: pool.volume?.type ?? '' }] : []),\n`,
}

const copy = copySources([change])
let versions: [PlanningVersion, PlanningVersion]
beforeAll(async () => {
  const options = {
    clouds: {},
    env: {},
    clock: systemClock,
    signal: new AbortController().signal,
    onOutput: () => {},
  }
  versions = [
    await openVersion(ownVersion(), { flag: '--from', ...options }),
    await openVersion(await findVersion(copy.folder), { flag: '--to', ...options }),
  ]
})
afterAll(() => {
  for (const { close } of versions) close()
  copy.remove()
})

interface Pool {
  readonly name: string
  readonly kubernetesVersion: string
  readonly [field: string]: unknown
}

/** Returns all objects of a shoot with a reconciled Worker. */
const shootOf = async (name: string, pools: (system: Pool) => readonly Pool[], isHibernated = false) => {
  const text = await readFile(new URL('../../examples/worker/two-pools.yaml', import.meta.url), 'utf8')
  const documents = readYaml(text.replaceAll('shoot--garden--pools', `shoot--garden--${name}`)).flatMap(
    one => ('value' in one && one.value !== null ? [one.value as KubernetesObject] : []),
  )
  const beside = documents
    .filter(({ kind }) => kind !== 'Worker')
    .map(object => {
      if (object.kind !== 'Cluster' || !isHibernated) return object
      const cluster = structuredClone(object) as unknown as {
        readonly spec: { readonly shoot: { readonly spec: object } }
      }
      Object.assign(cluster.spec.shoot.spec, { hibernation: { enabled: true } })
      return cluster as unknown as KubernetesObject
    })
  const worker = structuredClone(documents.find(({ kind }) => kind === 'Worker')) as KubernetesObject & {
    readonly spec: { pools: readonly Pool[] }
  }
  const [system] = worker.spec.pools
  if (system === undefined) throw new Error('the example has no pool')
  worker.spec.pools = pools(system)
  const seed = createSteppedSeed({
    definition,
    clock: virtualClock(Date.parse('2026-11-21T01:00:00Z')),
    objects: beside,
    connection: undefined,
    waits: 'advance',
  })
  await seed.apply(worker)
  const resources = {
    Cluster: clusterKind.resource,
    Secret: secrets,
    Worker: kinds.Worker.resource,
    ...Object.fromEntries(Object.entries(machineKinds).map(([kind, { resource }]) => [kind, resource])),
  }
  const all = await Promise.all(
    Object.entries(resources).map(async ([kind, resource]) =>
      (await seed.kubernetes.list(resource)).items.map(
        (item): KubernetesObject => ({
          ...item,
          kind,
          apiVersion: resource.group === '' ? resource.version : `${resource.group}/${resource.version}`,
        }),
      ),
    ),
  )
  seed.close()
  return all.flat()
}

test('3: which nodes roll because of the upgrade, and which do not', async () => {
  const pool =
    (name: string, kubernetesVersion: string, more: object = {}) =>
    (system: Pool): Pool => ({
      ...system,
      ...{
        name,
        kubernetesVersion,
        minimum: 3,
        maximum: 3,
        maxSurge: 1,
        maxUnavailable: 0,
        zones: ['eu-west-1a'],
      },
      ...more,
    })
  const data = (size: string) => ({
    dataVolumes: [{ name: 'kubelet-dir', type: 'gp3', size }],
    kubeletDataVolumeName: 'kubelet-dir',
  })
  const c = (await shootOf('c', system => [pool('c', '1.34.1', data('50Gi'))(system)])).map(object => {
    if (object.kind !== 'Worker') return object
    const {
      pools: [only],
      ...spec
    } = Object(object.spec)
    return {
      ...object,
      metadata: { ...object.metadata, generation: 2 },
      spec: { ...spec, pools: [{ ...only, ...data('60Gi') }] },
    }
  })
  const { server, kubernetes: live } = serveObjects(virtualClock(0), [
    ...(await shootOf('a', system => [pool('new', '1.34.1')(system), pool('old', '1.33.5')(system)])),
    ...(await shootOf('b', system => [pool('b', '1.34.1')(system)], true)),
    ...c,
    ...(await shootOf('d', system => [pool('d', '1.34.1')(system)])),
  ])
  const kubernetes: Kubernetes = {
    ...live,
    get: async (resource, key, options) => {
      if (resource.plural === 'secrets' && key.namespace === 'shoot--garden--d')
        throw new KubernetesError(403, 'Forbidden', 'secrets is forbidden')
      return live.get(resource, key, options)
    },
  }
  const comparison = await compareVersions({
    ...{ kubernetes, versions, env: {}, clock: systemClock, progress: noProgress },
    calls: createCloudCalls({
      providers: await findProviders(),
      send: async () => {
        throw new Error('no cloud')
      },
      clock: systemClock,
    }),
    signal: new AbortController().signal,
  })
  server.close()
  const text = reportText({ from: 'one', to: 'two', comparison })
  const [rolls = '', classes = '', anyway = '', unknown = ''] = text.split('\n\n').slice(1)
  const because = 'because of type of the root volume: none → gp3'
  expect(rolls).toBe(
    `Nodes roll\n  roll the pool: 3 machines\n      ${because}\n    in 1 of 4 Workers: shoot--garden--a/pools (roll pool new: replace 3 machines, at most 1 more at once)`,
  )
  expect(classes).toContain('New classes of pools without machines\n  change the class of the pool\n')
  expect(classes).toContain(
    'in 1 of 4 Workers: shoot--garden--b/pools (change the class of 1 machine deployment of pool b, without replacing machines)',
  )
  expect(anyway).toContain('Nodes roll with either version, at the next reconcile\n  roll the pool\n')
  expect(anyway).toContain('in 1 of 4 Workers: shoot--garden--c/pools (roll pool c')
  expect(unknown).toMatch(
    /^Not known\n {2}Worker shoot--garden--d\/pools: .*Secret shoot--garden--d\/cloudprovider.*forbidden$/,
  )
  expect(text).toContain('\n3 of 4 objects differ, 3 machines replaced, 1 not known\n')
  expect(text).not.toContain('pool old')
})
