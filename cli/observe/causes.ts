import { causeOf } from '../../shared/text/cause-of.ts'
import type { ShootStatus } from './seed-status.ts'
import type { NodeError, TreeNode } from './tree.ts'

/** Failures with the same message, apart from names, ids and the operation. */
export interface FailureCause extends Pick<NodeError, 'codes' | 'fix'> {
  /** The message of the first one. */
  readonly text: string
  /** The earliest of `failures`, in ms since 1970. */
  readonly since?: number
  readonly failures: readonly CausedFailure[]
}

/** A shoot or object that fails. */
export interface CausedFailure extends Pick<TreeNode, 'why' | 'next' | 'run'> {
  /** The title of the shoot: `Shoot garden-dev/rose (shoot--dev--rose)`. */
  readonly shoot: string
  /** `Infrastructure rose`. Undefined: the shoot itself. */
  readonly object?: string
  readonly since?: number
}

/**
 * Groups what fails by its message, the most shoots first. Equal codes with other messages are other causes. gardenlet
 * copies the errors of objects to their shoot, so a shoot with failing objects is no failure of its own.
 */
export const causesOf = (all: readonly ShootStatus[]): readonly FailureCause[] => {
  const failures = all.flatMap(status => {
    const { shoot, title, troubled } = status
    const failing = troubled.filter(({ state }) => state === 'failed')
    const own = failing.length > 0 || status.state !== 'failed' ? [] : [{ ...status, id: '' }]
    return [...failing, ...own].map(node => {
      const { id, error, why, next, run } = node
      const text = error?.text ?? why ?? node.detail ?? 'it does not say why'
      const since = error?.since ?? node.since
      const name = { name: id.split('/').at(-1) ?? '', ...(shoot !== undefined && { namespace: shoot }) }
      const failure: CausedFailure = {
        shoot: title,
        ...(id !== '' && { object: node.title }),
        ...(since !== undefined && { since }),
        ...(why !== undefined && { why }),
        ...(next !== undefined && { next }),
        ...(run !== undefined && { run }),
      }
      return { key: causeOf(text, name), text, error, failure }
    })
  })
  return [...Map.groupBy(failures, ({ key }) => key).values()]
    .flatMap((group): readonly FailureCause[] => {
      const [first] = group
      if (first === undefined) return []
      const { text, error } = first
      const times = group.flatMap(({ failure }) => failure.since ?? [])
      return [
        {
          text,
          codes: error?.codes ?? [],
          ...(error?.fix !== undefined && { fix: error.fix }),
          ...(times.length > 0 && { since: Math.min(...times) }),
          failures: group.map(({ failure }) => failure),
        },
      ]
    })
    .toSorted((one, other) => other.failures.length - one.failures.length)
}
