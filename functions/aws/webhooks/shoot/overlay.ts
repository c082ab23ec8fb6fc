import { at, isAbsent, isJsonObject } from '../garden/json.ts'

/**
 * The network of pods over that of the nodes, as `spec.networking.providerConfig` asks for it. `unreadable`: there is something
 * in its place; `unsaid`: an overlay of which nothing is said, which is one (docs/contract/admission.md#shoot-mutator).
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
