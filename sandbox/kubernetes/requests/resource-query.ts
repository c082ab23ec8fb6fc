import { fieldSelector, labelSelector, type Predicate } from '../read/selectors.ts'
import type { ResourceVersion } from '../resources/resource-definition.ts'
import { isRecord } from '../schema/structural-schema.ts'
import type { DeleteRequest, Propagation } from '../write/delete-object.ts'
import type { WriteOptions } from './api-context.ts'
import { ApiError, badRequest, invalidOption } from './api-error.ts'

/** Returns the resource version as a number; undefined if absent or empty. */
export const versionParameter = (query: URLSearchParams): number | undefined => {
  const text = query.get('resourceVersion')
  if (text === null || text === '') return undefined
  if (!/^\d+$/.test(text)) {
    const why = `resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`
    if (booleanParameter(query, 'watch')) throw new ApiError({ code: 500, reason: '', message: why })
    throw badRequest(`invalid resource version: ${why}`)
  }
  return Number(text)
}

export const numberParameter = (query: URLSearchParams, name: string): number | undefined => {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  const value = Number(text)
  if (!Number.isInteger(value)) throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`)
  return value
}

export const booleanParameter = (query: URLSearchParams, name: string): boolean =>
  ['', '1', 't', 'true', 'True', 'TRUE'].includes(query.get(name) ?? 'false')

/** Combines label and field selector; `isFiltered` is true if there is one. */
export const selection = (
  query: URLSearchParams,
  version: ResourceVersion,
): { readonly matches: Predicate; readonly isFiltered: boolean } => {
  const tests: Predicate[] = []
  const labels = query.get('labelSelector')
  const fields = query.get('fieldSelector')
  if (labels) tests.push(labelSelector(labels))
  if (fields) tests.push(fieldSelector(fields, version.selectableFields))
  return { matches: object => tests.every(test => test(object)), isFiltered: tests.length > 0 }
}

const forbidden = (field: string, text: string): ApiError =>
  invalidOption('ListOptions', field, 'FieldValueForbidden', `Forbidden: ${text}`)

const notSupported = (kind: string, field: string, value: string, supported: string): ApiError => {
  const message = `Unsupported value: ${value}: supported values: ${supported}`
  return invalidOption(kind, field, 'FieldValueNotSupported', message)
}

/** `resourceVersionMatch` requires a resource version. */
export const checkListOptions = (query: URLSearchParams): void => {
  const match = query.get('resourceVersionMatch')
  if (match === null || match === '') return
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    const supported = '"Exact", "NotOlderThan", ""'
    throw notSupported('ListOptions', 'resourceVersionMatch', JSON.stringify(match), supported)
  }
  if (!query.get('resourceVersion')) {
    const text = 'resourceVersionMatch is forbidden unless resourceVersion is provided'
    throw forbidden('resourceVersionMatch', text)
  }
  if (query.get('continue')) {
    throw forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided')
  }
  if (match === 'Exact' && query.get('resourceVersion') === '0') {
    const text = 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'
    throw forbidden('resourceVersionMatch', text)
  }
}

/** A watch-list must set how fresh it starts, and an ordinary watch must not (kube-apiserver's rule). */
export const checkWatchOptions = (query: URLSearchParams): void => {
  const match = query.get('resourceVersionMatch')
  const initial = query.get('sendInitialEvents')
  if (initial !== null && match !== 'NotOlderThan') {
    throw forbidden(
      'resourceVersionMatch',
      'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    )
  }
  if (initial === null && match !== null) {
    throw forbidden(
      'resourceVersionMatch',
      'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    )
  }
}

const isDryRun = (values: readonly unknown[], options: string): boolean => {
  if (values.length === 0) return false
  if (values.every(value => value === 'All')) return true
  throw notSupported(options, 'dryRun', JSON.stringify(values), '"All"')
}

export const writeOptions = (
  query: URLSearchParams,
  userAgent: string | undefined,
  options: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
): WriteOptions => {
  const validation = query.get('fieldValidation') ?? 'Warn'
  if (validation !== 'Ignore' && validation !== 'Warn' && validation !== 'Strict') {
    const supported = '"", "Ignore", "Strict", "Warn"'
    throw notSupported(options, 'fieldValidation', JSON.stringify(validation), supported)
  }
  return {
    dryRun: isDryRun(query.getAll('dryRun'), options),
    fieldValidation: validation,
    fieldManager: query.get('fieldManager') ?? (userAgent ?? 'unknown').split('/')[0] ?? 'unknown',
    warnings: [],
  }
}

const propagationOf = (value: unknown, orphanDependents: unknown): Propagation => {
  const isSet = value !== undefined && value !== null
  if (isSet && typeof orphanDependents === 'boolean') {
    const text = `Invalid value: ${JSON.stringify(value)}: orphanDependents and deletionPropagation cannot be both set`
    throw invalidOption('DeleteOptions', 'propagationPolicy', 'FieldValueInvalid', text)
  }
  if (orphanDependents === true) return 'Orphan'
  if (!isSet) return 'Background'
  if (value === 'Background' || value === 'Foreground' || value === 'Orphan') return value
  const supported = '"Foreground", "Background", "Orphan", "nil"'
  throw notSupported('DeleteOptions', 'propagationPolicy', JSON.stringify(value), supported)
}

/** Returns the options of a DELETE, from its body or its query. */
export const deleteRequest = (query: URLSearchParams, body: unknown): DeleteRequest => {
  const options = isRecord(body) ? body : {}
  const preconditions = isRecord(options.preconditions) ? options.preconditions : {}
  const { uid, resourceVersion } = preconditions
  const dryRun: readonly unknown[] = Array.isArray(options.dryRun) ? options.dryRun : []
  return {
    propagation: propagationOf(
      options.propagationPolicy ?? query.get('propagationPolicy'),
      options.orphanDependents,
    ),
    dryRun: isDryRun([...query.getAll('dryRun'), ...dryRun], 'DeleteOptions'),
    ...(typeof uid === 'string' ? { uid } : {}),
    ...(typeof resourceVersion === 'string' ? { resourceVersion } : {}),
  }
}
