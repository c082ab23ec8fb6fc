import { isDeepStrictEqual } from 'node:util'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { ageOf } from '../read/age.ts'
import type { StatusCause } from '../requests/api-error.ts'
import { type EnforcedSchema, isRecord } from '../schema/structural-schema.ts'
import { coreSchemas } from './core-schemas.ts'
import type { PrinterColumn, ResourceDefinition } from './resource-definition.ts'
import type { ScalePaths } from './scale.ts'

const nameColumn: PrinterColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  cell: object => object.metadata.name,
}

const ageColumn: PrinterColumn = {
  name: 'Age',
  type: 'string',
  cell: (object, now) => ageOf(object.metadata.creationTimestamp, now),
}

/** Adds the first and the last column of a built-in resource. */
export const between = (...columns: readonly PrinterColumn[]): readonly PrinterColumn[] => [
  nameColumn,
  ...columns,
  ageColumn,
]

export const column = (
  name: string,
  cell: NonNullable<PrinterColumn['cell']>,
  priority = 0,
): PrinterColumn => ({
  name,
  type: 'string',
  cell,
  priority,
})

type BuiltIn = Pick<ResourceDefinition, 'plural' | 'kind' | 'namespaced'> &
  Partial<ResourceDefinition> & {
    readonly version?: string
    readonly columns?: readonly PrinterColumn[]
    readonly hasStatus?: boolean
    readonly selectableFields?: readonly string[]
    readonly schema?: EnforcedSchema
    readonly scale?: ScalePaths
  }

export const builtIn = ({
  version = 'v1',
  columns = between(),
  hasStatus = false,
  selectableFields = [],
  schema,
  scale,
  ...type
}: BuiltIn): ResourceDefinition => ({
  group: '',
  singular: type.kind.toLowerCase(),
  listKind: `${type.kind}List`,
  shortNames: [],
  categories: [],
  custom: false,
  countsGenerations: false,
  unconditionalUpdate: true,
  storageVersion: version,
  versions: [
    {
      name: version,
      hasStatus,
      columns,
      selectableFields,
      ...(schema && { schema }),
      ...(scale && { scale }),
    },
  ],
  ...type,
})

const sizeOf = (value: unknown): number => (isRecord(value) ? Object.keys(value).length : 0)

const textAt = (value: unknown, name: string): string =>
  isRecord(value) && value[name] !== undefined ? String(value[name]) : ''

/** A namespace is `Terminating` until it is empty (`spec.finalizers`). */
const prepareNamespace = (
  object: KubernetesObject,
  previous: KubernetesObject | undefined,
): KubernetesObject => ({
  ...object,
  metadata: {
    ...object.metadata,
    labels: { ...object.metadata.labels, 'kubernetes.io/metadata.name': object.metadata.name },
  },
  spec: previous ? (object.spec ?? previous.spec) : { finalizers: ['kubernetes'] },
  status: {
    ...(isRecord(object.status) ? object.status : {}),
    phase: object.metadata.deletionTimestamp === undefined ? 'Active' : 'Terminating',
  },
})

export const namespaces: ResourceDefinition = builtIn({
  plural: 'namespaces',
  kind: 'Namespace',
  schema: coreSchemas.namespace,
  namespaced: false,
  shortNames: ['ns'],
  hasStatus: true,
  selectableFields: ['.status.phase'],
  columns: between(column('Status', object => textAt(object.status, 'phase'))),
  prepare: prepareNamespace,
  holdsDeletion: ({ spec }) => isRecord(spec) && Array.isArray(spec.finalizers) && spec.finalizers.length > 0,
})

/** `stringData` is write-only and is stored in `data`. */
const prepareSecret = (object: KubernetesObject): KubernetesObject => {
  const { stringData, type, ...rest } = object
  const texts = isRecord(stringData) ? Object.entries(stringData) : []
  const encoded = texts.map(([key, text]) => [key, Buffer.from(String(text)).toString('base64')])
  const data = { ...(isRecord(object.data) ? object.data : {}), ...Object.fromEntries(encoded) }
  return {
    ...(rest as KubernetesObject),
    ...(Object.keys(data).length > 0 ? { data } : {}),
    type: typeof type === 'string' && type !== '' ? type : 'Opaque',
  }
}

