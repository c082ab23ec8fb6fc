import type { Timestamp } from '../../../../shared/clock/clock.ts'
import { type Applied, type Graph, isDeleted, type State } from '../../../engine/engine.ts'
import { markTag } from '../../account/tags/mark-tag.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { deletionConfigKey, deletionKey } from '../identity/identity-reads.ts'
import { keyPairName, keyPairWhat } from '../identity/key-pairs.ts'
import { statePatch } from '../state.ts'
import { markedResources } from './marked-resources.ts'
import { stillThere } from './witness.ts'

/** The time until AWS is asked again for a confirmation, in milliseconds. */
const confirmMs = 5_000

interface RemovedTarget {
  readonly cloud: AwsCloud
  readonly desired: DesiredInfrastructure
  readonly graph: Graph<AwsCloud>
  /** The state that was saved before the first deletion. */
  readonly record: State
}

interface ConfirmOptions {
  /** Writes a merge patch of the state. */
  readonly save: (state: object) => Promise<void>
  readonly signal: AbortSignal
  readonly now: Timestamp
  /** The time in which AWS may show what is gone, in milliseconds. */
  readonly shownWithinMs: number
}

/** Confirms that a deletion is complete, or returns the wait for AWS. Otherwise throws the reason. */
export const confirmRemoved = async (
  { cloud, desired, graph, record }: RemovedTarget,
  state: State,
  { save, signal, ...moment }: ConfirmOptions,
): Promise<Extract<Applied, { readonly kind: 'continue' }> | undefined> => {
  // AWS may still show what is gone. The id of a key pair's tag is not its name.
  const isGone = (id: string) =>
    id.startsWith('key-')
      ? isDeleted(state, keyPairWhat, keyPairName(desired), moment)
      : graph.types.some(({ what }) => isDeleted(state, what, id, moment))
  const marked = (await markedResources(cloud, desired, signal)).filter(id => !isGone(id))
  if (marked.length > 0)
    throw new Error(
      `deleting the infrastructure: these resources still have the tag of the shoot: ${marked.join(', ')}. Delete them, or remove their tag ${markTag}`,
    )
  const there = await stillThere({ cloud, desired, signal }, record[deletionKey] ?? '')
  if (Object.keys(there).length === 0) return undefined
  if (Object.values(there).every(isGone))
    return {
      kind: 'continue',
      afterMs: confirmMs,
      progress: 99,
      description: `Waiting until AWS no longer shows ${Object.values(there).join(', ')}`,
    }
  // Restarts the deletion, because other resources may also still exist.
  await save(statePatch(there, [deletionKey, deletionConfigKey]))
  throw new Error(
    `deleting the infrastructure: ${Object.values(there).join(', ')} still exists after its deletion (deleting it again)`,
  )
}
