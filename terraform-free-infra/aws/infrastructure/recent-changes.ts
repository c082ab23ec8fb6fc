import { parseTimestamp, type Timestamp } from '../../../shared/clock/clock.ts'
import { type State, withoutMemory } from '../../engine/engine.ts'
import { consistentAfterMs } from '../account/consistent-after.ts'
import { stateCodec } from './state.ts'

/** The changes of a shoot's infrastructure that AWS may not show yet. */
export interface RecentChanges {
  /** Returns `status.state` with the last save of the step. */
  readonly state: () => unknown
  /** Returns `spec.providerConfig`, whose ids are those of the user's resources. */
  readonly config: () => unknown
  readonly now: () => Timestamp
}

/**
 * Returns the keys of the engine's memory (docs/engine.md#state) of resources that were created, changed or deleted so
 * recently that AWS may not show it everywhere.
 */
export const recentKeys = (stored: State, now: Timestamp): readonly string[] => {
  const facts = withoutMemory(stored)
  return Object.keys(stored).filter(key => {
    const at = key in facts ? undefined : parseTimestamp(stored[key])
    return at !== undefined && now - at < consistentAfterMs
  })
}

/** Returns true if AWS may not show a recent change of the shoot's infrastructure yet. */
export const isAnyRecent = ({ state, now }: RecentChanges): boolean =>
  recentKeys(decoded(state()), now()).length > 0

/** An id of EC2 or EFS: `subnet-0123456789abcdef0`. */
const awsId = /\b[a-z]+-[0-9a-f]{8,17}\b/g

/** Returns true if a text names a resource of the user. */
export const namesGiven = (text: string, { config }: RecentChanges): boolean => {
  const given = new Set(JSON.stringify(config() ?? null).match(awsId))
  return text.match(awsId)?.some(id => given.has(id)) ?? false
}

/** An unreadable state remembers nothing. */
const decoded = (state: unknown): State => {
  try {
    return stateCodec.decode(state)
  } catch {
    return {}
  }
}