const immutableField = (field: string, value: unknown): StatusCause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${JSON.stringify(value)}: field is immutable`,
  field,
})

const configKeyText =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"

/** Keys must be valid file names. */
const keyFaults = (object: KubernetesObject): readonly StatusCause[] =>
  ['data', 'binaryData'].flatMap(field => {
    const value = object[field]
    const keys = isRecord(value) ? Object.keys(value) : []
    return keys
      .filter(key => key.length > 253 || !/^[-._a-zA-Z0-9]+$/.test(key) || /^\.\.?$|^\.\./.test(key))
      .map(key => ({
        reason: 'FieldValueInvalid',
        message: `Invalid value: ${JSON.stringify(key)}: ${configKeyText}`,
        field: `${field}[${key}]`,
      }))
  })

/** A ConfigMap key may be in `data` or `binaryData`, not in both. */
const sharedKeys = ({ data, binaryData }: KubernetesObject): readonly StatusCause[] =>
  Object.keys(isRecord(data) ? data : {})
    .filter(key => isRecord(binaryData) && Object.hasOwn(binaryData, key))
    .map(key => ({
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${JSON.stringify(key)}: duplicate of key present in binaryData`,
      field: `data[${key}]`,
    }))

const lockedData = (
  object: KubernetesObject,
  previous: KubernetesObject | undefined,
): readonly StatusCause[] => {
  if (previous?.immutable !== true) return []
  const changed = [
    ...(object.immutable === true ? [] : ['immutable']),
    ...['data', 'binaryData'].filter(name => !isDeepStrictEqual(object[name], previous[name])),
  ]
  return changed.map(field => ({
    reason: 'FieldValueForbidden',
    message: 'Forbidden: field is immutable when `immutable` is set',
    field,
  }))
}

export const secrets: ResourceDefinition = builtIn({
  plural: 'secrets',
  kind: 'Secret',
  schema: coreSchemas.secret,
  namespaced: true,
  selectableFields: ['.type'],
  columns: between(
    column('Type', object => String(object.type ?? '')),
    { name: 'Data', type: 'string', cell: object => sizeOf(object.data) },
  ),
  prepare: prepareSecret,
  check: (object, previous) => [
    ...(previous && previous.type !== object.type ? [immutableField('type', object.type)] : []),
    ...keyFaults(object),
    ...lockedData(object, previous),
  ],
})

export const configMaps: ResourceDefinition = builtIn({
  plural: 'configmaps',
  kind: 'ConfigMap',
  schema: coreSchemas.configMap,
  namespaced: true,
  shortNames: ['cm'],
  columns: between({
    name: 'Data',
    type: 'string',
    cell: object => sizeOf(object.data) + sizeOf(object.binaryData),
  }),
  check: (object, previous) => [...keyFaults(object), ...sharedKeys(object), ...lockedData(object, previous)],
})

const involved = ({ involvedObject }: KubernetesObject): string =>
  `${textAt(involvedObject, 'kind').toLowerCase()}/${textAt(involvedObject, 'name')}`

const lastSeen = (object: KubernetesObject, now: number): string => {
  const { lastTimestamp, eventTime } = object
  const seen = typeof lastTimestamp === 'string' ? lastTimestamp : eventTime
  return ageOf(typeof seen === 'string' ? seen : object.metadata.creationTimestamp, now)
}

export const events: ResourceDefinition = builtIn({
  plural: 'events',
  kind: 'Event',
  schema: coreSchemas.event,
  namespaced: true,
  shortNames: ['ev'],
  selectableFields: [
    ...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map(
      field => `.involvedObject.${field}`,
    ),
    '.reason',
    '.reportingComponent',
    '.source',
    '.type',
  ],
  columns: [
    column('Last Seen', lastSeen),
    column('Type', object => String(object.type ?? '')),
    column('Reason', object => String(object.reason ?? '')),
    column('Object', involved),
    column('Source', object => textAt(object.source, 'component'), 1),
    column('Message', object => String(object.message ?? '').trim()),
    { ...nameColumn, priority: 1 },
  ],
})

export const serviceAccounts: ResourceDefinition = builtIn({
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
  schema: coreSchemas.serviceAccount,
  namespaced: true,
  shortNames: ['sa'],
  columns: between({
    name: 'Secrets',
    type: 'string',
    cell: object => (Array.isArray(object.secrets) ? object.secrets.length : 0),
  }),
})

const portsOf = (spec: unknown): string => {
  const ports = isRecord(spec) && Array.isArray(spec.ports) ? spec.ports : []
  return (
    ports.map(port => `${textAt(port, 'port')}/${textAt(port, 'protocol') || 'TCP'}`).join(',') || '<none>'
  )
}

/** Stored like any object, but nothing serves them. `kubectl cluster-info` lists them. */
export const services: ResourceDefinition = builtIn({
  plural: 'services',
  kind: 'Service',
  namespaced: true,
  shortNames: ['svc'],
  categories: ['all'],
  hasStatus: true,
  columns: between(
    column('Type', object => textAt(object.spec, 'type') || 'ClusterIP'),
    column('Cluster-IP', object => textAt(object.spec, 'clusterIP') || '<none>'),
    column('External-IP', object => textAt(object.spec, 'externalName') || '<none>'),
    column('Port(s)', object => portsOf(object.spec)),
  ),
})
