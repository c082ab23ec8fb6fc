import { createHash } from 'node:crypto'

/** `traceparent` of W3C Trace Context, version 00: `00-<trace id>-<parent id>-<flags>`. */
const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/**
 * The trace context of an event. It belongs to the trace that asked for the work, where the object carries one;
 * otherwise one cause is one trace: whoever works out the same event id works out the same trace, so that a repeat
 * shows up beside the first.
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
