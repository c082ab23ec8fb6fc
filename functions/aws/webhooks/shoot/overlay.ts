import { at, isAbsent, isJsonObject } from '../garden/json.ts'

/**
 * The setting for the overlay network of the pods in `spec.networking.providerConfig`. `unreadable`: the value is
 * invalid; `unsaid`: an overlay without a value, which counts as on (docs/contract/admission.md#shoot-mutator).
 */
export type Overlay = 'absent' | 'on' | 'off' | 'unsaid' | 'unreadable'

export const overlayOf = (networkConfig: unknown): Overlay => {
  const overlay = at(networkConfig, 'overlay')
  if (isAbsent(overlay)) return 'absent'
  if (!isJsonObject(overlay)) return 'unreadable'
  const enabled = at(overlay, 'enabled')
  if (isAbsent(enabled)) return 'unsaid'
  if (typeof enabled !== 'boolean') return 'unreadable'
  return enabled ? 'on' : 'off'
}
