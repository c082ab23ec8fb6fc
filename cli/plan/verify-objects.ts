import { messageOf } from '../../shared/text/message-of.ts'
import type { PlanJson } from '../../terraform-free-infra/engine/engine.ts'
import type { Verification } from '../observe/observe.ts'
import type { ClusterOptions } from '../open-cluster.ts'
import { type PlanOutput, planObjects } from './plan-object.ts'

export interface VerifySurroundings extends Pick<PlanOutput, 'providers' | 'env' | 'stdin'> {
  /** Ends all comparisons. The rest is unknown then. */
  readonly signal: AbortSignal
}

/**
 * Compares the clouds of objects with what their next steps would make, one object after the other, because those of a
 * shoot share an account. Reads their Secrets. Never throws.
 *
 * @param ids as in a tree: `Infrastructure shoot--garden--rose/rose`
 */
export const verifyObjects = async (
  ids: readonly string[],
  options: ClusterOptions & { readonly endpoint?: string },
  surroundings: VerifySurroundings,
): Promise<ReadonlyMap<string, Verification>> => {
  const verified = new Map<string, Verification>()
  for (const id of ids) verified.set(id, await verifyOne(id.replace(' ', '/'), options, surroundings))
  return verified
}

const verifyOne = async (
  what: string,
  options: ClusterOptions & { readonly endpoint?: string },
  surroundings: VerifySurroundings,
): Promise<Verification> => {
  let text = ''
  const write = (more: string) => {
    text += more
  }
  try {
    await planObjects([what], { ...options, output: 'json' }, { ...surroundings, write })
    const { actions } = JSON.parse(text) as PlanJson
    return { kind: 'read', actions: actions.map(({ sentence, id }) => ({ sentence, ...(id && { id }) })) }
  } catch (error) {
    const { aborted } = surroundings.signal
    return { kind: 'unknown', why: aborted ? 'the time of --timeout is over' : messageOf(error) }
  }
}
