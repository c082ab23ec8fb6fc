import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { firstAt } from '../resources/first-at.ts'
import type { PrinterColumn, ResourceVersion } from '../resources/resource-definition.ts'
import { ageOf } from './age.ts'

/** The object part of a row. Default: `Metadata`. */
export type IncludeObject = 'None' | 'Metadata' | 'Object'

export interface TableOptions {
  readonly includeObject: IncludeObject
  /** Milliseconds since the epoch, for ages. */
  readonly now: number
  readonly withColumns: boolean
}

const nameColumn: PrinterColumn = { name: 'Name', type: 'string', format: 'name' }

/** Custom resources list their columns without the name column. */
const columnsOf = (version: ResourceVersion): readonly PrinterColumn[] =>
  version.columns.some(column => column.cell) ? version.columns : [nameColumn, ...version.columns]

const describe = ({ jsonPath }: PrinterColumn): string =>
  jsonPath === undefined ? '' : `Custom resource definition column (in JSONPath format): ${jsonPath}`

const definitionOf = (column: PrinterColumn): object => ({
  name: column.name,
  type: column.type,
  format: column.format ?? '',
  description: column.description ?? describe(column),
  priority: column.priority ?? 0,
})

const cellOf = (column: PrinterColumn, object: KubernetesObject, now: number): unknown => {
  if (column.cell) return column.cell(object, now)
  if (column.jsonPath === undefined) return object.metadata.name
  const value = firstAt(object, column.jsonPath)
  if (value === undefined || value === null) return column.type === 'date' ? '<unknown>' : null
  switch (column.type) {
    case 'date':
      return typeof value === 'string' ? ageOf(value, now) : '<invalid>'
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null
    case 'number':
      return typeof value === 'number' ? value : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    default:
      return typeof value === 'string' ? value : JSON.stringify(value)
  }
}

const attached = (object: KubernetesObject, include: IncludeObject): object => {
  if (include === 'None') return { object: null }
  return { object: include === 'Object' ? object : partialMetadata(object) }
}

export const partialMetadata = ({ metadata }: KubernetesObject): object => ({
  kind: 'PartialObjectMetadata',
  apiVersion: 'meta.k8s.io/v1',
  metadata,
})

/** Returns the output of `kubectl get`: the columns of the version, one row per object. */
export const tableOf = (
  version: ResourceVersion,
  objects: readonly KubernetesObject[],
  metadata: object,
  options: TableOptions,
): object => {
  const columns = columnsOf(version)
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: options.withColumns ? columns.map(definitionOf) : [],
    rows: objects.map(object => ({
      cells: columns.map(column => cellOf(column, object, options.now)),
      ...attached(object, options.includeObject),
    })),
  }
}
