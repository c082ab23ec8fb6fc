import { createLocalSide, type LocalSide } from '../../../sandbox/providers/local/simulation/local-side.ts'
import { shootObjects } from '../../../sandbox/stepped-seed/stepped-seed.ts'
import { deployments, namespaces } from '../../../shared/kubernetes/core-resources.ts'
import type { GroupVersionResource, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { secrets } from './accounts.ts'
import { type History, type HistoryOptions, history, mustHold } from './history.ts'
import { type Life, minute, type OwnObject } from './life.ts'

type LocalLife = Life<LocalSide>

const namespace = 'shoot--garden--moor'
const zone = 'local.gardener.cloud'

const shoot = (sleeps = false): object => ({
  metadata: { name: 'moor', namespace: 'garden-garden', uid: '1a4f6c85-9d60-4d3e-b088-5040706090ff' },
  spec: {
    kubernetes: { version: '1.33.3' },
    hibernation: { enabled: sleeps },
    networking: { type: 'calico', nodes: '10.0.128.0/17', pods: '10.3.0.0/16', services: '10.4.0.0/16' },
    provider: { type: 'local', workers: [] },
  },
  status: { technicalID: namespace },
})

const objectsOf = (): readonly KubernetesObject[] => [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'garden' } },
  ...shootObjects({
    namespace,
    shoot: shoot(),
    secrets: { cloudprovider: { kubeconfig: 'any' }, dns: {} },
  }).map(object =>
    object.kind === 'Cluster'
      ? {
          ...object,
          metadata: {
            ...object.metadata,
            annotations: {
              'generic-token-kubeconfig.secret.gardener.cloud/name': 'generic-token-kubeconfig',
            },
          },
        }
      : object,
  ),
]

const localHistory = (
  title: string,
  functions: readonly string[],
  kind: OwnObject['kind'],
  course: (life: LocalLife) => Promise<void>,
  points?: HistoryOptions<LocalSide>['points'],
): History =>
  history({
    name: `${functions[0]}: ${title}`,
    functions,
    kinds: [kind],
    ...(points && { points }),
    cloud: createLocalSide(''),
    ofSeeds: { objects: objectsOf() },
    course,
  })

const managedResources: GroupVersionResource = {
  group: 'resources.gardener.cloud',
  version: 'v1alpha1',
  plural: 'managedresources',
  namespaced: true,
}
const networkPolicies = {
  group: 'networking.k8s.io',
  version: 'v1',
  plural: 'networkpolicies',
  namespaced: true,
}
const clusters = {
  group: 'extensions.gardener.cloud',
  version: 'v1alpha1',
  plural: 'clusters',
  namespaced: false,
}

const runtime = (pool: string): OwnObject => ({
  kind: 'ContainerRuntime',
  key: { name: `gvisor-${pool}`, namespace },
  spec: {
    type: 'gvisor',
    binaryPath: '/var/bin/containerruntimes',
    workerPool: { name: pool, selector: { matchLabels: { 'worker.gardener.cloud/pool': pool } } },
  },
})
const shared = { name: 'extension-runtime-gvisor', namespace }

const authenticator: OwnObject = {
  kind: 'Extension',
  key: { name: 'oidc', namespace },
  spec: { type: 'shoot-oidc-service' },
}
const authorities = async (life: LocalLife): Promise<string> => {
  const { items } = await life.seed.kubernetes.list(secrets, {
    namespace,
    labelSelector: 'managed-by=secrets-manager',
  })
  return items
    .filter(object => 'ca.key' in Object(object.data))
    .map(object => String(Object(object.data)['ca.crt']))
    .join()
}

const config: OwnObject = {
  kind: 'OperatingSystemConfig',
  key: { name: 'pool', namespace },
  spec: { type: 'ubuntu', purpose: 'provision', units: [], files: [] },
}

const record: OwnObject = {
  kind: 'DNSRecord',
  key: { name: 'moor', namespace },
  spec: {
    type: 'local',
    secretRef: { name: 'dns', namespace },
    name: `api.moor.${zone}`,
    recordType: 'A',
    values: ['203.0.113.1'],
    ttl: 120,
  },
}

const infrastructure: OwnObject = {
  kind: 'Infrastructure',
  key: { name: 'moor', namespace },
  spec: { type: 'local', region: 'local', secretRef: { name: 'cloudprovider', namespace } },
}
const infra = `infra-${namespace}`

const bucket: OwnObject = {
  kind: 'BackupBucket',
  key: { name: 'bucket-of-moor' },
  spec: { type: 'local', region: 'local', secretRef: { name: 'dns', namespace } },
}

