import type { Problem } from '../../../decode/problems.ts'
import { isRecord, valueAt } from '../../../decode/record-of.ts'
import { isAbsent } from '../json.ts'

/**
 * The setting for the overlay network of the pods in `spec.networking.providerConfig`. `unreadable`: the value is
 * invalid; `unsaid`: an overlay without a value, which counts as on (docs/contract/admission.md#shoot-mutator).
 */
export type Overlay = 'absent' | 'on' | 'off' | 'unsaid' | 'unreadable'

export const overlayOf = (networkConfig: unknown): Overlay => {
  const overlay = valueAt(networkConfig, 'overlay')
  if (isAbsent(overlay)) return 'absent'
  if (!isRecord(overlay)) return 'unreadable'
  const enabled = valueAt(overlay, 'enabled')
  if (isAbsent(enabled)) return 'unsaid'
  if (typeof enabled !== 'boolean') return 'unreadable'
  return enabled ? 'on' : 'off'
}

export const overlayPath = 'spec.networking.providerConfig.overlay'

/** Returns the problem of an unreadable overlay. The path begins at the Shoot. */
export const overlayProblem = (networkConfig: unknown): Problem =>
  isRecord(valueAt(networkConfig, 'overlay'))
    ? { path: `${overlayPath}.enabled`, message: 'expected true or false' }
    : { path: overlayPath, message: 'expected an object with the field enabled' }
