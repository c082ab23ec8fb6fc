import type { AccountStore } from '../accounts/account.ts'
import { isRead } from '../calls/call-details.ts'
import type { Endpoint } from '../lag/endpoints.ts'
import { formsOf, type PastRows } from '../lag/past-rows.ts'
import type { Call, Handler, Service } from '../service.ts'

export interface OperationToRun {
  readonly service: Service<object>
  readonly action: string
  readonly handler: Handler<object>
  readonly account: AccountStore
  readonly call: Omit<Call<object>, 'state' | 'endpoint' | 'isHidden'>
}

/**
 * Runs an operation as an endpoint does it: a read on the rows that the endpoint sees, a write on all rows, which remembers
 * the rows before it.
 *
 * @param endpoint undefined: sees all writes
 */
export const runOperation = async (
  { service, action, handler, account, call }: OperationToRun,
  input: object,
  pastRows: PastRows,
  endpoint: Endpoint | undefined,
): Promise<Readonly<Record<string, unknown>>> => {
  const { region, clock } = call
  const state = account.state(service, region)
  const late = service.lateRows
  if (endpoint === undefined || late === undefined) {
    return { ...(await handler(input as never, { ...call, state, ...(endpoint && { endpoint }) })) }
  }
  const isHidden = (rows: string, id: string): boolean =>
    pastRows.isHidden(endpoint, state, { rows, id }, clock.now())
  if (!isRead({ action })) {
    const before = endpoint.remembers > 0 ? formsOf(late, state) : undefined
    const output = await handler(input as never, { ...call, state, endpoint, isHidden })
    if (before) pastRows.record(state, before, formsOf(late, state), clock.now(), endpoint.remembers)
    return { ...output }
  }
  const view = pastRows.seenBy(endpoint, late, state, clock.now())
  const everywhere = () => new Map([...call.everywhere(), [account.id, view]])
  return { ...(await handler(input as never, { ...call, state: view, everywhere, endpoint, isHidden })) }
}
