import type { Registry } from '../resources/registry.ts'
import {
  apiVersionOf,
  type ResourceDefinition,
  type ResourceVersion,
} from '../resources/resource-definition.ts'

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']

/** Custom resources have the same verbs in a different order. */
const customVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']

/** Subresources can only be read and written. */
const statusVerbs = ['get', 'patch', 'update']

const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' }

/** Resources that only accept POST: questions of a client about itself. */
const reviews = [
  { group: 'authorization.k8s.io', plural: 'selfsubjectaccessreviews', kind: 'SelfSubjectAccessReview' },
  { group: 'authorization.k8s.io', plural: 'selfsubjectrulesreviews', kind: 'SelfSubjectRulesReview' },
  { group: 'authentication.k8s.io', plural: 'selfsubjectreviews', kind: 'SelfSubjectReview' },
] as const

interface GroupVersion {
  readonly group: string
  readonly version: string
  readonly types: readonly { readonly type: ResourceDefinition; readonly version: ResourceVersion }[]
  readonly reviews: readonly (typeof reviews)[number][]
}

const groupVersions = (registry: Registry): readonly GroupVersion[] => {
  const found = new Map<string, { group: string; version: string; types: GroupVersion['types'][number][] }>()
  for (const type of registry.all()) {
    for (const version of type.versions) {
      const key = apiVersionOf(type.group, version.name)
      const entry = found.get(key) ?? { group: type.group, version: version.name, types: [] }
      entry.types.push({ type, version })
      found.set(key, entry)
    }
  }
  for (const { group } of reviews) {
    if (!found.has(`${group}/v1`)) found.set(`${group}/v1`, { group, version: 'v1', types: [] })
  }
  return [...found.values()].map(entry => ({
    ...entry,
    reviews: reviews.filter(review => review.group === entry.group && entry.version === 'v1'),
  }))
}

/** `/api`. */
export const coreVersions = (): object => ({
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [],
})

/** `/apis`. */
export const groupList = (registry: Registry): object => {
  const groups = new Map<string, string[]>()
  for (const { group, version } of groupVersions(registry)) {
    if (group !== '') groups.set(group, [...(groups.get(group) ?? []), version])
  }
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: [...groups].map(([name, versions]) => groupEntry(name, versions)),
  }
}

const groupEntry = (name: string, versions: readonly string[]): object => {
  const entries = versions.map(version => ({ groupVersion: `${name}/${version}`, version }))
  return { name, versions: entries, preferredVersion: entries[0] }
}

/** Returns `/apis/<group>`, or undefined. */
export const groupOf = (registry: Registry, group: string): object | undefined => {
  const versions = groupVersions(registry).filter(entry => entry.group === group)
  if (group === '' || versions.length === 0) return undefined
  const names = versions.map(entry => entry.version)
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group, names) }
}

/** Returns `/api/v1` and `/apis/<group>/<version>`, or undefined. */
export const resourceList = (registry: Registry, group: string, version: string): object | undefined => {
  const found = groupVersions(registry).find(entry => entry.group === group && entry.version === version)
  if (!found) return undefined
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: apiVersionOf(group, version),
    resources: [
      ...found.types.flatMap(({ type, version: served }) => [
        {
          name: type.plural,
          singularName: type.singular,
          namespaced: type.namespaced,
          kind: type.kind,
          verbs: type.custom ? customVerbs : verbs,
          ...(type.shortNames.length > 0 ? { shortNames: type.shortNames } : {}),
          ...(type.categories.length > 0 ? { categories: type.categories } : {}),
        },
        ...(served.hasStatus
          ? [
              {
                name: `${type.plural}/status`,
                singularName: '',
                namespaced: type.namespaced,
                kind: type.kind,
                verbs: statusVerbs,
              },
            ]
          : []),
        ...(served.scale
          ? [
              {
                name: `${type.plural}/scale`,
                singularName: '',
                namespaced: type.namespaced,
                ...scaleKind,
                verbs: statusVerbs,
              },
            ]
          : []),
      ]),
      ...found.reviews.map(({ plural, kind }) => ({
        name: plural,
        singularName: '',
        namespaced: false,
        kind,
        verbs: ['create'],
      })),
    ],
  }
}

const aggregatedResource = (group: string, { type, version }: GroupVersion['types'][number]): object => {
  const responseKind = { group, version: version.name, kind: type.kind }
  const subresources = [
    ...(version.hasStatus ? [{ subresource: 'status', responseKind, verbs: statusVerbs }] : []),
    ...(version.scale ? [{ subresource: 'scale', responseKind: scaleKind, verbs: statusVerbs }] : []),
  ]
  return {
    resource: type.plural,
    responseKind,
    scope: type.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: type.singular,
    verbs: type.custom ? customVerbs : verbs,
    ...(type.shortNames.length > 0 ? { shortNames: type.shortNames } : {}),
    ...(type.categories.length > 0 ? { categories: type.categories } : {}),
    ...(subresources.length > 0 && { subresources }),
  }
}

/** Returns `/api` and `/apis` in one document each (apidiscovery.k8s.io/v2), so kubectl needs two requests. */
export const aggregatedDiscovery = (registry: Registry, root: 'api' | 'apis'): object => {
  const groups = new Map<string, object[]>()
  for (const entry of groupVersions(registry)) {
    if ((entry.group === '') !== (root === 'api')) continue
    const version = {
      version: entry.version,
      freshness: 'Current',
      resources: [
        ...entry.types.map(served => aggregatedResource(entry.group, served)),
        ...entry.reviews.map(({ group, plural, kind }) => ({
          resource: plural,
          responseKind: { group, version: 'v1', kind },
          scope: 'Cluster',
          singularResource: kind.toLowerCase(),
          verbs: ['create'],
        })),
      ],
    }
    groups.set(entry.group, [...(groups.get(entry.group) ?? []), version])
  }
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: [...groups].map(([name, versions]) => ({ metadata: name === '' ? {} : { name }, versions })),
  }
}
