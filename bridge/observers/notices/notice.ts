import { formatSeconds } from '../../../shared/clock/clock.ts'
import { annotations } from '../../../shared/contract/constants.ts'
import type { KindName } from '../../../shared/contract/kinds.ts'
import { cutText } from '../../../shared/text/cut-text.ts'
import type { BridgeEvent, EndedStep } from '../bridge-event.ts'
import type { DeliveryPath } from '../delivery-path.ts'
import { refusalAdvice } from '../sink-trouble.ts'
import { isWorthReporting, unclaimedMessage } from '../unclaimed-message.ts'

/** A Kubernetes Event to write for an object. */
export interface Notice {
  readonly object: { readonly kind: KindName; readonly object: string; readonly uid: string }
  readonly type: 'Warning' | 'Normal'
  readonly reason:
    | 'NotClaimed'
    | 'NotSent'
    | 'NotDelivered'
    | 'Paused'
    | 'UnknownOperation'
    | 'StepFailed'
    | 'StepWaits'
    | 'StepExpired'
    | 'Recovered'
  readonly message: string
  /** Notices of one object with the same reason and topic become one Event with a count. Default: the message. */
  readonly topic?: string
}

/** The longest reason why an event is not sent, in characters; a sink may answer with any text. */
const longestWhy = 500

/**
 * Returns the notice to write for an event of the bridge. Returns undefined if users need none.
 *
 * @param brokenFor returns the reason why events of these types reach no function, if it is known
 */
export const noticeOf = (
  event: BridgeEvent,
  brokenFor: DeliveryPath['brokenFor'] = () => undefined,
): Notice | undefined => {
  switch (event.type) {
    case 'unclaimed': {
      const why = brokenFor([event.provider])
      if (why === undefined && !isWorthReporting(event)) return undefined
      const message = unclaimedMessage(event)
      return {
        ...warningAbout(event),
        reason: 'NotClaimed',
        message: why === undefined ? message : `${message}: ${cutText(why, longestWhy)}`,
        // The message contains the number of attempts, so it cannot serve as the topic.
        topic: event.provider,
      }
    }
    case 'parked': {
      const why = cutText(event.why, longestWhy)
      return {
        ...warningAbout(event),
        reason: 'NotSent',
        message:
          event.status === 0
            ? `no event can be built from it: ${why}`
            : `its event was refused and is retried: ${why}; ${refusalAdvice(event.status)}`,
      }
    }
    case 'lost': {
      if (!isWorthReporting(event)) return undefined
      return {
        ...warningAbout(event),
        reason: 'NotDelivered',
        message: `the broker could not deliver its event, ${event.times} times in a row: ${cutText(event.why, longestWhy)}; the bridge sends it again. Read the log of the function`,
        topic: 'lost',
      }
    }
    case 'later': {
      if (event.why !== 'paused') return undefined
      const message = `${event.operation} is paused by ${annotations.pause} until ${formatSeconds(event.at)}`
      return { ...warningAbout(event), type: 'Normal', reason: 'Paused', message }
    }
    case 'unknown operation':
      return { ...warningAbout(event), reason: 'UnknownOperation', message: event.why }
    case 'ended':
      return noticeOfStep(event)
    default:
      return undefined
  }
}

const warningAbout = ({ kind, object, uid }: Notice['object']) =>
  ({ object: { kind, object, uid }, type: 'Warning' }) as const

/** Returns a notice if a step failed, or if it succeeded again. A success without a failure before has no notice. */
const noticeOfStep = (step: EndedStep): Notice | undefined => {
  const { operation, outcome, codes, description, attempt } = step
  const about = warningAbout(step)
  switch (outcome) {
    case 'failed': {
      const why = cutText(description, longestWhy)
      const coded = codes.length === 0 ? '' : ` (${codes.join(', ')})`
      return {
        ...about,
        reason: 'StepFailed',
        message: `${operation} failed${coded} and is retried: ${why}`,
      }
    }
    case 'waits': {
      const why = description === '' ? '' : `: ${cutText(description, longestWhy)}`
      return {
        ...about,
        reason: 'StepWaits',
        message: `${operation} cannot start or continue: reading or writing an object in the API server failed; it is retried${why}`,
      }
    }
    case 'expired':
      return {
        ...about,
        reason: 'StepExpired',
        message: `a step of ${operation} ended without recording an outcome; another step has started`,
      }
    case 'succeeded':
      return attempt === 0
        ? undefined
        : {
            ...about,
            type: 'Normal',
            reason: 'Recovered',
            message: `${operation} succeeded after ${attempt === 1 ? 'a failure' : `${attempt} failures`}`,
            topic: operation,
          }
    case 'continues':
      return undefined
  }
}
