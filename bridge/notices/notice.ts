import { kinds } from '../../shared/contract/kinds.ts'
import type { BridgeEvent } from '../bridge-event.ts'
import { refusalAdvice } from '../delivery/sink-trouble.ts'
import { isWorthTelling, unclaimedMessage } from './unclaimed-message.ts'

/** What is said at an object. */
export interface Notice {
  readonly object: BridgeEvent & { readonly type: 'unclaimed' | 'parked' }
  readonly apiVersion: string
  readonly reason: 'NotClaimed' | 'NotSent'
  readonly message: string
}

/** Characters of why an event is not sent; a sink may answer anything. */
const longestWhy = 500

/** What people who look at an object should hear of what happened to it; undefined: nothing. */
export const noticeOf = (event: BridgeEvent): Notice | undefined => {
  switch (event.type) {
    case 'unclaimed':
      if (!isWorthTelling(event)) return undefined
      return {
        object: event,
        apiVersion: event.apiVersion,
        reason: 'NotClaimed',
        message: unclaimedMessage(event),
      }
    case 'parked': {
      const { group, version } = kinds[event.kind].resource
      const why = event.why.slice(0, longestWhy)
      return {
        object: event,
        apiVersion: `${group}/${version}`,
        reason: 'NotSent',
        message:
          event.status === 0
            ? `no event can be made of it: ${why}`
            : `its event is refused and tried again: ${why}; ${refusalAdvice(event.status)}`,
      }
    }
    default:
      return undefined
  }
}
