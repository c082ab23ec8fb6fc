import type { AccountSnapshot } from '../accounts/account.ts'
import type { CallLog } from '../calls/call-log.ts'
import type { WireRequest, WireResponse } from '../codec/message.ts'
import type { FaultOrder } from '../faults/fault.ts'
import type { FaultList } from '../faults/fault-list.ts'

/** Answers the simulator's own paths, `/_trellis/…`; undefined for all others. */
export type Admin = (request: WireRequest) => WireResponse | undefined

const json = (status: number, value: unknown): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(`${JSON.stringify(value, null, 2)}\n`),
})

const nothing: WireResponse = { status: 204, headers: {}, body: new Uint8Array() }

const parse = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const addFault = (faults: FaultList, body: Uint8Array): WireResponse => {
  try {
    // The list checks the order itself.
    faults.add(parse(body) as FaultOrder)
    return json(201, { faults: faults.pending() })
  } catch (error) {
    return json(400, { error: reasonOf(error) })
  }
}

/**
 * The simulator's own endpoint.
 * - `GET /_trellis/calls`: the call log; `DELETE` empties it
 * - `GET /_trellis/faults`: the faults that wait; `POST` orders one; `DELETE` takes all back
 * - `GET /_trellis/account`: everything in the default account, as `trellis replay --aws-state` takes it
 */
export const createAdmin =
  (calls: CallLog, faults: FaultList, account: () => AccountSnapshot): Admin =>
  request => {
    if (!request.path.startsWith('/_trellis')) return undefined
    switch (`${request.method} ${request.path}`) {
      case 'GET /_trellis/calls':
        return json(200, { calls: calls.all() })
      case 'DELETE /_trellis/calls':
        calls.clear()
        return nothing
      case 'GET /_trellis/faults':
        return json(200, { faults: faults.pending() })
      case 'POST /_trellis/faults':
        return addFault(faults, request.body)
      case 'DELETE /_trellis/faults':
        faults.clear()
        return nothing
      case 'GET /_trellis/account':
        return json(200, account())
      default:
        return json(404, { error: 'Try /_trellis/calls, /_trellis/faults or /_trellis/account.' })
    }
  }
