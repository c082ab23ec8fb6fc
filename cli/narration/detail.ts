import type { BridgeEvent } from '../../bridge/bridge.ts'
import type { Sentence } from '../../sandbox/narration/sentence.ts'
import type { SeedEvent } from '../../sandbox/seed/seed.ts'

/** The longest input that is shown, in characters. */
const longest = 400

/**
 * Describes all events of a seed in detail, for `--verbose`: events, requests and calls. Returns undefined if there is
 * nothing new.
 */
export const detailOf = (event: SeedEvent): Sentence | undefined => {
  switch (event.part) {
    case 'bridge':
      return dim('bridge', ofBridge(event.event))
    case 'broker': {
      const { kind, ...about } = event.event
      if ('why' in about) return dim('broker', `${kind} of ${about.trigger}: ${about.why}`)
      if ('trigger' in about) {
        const how = 'durationMs' in about ? `, ${about.durationMs} ms` : ''
        return dim('broker', `${kind} ${about.event.attributes.id} by ${about.trigger}${how}`)
      }
      const what = 'event' in about ? about.event.attributes.id : about.problem
      return dim('broker', `${kind} ${what}`)
    }
    case 'step':
      return dim('function', `${event.event.subject}: the step ends as ${event.outcome.kind}`)
    case 'check':
      return dim('function', `${event.event.subject}: the check ends as ${event.outcome.kind}`)
    case 'request': {
      const { method, path, status } = event.request
      return dim('kubernetes', `${method} ${path} → ${status}`)
    }
    case 'review': {
      const { webhook, operation, kind, name, outcome } = event.review
      return dim(
        'webhook',
        `the API server calls ${webhook} for ${operation} of ${kind} ${name} → ${outcome}`,
      )
    }
    case 'cloud': {
      const { service, action, region, input, answer } = event.call
      const text = JSON.stringify(input, withoutBytes)
      const shown = text.length > longest ? `${text.slice(0, longest)}…` : text
      return dim(event.cloud, `${service}:${action} ${region ?? ''} ${shown} → ${answer}`)
    }
    default:
      return undefined
  }
}

/** Replaces bytes by their count, because JSON lists every byte. A Buffer has already become data and type here. */
const withoutBytes = (_: string, value: unknown): unknown =>
  ArrayBuffer.isView(value) ? `${value.byteLength} bytes` : value

const dim = (part: Sentence['part'], text: string): Sentence => ({ part, text, tone: 'dim' })

const ofBridge = (event: BridgeEvent): string => {
  if ('id' in event)
    return `${event.type} ${event.id}, ${event.operation} of ${event.kind} ${event.object}, because of ${event.reason}`
  if (event.type === 'health')
    return `health check of ${event.kind} ${event.object}, because of ${event.reason}: ${event.outcome}`
  if (event.type === 'observation')
    return `observation of ${event.kind} ${event.object} by ${event.function}, because of ${event.reason}: ${event.outcome}`
  if ('resource' in event) return `${event.type} ${event.resource}`
  return event.type
}
