import type { KindName } from '../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { factsOf } from '../../shared/lifecycle/lifecycle.ts'
import { parseSettings } from '../../shared/runtime/runtime.ts'
import { isSelected } from '../core/core.ts'
import { selectingSettings, selectionOf } from './settings.ts'

/** Returns true if a bridge sends events for an object. */
export type BridgeSelects = (kind: KindName, object: KubernetesObject) => boolean

/**
 * Returns the selection of a bridge with this environment, as the bridge itself reads it; undefined if the bridge would
 * refuse the environment. A label selector is not evaluated: the API server does that.
 */
export const bridgeSelects = (
  env: Readonly<Record<string, string | undefined>>,
): BridgeSelects | undefined => {
  try {
    const selection = selectionOf(parseSettings(selectingSettings, { flags: {}, env }))
    return (kind, object) =>
      (selection.kinds.length === 0 || selection.kinds.includes(kind)) &&
      isSelected(selection, kind, factsOf(object), object.metadata.namespace)
  } catch {
    return undefined
  }
}
