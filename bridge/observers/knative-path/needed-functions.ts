import type { KindName } from '../../../shared/contract/kinds.ts'
import { idOf, type Observer } from '../../core/core.ts'

/** The functions that have an object now. */
export interface NeededFunctions extends Required<Pick<Observer, 'objectSeen' | 'objectDeleted'>> {
  /** Returns their kinds and types (`spec.type`), each once. */
  functions(): Iterable<readonly [KindName, string]>
}

/**
 * gardenlet waits for no Bastion. While an installation is not healthy, it reconciles no shoot of the seed
 * (`WaitUntilRequiredExtensionsReady`), which a function for bastions must not cause.
 */
const neverAwaited: readonly KindName[] = ['Bastion']

export const createNeededFunctions = (): NeededFunctions => {
  const objects = new Map<string, readonly [KindName, string]>()
  return {
    objectSeen: ({ kind, object, facts, decision }) => {
      if (decision === undefined || neverAwaited.includes(kind)) objects.delete(idOf(kind, object.metadata))
      else objects.set(idOf(kind, object.metadata), [kind, facts.provider])
    },
    objectDeleted: (kind, key) => void objects.delete(idOf(kind, key)),
    functions: () => new Map([...objects.values()].map(one => [one.join(), one])).values(),
  }
}
