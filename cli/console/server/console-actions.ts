import { randomBytes, randomUUID } from 'node:crypto'
import type { Clock } from '../../../shared/clock/clock.ts'
import { allowedActions } from '../../act/allowed-actions.ts'
import type { ActionName } from '../../act/decide-action.ts'
import { type ActionOptions, type PreparedAction, prepareAction } from '../../act/prepare-action.ts'
import type { ActionKubernetes } from '../../act/write-action.ts'
import type { ShownAction, WrittenActions } from '../model/history.ts'

/** The actions of the page. They write only what a page has shown, and once. */
export interface ConsoleActions {
  /** A page that acts has it. Only the address that the command prints contains it: other users do not see that. */
  readonly key: string
  readonly allowed: (ids: readonly string[], signal: AbortSignal) => Promise<readonly ActionName[]>
  /** Reads and decides. Rejects with a reason for the reader. */
  readonly prepare: (options: ActionOptions) => Promise<ShownAction>
  /** Writes what was prepared. Undefined: it was written already, or is too old. */
  readonly write: (id: string) => Promise<WrittenActions | undefined>
}

/** An action is valid for this time after a page has shown it: then, the objects may be in another state. */
const validMs = 5 * 60_000
const mostPrepared = 20
const requestMs = 30_000

export const consoleActions = (
  kubernetes: ActionKubernetes,
  { clock, user }: { readonly clock: Clock; readonly user: string | undefined },
): ConsoleActions => {
  const prepared = new Map<string, { readonly action: PreparedAction; readonly at: number }>()
  // Not the signal of the request: a closed page must not end a write before its Event.
  const cluster = { kubernetes, clock, user, signal: () => AbortSignal.timeout(requestMs) }
  return {
    key: randomBytes(24).toString('base64url'),
    allowed: (ids, signal) => allowedActions(kubernetes, ids, signal),
    prepare: async options => {
      const action = await prepareAction(options, cluster)
      const id = randomUUID()
      const { user, lines, writes } = action
      if (writes > 0) prepared.set(id, { action, at: clock.now() })
      for (const [oldest] of prepared) if (prepared.size > mostPrepared) prepared.delete(oldest)
      return { id, user, lines, writes }
    },
    write: async id => {
      const found = prepared.get(id)
      prepared.delete(id)
      if (found === undefined || clock.now() - found.at > validMs) return undefined
      const lines: string[] = []
      const failures = await found.action.write(line => lines.push(line))
      return { lines, failures }
    },
  }
}
