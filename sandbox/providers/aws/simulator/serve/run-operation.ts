import type { AccountStore } from '../accounts/account.ts'
import { isRead } from '../calls/call-details.ts'
import type { ServingEndpoint } from '../lag/endpoints.ts'
import { formsOf, type RowHistory } from '../lag/row-history.ts'
import type { Call, Handler, Service } from '../service.ts'

export interface OperationToRun {
  readonly service: Service<object>
  readonly action: string
  readonly handler: Handler<object>
  readonly account: AccountStore
  readonly call: Omit<Call<object>, 'state' | 'endpoint' | 'isHidden'>
}

type Output = Readonly<Record<string, unknown>>

/**
 * Runs an operation as an endpoint does it: a read on the rows that the endpoint sees, a write on all rows, which
 * remembers the rows before it. Returns a promise only if the operation does.
 *
 * @param endpoint undefined: sees all writes
 */
export const runOperation = (
  { service, action, handler, account, call }: OperationToRun,
  input: object,
  rowHistory: RowHistory,
  endpoint: ServingEndpoint | undefined,
): Output | Promise<Output> => {
  const { region, clock } = call
  const state = account.state(service, region)
  const run = (given: Partial<Call<object>> = {}) =>
    handler(input as never, { ...call, state, ...given }) as Output | Promise<Output>
  if (endpoint === undefined) return run()
  const late = service.lateRows
  if (late === undefined) return run({ endpoint })
  const isHidden = (rows: string, id: string): boolean =>
    rowHistory.isHidden(endpoint, state, { rows, id }, clock.now())
  if (isRead({ action })) {
    const view = rowHistory.seenBy(endpoint, late, state, clock.now())
    const everywhere = () => new Map([...call.everywhere(), [account.id, view]])
    return run({ state: view, everywhere, endpoint, isHidden })
  }
  if (endpoint.remembers === 0) return run({ endpoint, isHidden })
  const before = formsOf(late, state)
  const remembered = (output: Output): Output => {
    rowHistory.record(state, before, formsOf(late, state), clock.now(), endpoint.remembers)
    return output
  }
  const output = run({ endpoint, isHidden })
  return output instanceof Promise ? output.then(remembered) : remembered(output)
}
