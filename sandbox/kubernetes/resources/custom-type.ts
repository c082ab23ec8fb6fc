import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { type EnforcedSchema, isRecord, type JsonRecord } from '../schema/structural-schema.ts'
import type { PrinterColumn, ResourceDefinition, ResourceVersion } from './resource-definition.ts'

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter(item => typeof item === 'string') : []

const records = (value: unknown): readonly JsonRecord[] =>
  Array.isArray(value) ? value.filter(isRecord) : []

/** Used if a definition has no columns. */
const ageOnly: readonly PrinterColumn[] = [
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
]

const columnsOf = (version: JsonRecord): readonly PrinterColumn[] => {
  const given = records(version.additionalPrinterColumns)
  if (given.length === 0) return ageOnly
  return given.map(column => ({
    name: String(column.name),
    type: String(column.type),
    jsonPath: String(column.jsonPath),
    ...(typeof column.format === 'string' ? { format: column.format } : {}),
    ...(typeof column.description === 'string' ? { description: column.description } : {}),
    ...(typeof column.priority === 'number' ? { priority: column.priority } : {}),
  }))
}

const scalePathsOf = (scale: unknown): Pick<ResourceVersion, 'scale'> =>
  isRecord(scale)
    ? {
        scale: {
          specReplicas: String(scale.specReplicasPath),
          statusReplicas: String(scale.statusReplicasPath),
          ...(typeof scale.labelSelectorPath === 'string' && { selector: scale.labelSelectorPath }),
        },
      }
    : {}

const versionOf = (version: JsonRecord): ResourceVersion => {
  const schema = isRecord(version.schema) ? version.schema.openAPIV3Schema : undefined
  return {
    name: String(version.name),
    hasStatus: isRecord(version.subresources) && version.subresources.status !== undefined,
    ...(isRecord(version.subresources) && scalePathsOf(version.subresources.scale)),
    columns: columnsOf(version),
    selectableFields: records(version.selectableFields).map(field => String(field.jsonPath)),
    ...(isRecord(schema) ? { schema: schema as EnforcedSchema } : {}),
  }
}

/** `v10` > `v2` > `v1` > `v1beta2` > `v1beta1` > `v1alpha1` > anything else (apimachinery, version priority). */
const priorityOf = (name: string): number => {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(name)
  if (!match) return -1
  const [, major, stage, minor = '0'] = match
  const rank = stage === undefined ? 2 : stage === 'beta' ? 1 : 0
  return rank * 1e8 + Number(major) * 1e4 + Number(minor)
}

export const customType = (definition: KubernetesObject): ResourceDefinition => {
  const spec = isRecord(definition.spec) ? definition.spec : {}
  const names = isRecord(spec.names) ? spec.names : {}
  const versions = records(spec.versions)
  const served = versions
    .filter(version => version.served !== false)
    .map(versionOf)
    .sort((a, b) => priorityOf(b.name) - priorityOf(a.name))
  const kind = String(names.kind)
  return {
    group: String(spec.group),
    plural: String(names.plural),
    singular: String(names.singular ?? kind.toLowerCase()),
    kind,
    listKind: String(names.listKind ?? `${kind}List`),
    shortNames: texts(names.shortNames),
    categories: texts(names.categories),
    namespaced: spec.scope === 'Namespaced',
    versions: served,
    storageVersion: String(versions.find(version => version.storage === true)?.name),
    custom: true,
    countsGenerations: true,
    unconditionalUpdate: false,
  }
}
