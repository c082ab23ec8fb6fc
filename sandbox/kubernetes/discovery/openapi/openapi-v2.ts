import type { Registry } from '../../resources/registry.ts'
import {
  apiVersionOf,
  type ResourceDefinition,
  type ResourceVersion,
} from '../../resources/resource-definition.ts'
import { type EnforcedSchema, isRecord } from '../../schema/structural-schema.ts'
import { objectMeta } from './object-meta.ts'
import { objectMetaName, schemaName } from './schema-name.ts'
import { typeMeta } from './type-meta.ts'

const reference = (name: string): object => ({ $ref: `#/definitions/${name}` })

const mapParts = (
  schema: EnforcedSchema,
  change: (part: EnforcedSchema) => EnforcedSchema,
): EnforcedSchema => ({
  ...schema,
  ...(schema.items && { items: change(schema.items) }),
  ...(schema.properties && {
    properties: Object.fromEntries(
      Object.entries(schema.properties).map(([name, part]) => [name, change(part)]),
    ),
  }),
  ...(isRecord(schema.additionalProperties) && {
    additionalProperties: change(schema.additionalProperties as EnforcedSchema),
  }),
})

/** Built-in kinds are published without `nullable`, because Go's decoder accepts null everywhere. */
const ofBuiltIn = (schema: EnforcedSchema): EnforcedSchema => {
  const { nullable: _, ...rest } = schema
  return mapParts(rest, ofBuiltIn)
}

/**
 * Reduces a schema to the part that OpenAPI v2 and kubectl support (apiextensions-apiserver, ToStructuralOpenAPIV2): no
 * combinations, and no schema for nullable values and values with unknown fields.
 */
const withoutUnsupported = (schema: EnforcedSchema): EnforcedSchema => {
  const {
    allOf: _1,
    anyOf: _2,
    oneOf: _3,
    not: _4,
    nullable,
    type,
    items,
    properties,
    required,
    ...rest
  } = schema
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true
  const isVague = nullable === true || isOpen
  const isUntyped =
    nullable === true ||
    (isOpen && type === 'object') ||
    (type === 'array' && (isVague || items === undefined))
  const mayBeNull = (name: string): boolean => properties?.[name]?.nullable === true
  const needed = required?.filter(name => isVague || !mayBeNull(name)) ?? []
  return mapParts(
    {
      ...rest,
      ...(needed.length > 0 && { required: needed }),
      ...(type !== undefined && !isUntyped && { type }),
      ...(items && !isVague && { items }),
      ...(properties && !isVague && { properties }),
    },
    withoutUnsupported,
  )
}

const published = ({ custom }: ResourceDefinition, { schema }: ResourceVersion): object => {
  // With any listed property kubectl would report all others as unknown.
  if (schema === undefined || schema['x-kubernetes-preserve-unknown-fields'] === true)
    return { type: 'object' }
  const { properties, ...rest } = custom ? withoutUnsupported(schema) : ofBuiltIn(schema)
  return {
    ...rest,
    type: 'object',
    properties: {
      ...properties,
      ...typeMeta,
      metadata: { description: 'Standard object metadata.', ...reference(objectMetaName) },
    },
  }
}

const query = (name: string, type = 'string') => ({ name, in: 'query', type, uniqueItems: true })

const inPath = (name: string) => ({ name, in: 'path', type: 'string', required: true, uniqueItems: true })

const pathItem = (type: ResourceDefinition, version: ResourceVersion, isItem: boolean): object => {
  const schema = reference(schemaName(type, version.name))
  const gvk = { group: type.group, version: version.name, kind: type.kind }
  const operation = (action: string, consumes: readonly string[], parameters: readonly object[] = []) => ({
    consumes: consumes.length === 0 ? ['*/*'] : consumes,
    produces: ['application/json', 'application/yaml'],
    parameters:
      consumes.length === 0
        ? parameters
        : [{ name: 'body', in: 'body', required: true, schema }, ...parameters],
    responses: { 200: { description: 'OK', schema } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk,
  })
  const written = [query('dryRun'), query('fieldManager'), query('fieldValidation')]
  const json = ['application/json', 'application/yaml']
  const patches = [
    'application/json-patch+json',
    'application/merge-patch+json',
    ...(type.custom ? [] : ['application/strategic-merge-patch+json']),
    'application/apply-patch+yaml',
  ]
  return {
    ...(isItem
      ? {
          get: operation('get', []),
          put: operation('put', json, written),
          patch: operation('patch', patches, [...written, query('force', 'boolean')]),
          delete: operation('delete', [], [query('dryRun')]),
        }
      : { get: operation('list', []), post: operation('post', json, written) }),
    parameters: [...(type.namespaced ? [inPath('namespace')] : []), ...(isItem ? [inPath('name')] : [])],
  }
}

/**
 * `/openapi/v2`: one Swagger document of everything that is served. kubectl uses it to validate documents that the
 * server does not validate: a `List`, and kinds that are not served.
 */
export const openApiV2Document = (registry: Registry): object => {
  const paths: Record<string, object> = {}
  const definitions: Record<string, object> = { [objectMetaName]: objectMeta }
  for (const type of registry.all()) {
    for (const version of type.versions) {
      const root = `/${type.group === '' ? 'api' : 'apis'}/${apiVersionOf(type.group, version.name)}`
      const base = `${root}${type.namespaced ? '/namespaces/{namespace}' : ''}/${type.plural}`
      paths[base] = pathItem(type, version, false)
      paths[`${base}/{name}`] = pathItem(type, version, true)
      definitions[schemaName(type, version.name)] = {
        ...published(type, version),
        'x-kubernetes-group-version-kind': [{ group: type.group, version: version.name, kind: type.kind }],
      }
    }
  }
  return { swagger: '2.0', info: { title: 'Trellis sandbox', version: 'v1.32.0' }, paths, definitions }
}