const extension: OwnObject = {
  kind: 'Extension',
  key: { name: 'local-ext-shoot', namespace },
  spec: { type: 'local-ext-shoot' },
}

const untilOperation = (life: LocalLife, object: OwnObject, type: string): Promise<void> =>
  life.until(`${type} is not done`, async () => {
    const { lastOperation } = Object((await life.live(object))?.status)
    return lastOperation?.type === type && lastOperation.state === 'Succeeded'
  })

export const localHistories: readonly History[] = [
  localHistory(
    'the last two runtimes leave no shared objects',
    ['gvisor-containerruntime'],
    'ContainerRuntime',
    async life => {
      await life.apply(runtime('a'))
      await life.apply(runtime('b'))
      // Both steps read the list of runtimes before one of them ends.
      life.fault({
        of: /gvisor/,
        about: /^PATCH .*\/containerruntimes\/gvisor-[ab]$/,
        times: Number.POSITIVE_INFINITY,
        fate: { kind: 'pass', beforeMs: 5_000 },
      })
      await Promise.all([life.drop(runtime('a')), life.drop(runtime('b'))])
      await Promise.all([life.untilGone(runtime('a')), life.untilGone(runtime('b'))])
      await life.sleep(5 * minute)
      mustHold(
        (await life.seed.kubernetes.get(managedResources, shared)) === undefined,
        'the shared ManagedResource is leaked',
      )
    },
  ),
  localHistory(
    'a runtime that is created during the deletion of another one has the shared objects',
    ['gvisor-containerruntime'],
    'ContainerRuntime',
    async life => {
      await life.apply(runtime('a'))
      life.fault({
        of: /gvisor/,
        about: /^DELETE .*managedresources\/extension-runtime-gvisor$/,
        fate: { kind: 'pass', beforeMs: 20_000 },
      })
      await life.drop(runtime('a'))
      await life.sleep(5_000)
      await life.apply(runtime('b'))
      await life.untilGone(runtime('a'))
      await life.sleep(10 * minute)
      mustHold(
        (await life.seed.kubernetes.get(managedResources, shared)) !== undefined,
        'the shared ManagedResource is missing',
      )
    },
    'stale',
  ),
  localHistory('a migration that is given up retains the CA', ['oidc-extension'], 'Extension', async life => {
    await life.apply(authenticator)
    const before = await authorities(life)
    await life.request(authenticator, 'migrate')
    await untilOperation(life, authenticator, 'Migrate')
    await life.request(authenticator, 'restore')
    await untilOperation(life, authenticator, 'Restore')
    mustHold(before !== '' && before === (await authorities(life)), 'the CA was replaced')
  }),
  localHistory('a hibernated shoot has no authenticator', ['oidc-extension'], 'Extension', async life => {
    await life.apply(authenticator)
    await life.seed.kubernetes.patch(clusters, { name: namespace }, { spec: { shoot: shoot(true) } })
    await life.apply(authenticator)
    await life.sleep(2 * minute)
    const { items } = await life.seed.kubernetes.list(deployments, { namespace })
    const awake = items.filter(({ spec }) => (Object(spec).replicas ?? 1) > 0)
    mustHold(
      items.length > 0 && awake.length === 0,
      `Deployments are awake: ${awake.length} of ${items.length}`,
    )
  }),
  localHistory(
    'a Secret of another controller is not overwritten',
    ['ubuntu-operatingsystemconfig', 'gardenlinux-operatingsystemconfig', 'suse-chost-operatingsystemconfig'],
    'OperatingSystemConfig',
    async life => {
      const foreign = { name: 'osc-result-pool', namespace }
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'other', uid: 'other', controller: true }
      const other = await life.seed.kubernetes.create(
        { ...secrets, plural: 'configmaps' },
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'other', namespace } },
      )
      await life.seed.kubernetes.create(secrets, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { ...foreign, ownerReferences: [{ ...owner, uid: other.metadata.uid ?? '' }] },
        data: { cloud_config: 'b3RoZXI=' },
      })
      await life.request(config)
      await life.sleep(10 * minute)
      const data = Object((await life.seed.kubernetes.get(secrets, foreign))?.data)
      mustHold(data.cloud_config === 'b3RoZXI=', 'the Secret of another controller was overwritten')
    },
  ),
  localHistory(
    'a network policy that a user deletes is created again',
    ['local-infrastructure', 'local-bastion', 'local-selfhostedshootexposure'],
    'Infrastructure',
    async life => {
      const { kubernetes } = life.world.cloud.local.cluster
      await life.apply(infrastructure)
      const { items } = await kubernetes.list(networkPolicies, { namespace: infra })
      const { name } = items[0]?.metadata ?? {}
      if (name === undefined) throw new Error('there is no network policy')
      const key = { name, namespace: infra }
      await kubernetes.patch(networkPolicies, key, { metadata: { finalizers: ['example.com/hold'] } })
      await kubernetes.delete(networkPolicies, key)
      await life.request(infrastructure)
      await life.sleep(30_000)
      await kubernetes.patch(networkPolicies, key, { metadata: { finalizers: null } })
      await life.untilSucceeded(infrastructure)
      await life.sleep(5 * minute)
      mustHold((await kubernetes.get(networkPolicies, key)) !== undefined, `the policy ${name} is missing`)
    },
  ),
  localHistory(
    'a deletion after a crash leaks no Secret',
    ['local-backupbucket'],
    'BackupBucket',
    async life => {
      life.fault({
        of: /local-backupbucket/,
        about: /^POST .*\/namespaces\/garden\/secrets/,
        fate: { kind: 'crash', when: 'after' },
      })
      const generated = { name: 'generated-bucket-bucket-of-moor', namespace: 'garden' }
      await life.request(bucket)
      await life.until(
        'the Secret',
        async () => (await life.seed.kubernetes.get(secrets, generated)) !== undefined,
      )
      await life.drop(bucket)
      await life.untilGone(bucket)
      mustHold((await life.seed.kubernetes.get(secrets, generated)) === undefined, 'the Secret is leaked')
    },
    'intermediate',
  ),
  localHistory(
    'an outage of the name server leaks no record',
    ['local-dnsrecord'],
    'DNSRecord',
    async life => {
      await life.apply(record)
      life.fault({ of: /local-dnsrecord/, about: /^DNS/, after: 1, times: 8, fate: { kind: 'unreachable' } })
      await life.drop(record)
      await life.untilGone(record)
      const left = life.world.cloud.local.nameServer.records().map(one => JSON.stringify(one))
      mustHold(!left.some(text => text.includes('moor')), `the record is leaked: ${left.join(', ')}`)
    },
    'unobserved',
  ),
  localHistory(
    'an Extension outlives its objects and leaves no Secrets',
    ['local-extension-shoot', 'local-extension-seed'],
    'Extension',
    async life => {
      await life.apply(extension)
      const [managed] = (await life.seed.kubernetes.list(managedResources, { namespace })).items
      if (managed === undefined) throw new Error('there is no ManagedResource')
      const { name, finalizers = [] } = managed.metadata
      const setFinalizers = (held: readonly string[] | null) =>
        life.seed.kubernetes.patch(managedResources, { name, namespace }, { metadata: { finalizers: held } })
      await setFinalizers([...finalizers, 'example.com/hold'])
      await life.drop(extension)
      await life.sleep(5 * minute)
      mustHold((await life.live(extension)) !== undefined, 'the Extension is gone before its objects')
      await setFinalizers(null)
      await life.untilGone(extension)
      const { items } = await life.seed.kubernetes.list(secrets, {
        namespace,
        labelSelector: 'resources.gardener.cloud/garbage-collectable-reference=true',
      })
      mustHold(
        items.length === 0,
        `Secrets are left: ${items.map(({ metadata }) => metadata.name).join(', ')}`,
      )
    },
  ),
  localHistory(
    'an object that is created before its Cluster is reconciled',
    ['local-infrastructure', 'aws-infrastructure', 'aws-worker', 'local-dnsrecord'],
    'DNSRecord',
    async life => {
      const late = 'shoot--garden--late'
      const objects = shootObjects({ namespace: late, shoot: shoot(), secrets: { dns: {} } })
      const create = (kinds: readonly string[]) =>
        Promise.all(
          objects
            .filter(({ kind }) => kinds.includes(kind ?? ''))
            .map(object =>
              life.seed.kubernetes.create(
                object.kind === 'Namespace' ? namespaces : object.kind === 'Cluster' ? clusters : secrets,
                object,
              ),
            ),
        )
      await create(['Namespace'])
      await create(['Secret'])
      const own: OwnObject = {
        ...record,
        key: { name: 'late', namespace: late },
        spec: { ...record.spec, name: `api.late.${zone}`, secretRef: { name: 'dns', namespace: late } },
      }
      await life.request(own)
      await life.sleep(5 * minute)
      await create(['Cluster'])
      await life.untilSucceeded(own)
    },
    'unobserved',
  ),
]
