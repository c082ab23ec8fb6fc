import type { Registry } from '../../resources/registry.ts'
import {
  apiVersionOf,
  type ResourceDefinition,
  type ResourceVersion,
} from '../../resources/resource-definition.ts'
import { objectMeta } from './object-meta.ts'
import { objectMetaName, schemaName } from './schema-name.ts'
import { typeMeta } from './type-meta.ts'

/** `/openapi/v3`: the index of the documents of each group and version. */
export const openApiIndex = (registry: Registry): object => {
  const paths = new Set<string>()
  for (const type of registry.all()) {
    for (const { name } of type.versions)
      paths.add(type.group === '' ? `api/${name}` : `apis/${type.group}/${name}`)
  }
  const revision = registry.revision()
  return {
    paths: Object.fromEntries(
      [...paths].map(path => [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${revision}` }]),
    ),
  }
}

const schemaOf = (type: ResourceDefinition, version: ResourceVersion): object => ({
  type: 'object',
  ...version.schema,
  properties: {
    ...version.schema?.properties,
    ...typeMeta,
    metadata: {
      description: 'Standard object metadata.',
      default: {},
      allOf: [{ $ref: `#/components/schemas/${objectMetaName}` }],
    },
  },
  'x-kubernetes-group-version-kind': [{ group: type.group, version: version.name, kind: type.kind }],
})

const query = (name: string, type = 'string') => ({ name, in: 'query', schema: { type, uniqueItems: true } })

/** kubectl leaves the validation to the server only if it finds `fieldValidation` here. */
const writeParameters = [query('dryRun'), query('fieldManager'), query('fieldValidation')]

const content = (mediaTypes: readonly string[], schema: object) =>
  Object.fromEntries(mediaTypes.map(media => [media, { schema }]))

const pathItem = (type: ResourceDefinition, version: ResourceVersion, isItem: boolean): object => {
  const reference = { $ref: `#/components/schemas/${schemaName(type, version.name)}` }
  const gvk = { group: type.group, version: version.name, kind: type.kind }
  const operation = (action: string, media: readonly string[], parameters: readonly object[]) => ({
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk,
    parameters,
    ...(media.length > 0 ? { requestBody: { content: content(media, reference) } } : {}),
    responses: { 200: { description: 'OK', content: content(['application/json'], reference) } },
  })
  const json = ['application/json']
  if (!isItem) return { get: operation('list', [], []), post: operation('post', json, writeParameters) }
  return {
    get: operation('get', [], []),
    put: operation('put', json, writeParameters),
    patch: operation(
      'patch',
      [
        'application/apply-patch+yaml',
        'application/json-patch+json',
        'application/merge-patch+json',
        ...(type.custom ? [] : ['application/strategic-merge-patch+json']),
      ],
      [...writeParameters, query('force', 'boolean')],
    ),
    delete: operation('delete', [], []),
  }
}

/** `/openapi/v3/apis/<group>/<version>`: schemas for `kubectl explain`, operations for its validation. */
export const openApiDocument = (registry: Registry, group: string, version: string): object | undefined => {
  const served = registry
    .all()
    .filter(type => type.group === group)
    .flatMap(type => type.versions.filter(one => one.name === version).map(one => ({ type, version: one })))
  if (served.length === 0) return undefined
  const root = group === '' ? `/api/${version}` : `/apis/${apiVersionOf(group, version)}`
  const paths: Record<string, object> = {}
  const schemas: Record<string, object> = { [objectMetaName]: objectMeta }
  for (const { type, version: one } of served) {
    const base = `${root}${type.namespaced ? '/namespaces/{namespace}' : ''}/${type.plural}`
    paths[base] = pathItem(type, one, false)
    paths[`${base}/{name}`] = pathItem(type, one, true)
    schemas[schemaName(type, one.name)] = schemaOf(type, one)
  }
  return {
    openapi: '3.0.0',
    info: { title: 'Trellis sandbox', version: 'v1.32.0' },
    paths,
    components: { schemas },
  }
}
