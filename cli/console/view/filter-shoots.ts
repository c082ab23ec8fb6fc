import type { NodeState } from '../../observe/observe.ts'
import { itemAt } from '../model/at-moment.ts'
import type { ListedState, ShootSummary } from '../model/history.ts'

/** A shoot at a moment. */
export interface ListedShoot {
  readonly id: string
  readonly garden?: string
  readonly now: ListedState
}

export interface ShootFilter {
  /** Empty: all. */
  readonly states: ReadonlySet<NodeState>
  /** Words that name or reason contain. */
  readonly text: string
}

const rank: Readonly<Record<NodeState, number>> = {
  failed: 0,
  waiting: 1,
  working: 2,
  unknown: 3,
  ok: 4,
  gone: 5,
}

/**
 * Returns the shoots that exist at a time, the worst first.
 *
 * @param unlisted the kinds that have not been read: without them, no shoot is known to be well
 */
export const shootsAt = (
  shoots: readonly ShootSummary[],
  time: number,
  unlisted: readonly string[] = [],
): readonly ListedShoot[] =>
  shoots
    .flatMap(({ states, ...shoot }) => {
      const now = itemAt(states, time)
      if (now === undefined || now.state === 'gone') return []
      return [{ ...shoot, now: now.state === 'ok' && unlisted.length > 0 ? unread(now, unlisted) : now }]
    })
    .sort((a, b) => rank[a.now.state] - rank[b.now.state] || (a.id < b.id ? -1 : 1))

const unread = (now: ListedState, unlisted: readonly string[]): ListedState => ({
  ...now,
  state: 'unknown',
  why: `not read yet: ${unlisted.join(', ')}`,
})

export const filterShoots = (
  shoots: readonly ListedShoot[],
  { states, text }: ShootFilter,
): readonly ListedShoot[] => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return shoots.filter(({ id, garden = '', now }) => {
    if (states.size > 0 && !states.has(now.state)) return false
    const searched = `${id} ${garden} ${now.why ?? ''}`.toLowerCase()
    return words.every(word => searched.includes(word))
  })
}
