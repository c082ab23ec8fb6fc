import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { bridgeSettings } from '../bridge/bridge.ts'
import { findFunctions } from '../functions/find-functions.ts'
import { awaitedBy } from '../shared/contract/awaited.ts'
import { monitoredKinds } from '../shared/contract/health.ts'
import { clusterKind, kindNames, kinds } from '../shared/contract/kinds.ts'
import { rbacResource } from '../shared/kubernetes/kubernetes.ts'
import { parseSettings } from '../shared/runtime/runtime.ts'

interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly verbs: readonly string[]
}

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly rules?: readonly Rule[]
  readonly roleRef?: { readonly kind: string; readonly name: string }
  readonly subjects?: readonly { readonly kind: string; readonly name: string; readonly namespace: string }[]
}

const functions = await findFunctions()
const manifests = ['base', 'admission']
  .map(name => `${import.meta.dirname}/${name}`)
  .flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(file => `${folder}/${file}`),
  )
  .filter(file => file.endsWith('.yaml'))
  .flatMap(file => parseAllDocuments(readFileSync(file, 'utf8')))
  .map(document => document.toJS() as Manifest)
const roles = manifests.filter(({ rules }) => rules !== undefined)
const bindings = manifests.filter(({ roleRef }) => roleRef !== undefined)
const accounts = manifests.filter(({ kind }) => kind === 'ServiceAccount')

/** `get coordination.k8s.io/leases of trellis-bridge`, one for each verb. */
const allowed = (account: string, kind: string): readonly string[] =>
  bindings
    .filter(
      ({ roleRef, subjects }) => roleRef?.kind === kind && subjects?.some(({ name }) => name === account),
    )
    .flatMap(
      ({ roleRef }) =>
        roles.find(role => role.kind === kind && role.metadata.name === roleRef?.name)?.rules ?? [],
    )
    .flatMap(({ apiGroups, resources, resourceNames = [], verbs }) =>
      apiGroups.flatMap(group =>
        resources.flatMap(resource =>
          verbs.map(verb =>
            [verb, `${group}/${resource}`, ...resourceNames.map(name => `of ${name}`)].join(' '),
          ),
        ),
      ),
    )

describe('the permissions in the manifests', () => {
  test.each(roles.map(role => [`${role.kind} ${role.metadata.name}`, role] as const))(
    '%s has no wildcard',
    (_, role) => {
      const words = (role.rules ?? []).flatMap(({ apiGroups, resources, verbs }) => [
        ...apiGroups,
        ...resources,
        ...verbs,
      ])
      expect(words.filter(word => word.includes('*'))).toEqual([])
    },
  )

  test.each(accounts.map(({ metadata }) => metadata.name))(
    '%s has a ClusterRole with a name like the ClusterRoles of extensions',
    name => {
      const own = bindings.filter(
        ({ kind, subjects }) =>
          kind === 'ClusterRoleBinding' && subjects?.some(subject => subject.name === name),
      )
      expect(own.map(({ metadata, roleRef }) => [metadata.name, roleRef?.name])).toEqual([
        [`extensions.gardener.cloud:trellis:${name}`, `extensions.gardener.cloud:trellis:${name}`],
      ])
    },
  )

  test('allow the bridge no writes in its seed except heartbeats and Events about its objects, and questions about tokens', () => {
    const heartbeat = ' coordination.k8s.io/leases of gardener-extension-heartbeat'
    const written = allowed('bridge', 'ClusterRole').filter(rule => rule.includes('/leases'))
    // Kubernetes cannot restrict creation by name.
    expect(written).toEqual([`patch${heartbeat}`, 'create coordination.k8s.io/leases'])
    const verbs = new Set(
      allowed('bridge', 'ClusterRole')
        .filter(
          rule => !rule.endsWith('/events') && !rule.endsWith('/tokenreviews') && !written.includes(rule),
        )
        .map(rule => rule.split(' ')[0]),
    )
    expect([...verbs].toSorted()).toEqual(['get', 'list', 'watch'])
  })

  test('allow the bridge to watch only the kinds, the objects that steps and health depend on, Clusters and Namespaces', () => {
    const extension = 'extensions.gardener.cloud'
    const followed = [
      ...kindNames.map(kind => `${extension}/${kinds[kind].resource.plural}`),
      `${extension}/${clusterKind.resource.plural}`,
      '/namespaces',
      ...Object.values(awaitedBy)
        .flat()
        .map(({ resource }) => `${resource.group}/${resource.plural}`),
      ...Object.values(monitoredKinds)
        .flatMap(({ reads }) => reads)
        .map(({ resource }) => `${resource.group}/${resource.plural}`),
    ]
    const watched = allowed('bridge', 'ClusterRole').filter(rule => rule.startsWith('watch '))
    expect(watched.toSorted()).toEqual([...new Set(followed)].map(resource => `watch ${resource}`).toSorted())
  })

  test('allow the bridge to create a Lease and to use the one in its settings', () => {
    const env = { TRELLIS_SEED: 's', K_SINK: 'http://sink' }
    const lease = parseSettings(bridgeSettings, { env }).leaseName
    const leases = allowed('bridge', 'Role').filter(rule => rule.includes('/leases'))
    expect(leases.toSorted()).toEqual([
      'create coordination.k8s.io/leases',
      ...['get', 'list', 'update', 'watch'].map(verb => `${verb} coordination.k8s.io/leases of ${lease}`),
    ])
  })

  test.each(functions.map(({ name, ...rest }) => [name, rest] as const))(
    'lets %s write its own kind and what its definition names, and read single objects',
    (name, { kind, permissions }) => {
      const { resource } = kinds[kind]
      const object = `${resource.group}/${resource.plural}`
      const own = permissions.flatMap(permission =>
        permission.verbs.map(verb => `${verb} ${permission.resource.group}/${rbacResource(permission)}`),
      )
      const written = allowed(name, 'ClusterRole').filter(rule => !rule.startsWith('get '))
      expect(written.toSorted()).toEqual(
        [
          `patch ${object}`,
          `patch ${object}/status`,
          // The finalizer of a backup on its Secret, and the orphans of a forced deletion.
          ...(kind.startsWith('Backup') ? ['patch /secrets'] : ['create /events']),
          ...own.filter(rule => !rule.startsWith('get ')),
        ].toSorted(),
      )
    },
  )

  test('are bound only to the bridge, the webhook processes and the existing functions', () => {
    expect(accounts.map(({ metadata }) => metadata.name).toSorted()).toEqual(
      ['admission', 'bridge', 'webhook', ...functions.map(({ name }) => name)].toSorted(),
    )
  })
})
