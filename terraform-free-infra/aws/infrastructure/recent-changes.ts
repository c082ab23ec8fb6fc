import { parseTimestamp, type Timestamp } from '../../../shared/clock/clock.ts'
import { type State, withoutMemory } from '../../engine/engine.ts'
import { consistentAfterMs } from '../account/consistency.ts'
import { stateCodec } from './state.ts'

/** The changes of a shoot's infrastructure that AWS may not show yet. */
export interface RecentChanges {
  /** Returns `status.state` with the last save of the step. */
  readonly state: () => unknown
  /** Returns `spec.providerConfig`, whose ids are those of the user's resources. */
  readonly config: () => unknown
  readonly now: () => Timestamp
}

/** Returns true if a resource was created, changed or deleted so recently that AWS may not show it everywhere. */
export const isAnyRecent = ({ state, now }: RecentChanges): boolean => {
  const stored = decoded(state())
  const facts = withoutMemory(stored)
  return Object.entries(stored).some(([key, value]) => {
    const at = key in facts ? undefined : parseTimestamp(value)
    return at !== undefined && now() - at < consistentAfterMs
  })
}

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
