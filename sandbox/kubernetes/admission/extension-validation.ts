import { isDeepStrictEqual } from 'node:util'
import { ApiError, invalid, type StatusCause } from '../requests/api-error.ts'
import { isRecord, type JsonRecord } from '../schema/structural-schema.ts'
import type { Admission } from './admission.ts'

/** The fields of a kind that gardener-resource-manager makes immutable, besides `spec.type`. */
interface FixedFields {
  /** The name of the kind in its errors. */
  readonly called: string
  readonly fields?: readonly string[]
}

/**
 * By resource (docs/contract/lifecycle.md#deletion-protection and kinds; gardener, pkg/api/extensions/validation).
 */
const kinds: Readonly<Record<string, FixedFields>> = {
  backupbuckets: { called: 'backup bucket', fields: ['region'] },
  backupentries: { called: 'backup entry' },
  bastions: { called: 'bastion', fields: ['userData'] },
  containerruntimes: { called: 'container runtime', fields: ['workerPool.name'] },
  controlplanes: { called: 'control plane', fields: ['region'] },
  dnsrecords: { called: 'dns record', fields: ['name', 'recordType'] },
  extensions: { called: 'extension' },
  infrastructures: { called: 'infrastructure', fields: ['region'] },
  networks: { called: 'network', fields: ['podCIDR', 'serviceCIDR'] },
  operatingsystemconfigs: { called: 'operatingsystemconfig', fields: ['purpose'] },
  selfhostedshootexposures: { called: 'SelfHostedShootExposure' },
  workers: { called: 'worker', fields: ['region'] },
}

const at = (spec: unknown, field: string): unknown =>
  field.split('.').reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), spec)

const fixed = (spec: JsonRecord, before: JsonRecord, field: string): readonly StatusCause[] => {
  const value = at(spec, field)
  if (isDeepStrictEqual(value, at(before, field))) return []
  const message = `Invalid value: ${JSON.stringify(value ?? '')}: field is immutable`
  return [{ reason: 'FieldValueInvalid', message, field: `spec.${field}` }]
}

const forbidden = (field: string, why: string): StatusCause => ({
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${why}`,
  field,
})

/** A network may become dual-stack and single-stack again, but its first family must remain IPv4. */
const familyFaults = (spec: JsonRecord, before: JsonRecord): readonly StatusCause[] => {
  const familiesOf = ({ ipFamilies }: JsonRecord): string =>
    Array.isArray(ipFamilies) ? ipFamilies.join(' ') : ''
  const [now, then] = [familiesOf(spec), familiesOf(before)]
  const isAllowed =
    now === then || (['IPv4', 'IPv4 IPv6'].includes(now) && ['IPv4', 'IPv4 IPv6'].includes(then))
  if (isAllowed) return []
  const why = `unsupported IP family update: oldIPFamilies=[${then}], newIPFamilies=[${now}]`
  return [forbidden('spec.ipFamilies', why)]
}

const changesOf = (spec: JsonRecord, before: JsonRecord): string =>
  [...new Set([...Object.keys(before), ...Object.keys(spec)])]
    .filter(name => !isDeepStrictEqual(spec[name], before[name]))
    .map(name => `${name}: ${JSON.stringify(spec[name])} != ${JSON.stringify(before[name])}`)
    .join(',')

/**
 * Denies changes of immutable fields of an extension object, and any change of the spec of one in deletion, with the
 * texts of Gardener's webhooks. The CRDs themselves make only `spec.class` immutable.
 */
export const extensionValidation: Admission = ({ operation, type, name, subresource, object, oldObject }) => {
  if (operation !== 'UPDATE' || subresource !== undefined || type.group !== 'extensions.gardener.cloud')
    return
  const kind = Object.hasOwn(kinds, type.plural) ? kinds[type.plural] : undefined
  const [spec, before] = [object?.spec, oldObject?.spec]
  if (!kind || !isRecord(spec) || !isRecord(before)) return
  const isDeleted = object?.metadata.deletionTimestamp !== undefined
  const changes = changesOf(spec, before)
  if (changes === '') return
  const frozen = `cannot update ${kind.called} spec if deletion timestamp is set. Requested changes: ${changes}`
  const causes = isDeleted
    ? [forbidden('spec', frozen)]
    : [
        ...['type', ...(kind.fields ?? [])].flatMap(field => fixed(spec, before, field)),
        ...(type.plural === 'networks' ? familyFaults(spec, before) : []),
      ]
  if (causes.length === 0) return
  const { failure } = invalid(type, name, causes)
  const webhook = `validation.extensions.${type.plural}.resources.gardener.cloud`
  throw new ApiError({
    ...failure,
    message: `admission webhook "${webhook}" denied the request: ${failure.message}`,
  })
}
