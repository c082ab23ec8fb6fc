import type { ChangeInfo, GetChangeRequest, GetChangeResponse } from '@aws-sdk/client-route-53'
import { type Call, refuse } from '../service.ts'
import type { Route53State, SubmittedChange } from './state.ts'

/** Time from PENDING to INSYNC, in ms. */
export interface ChangeClock {
  readonly insyncAfter: number
}

const describe = (change: SubmittedChange, now: number, { insyncAfter }: ChangeClock): ChangeInfo => ({
  Id: `/change/${change.id}`,
  Status: now >= change.submittedAt + insyncAfter ? 'INSYNC' : 'PENDING',
  SubmittedAt: new Date(change.submittedAt),
  ...(change.comment === undefined ? {} : { Comment: change.comment }),
})

/** Records a change at the current time and describes it. */
export const recordChange = (
  clock: ChangeClock,
  call: Call<Route53State>,
  comment: string | undefined,
): ChangeInfo => {
  const change: SubmittedChange = { id: `C${call.newId(20)}`, submittedAt: call.clock.now(), comment }
  call.state.changes[change.id] = change
  // The response to the change itself says PENDING, even without a delay.
  return { ...describe(change, change.submittedAt, clock), Status: 'PENDING' }
}

export const getChange =
  (clock: ChangeClock) =>
  (input: GetChangeRequest, { state, clock: time }: Call<Route53State>): GetChangeResponse => {
    const id = (input.Id ?? '').replace(/^\/?change\//, '')
    const change = state.changes[id]
    if (!change) throw refuse('NoSuchChange', `Could not find resource with ID: ${id}`)
    return { ChangeInfo: describe(change, time.now(), clock) }
  }
