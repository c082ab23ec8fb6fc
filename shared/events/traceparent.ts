import { createHash } from 'node:crypto'

/** `traceparent` of W3C Trace Context, version 00: `00-<trace id>-<parent id>-<flags>`. */
const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/**
 * Returns the trace context of an event. It continues the object's trace, which requested the work. Without one, each
 * cause is a trace: equal event ids have equal traces, so that a repeat appears beside the first event.
 */
export const traceparentOf = (id: string, carried?: string): string => {
  const [, trace, parent, flags] = pattern.exec(carried ?? '') ?? []
  const isUsable = trace !== undefined && parent !== undefined && /[^0]/.test(trace) && /[^0]/.test(parent)
  const span = createHash('sha256')
    .update(isUsable ? `${id} ${parent}` : id)
    .digest('hex')
    .slice(0, 16)
  return `00-${isUsable ? trace : id.replaceAll('-', '')}-${span}-${(isUsable && flags) || '01'}`
}
