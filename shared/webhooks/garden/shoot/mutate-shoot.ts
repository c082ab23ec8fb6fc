import { isDeepStrictEqual } from 'node:util'
import { isRecord, valueAt } from '../../../decode/record-of.ts'
import type { ReviewOutcome, ReviewRequest } from '../../admission/admission.ts'
import { isAbsent, type JsonObject, withAt } from '../json.ts'
import { overlayOf } from './overlay.ts'

/** Returns true if a mutator must not change a Shoot (docs/contract/admission.md#shoot-mutator). */
export const isUnchangedShoot = ({ object, oldObject }: ReviewRequest): boolean => {
  const { spec, status } = object
  const last = valueAt(status, 'lastOperation')
  const type = valueAt(last, 'type')
  const workers = valueAt(spec, 'provider', 'workers')
  const [wanted, actual] = [valueAt(spec, 'seedName'), valueAt(status, 'seedName')]
  const isRescheduled =
    !isAbsent(last) && type !== 'Migrate' && !isAbsent(wanted) && !isAbsent(actual) && wanted !== actual
  const isMoving = type === 'Migrate' || (type === 'Restore' && valueAt(last, 'state') !== 'Succeeded')
  return (
    !isAbsent(object.metadata.deletionTimestamp) ||
    !Array.isArray(workers) ||
    workers.length === 0 ||
    isRescheduled ||
    (oldObject !== undefined && (isMoving || isDeepStrictEqual(spec, oldObject.spec)))
  )
}

/** Returns the outcome with a changed spec, or an empty one if the spec is the same. */
export const withSpec = ({ object }: ReviewRequest, spec: JsonObject): ReviewOutcome =>
  isDeepStrictEqual(spec, object.spec ?? {}) ? {} : { changed: { ...object, spec } }

export const networkConfigPath = ['networking', 'providerConfig'] as const

/** Sets the overlay of a new Shoot. An existing Shoot retains its value. */
export const withOverlay = (spec: JsonObject, oldSpec: unknown, isOnByDefault: boolean): JsonObject => {
  const config = valueAt(spec, ...networkConfigPath)
  if (!isAbsent(config) && !isRecord(config)) return spec
  const present = isAbsent(config) ? withAt(spec, networkConfigPath, {}) : spec
  const overlay = [...networkConfigPath, 'overlay']
  switch (overlayOf(config)) {
    case 'absent': {
      if (oldSpec === undefined) return withAt(present, overlay, { enabled: isOnByDefault })
      const former = valueAt(oldSpec, ...overlay)
      return isAbsent(former) ? present : withAt(present, overlay, former)
    }
    case 'unsaid':
      return withAt(present, [...overlay, 'enabled'], true)
    case 'on':
    case 'off':
    case 'unreadable':
      return present
  }
}

const localDns = ['systemComponents', 'nodeLocalDNS'] as const

/** Turns off TCP to the upstream DNS of the DNS cache on nodes, unless the Shoot sets it. */
export const withNodeLocalDns = (spec: JsonObject): JsonObject =>
  valueAt(spec, ...localDns, 'enabled') === true &&
  isAbsent(valueAt(spec, ...localDns, 'forceTCPToUpstreamDNS'))
    ? withAt(spec, [...localDns, 'forceTCPToUpstreamDNS'], false)
    : spec
