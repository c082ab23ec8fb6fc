import type { Clock } from '../../clock/clock.ts'
import type { ExtensionEvent } from '../../events/events.ts'
import type { StepReport } from '../../journal/journal.ts'
import type { Log } from '../../log/log.ts'
import { messageOf } from '../../text/message-of.ts'
import type { SpanExport } from './span-export.ts'

/** Steps that wait until the libraries are loaded. */
const mostWaiting = 100
const lastLimitMs = 1_000

/**
 * Exports spans with libraries that are loaded at the first step. A step never waits for them. If they cannot be
 * loaded, a warning is logged once and no spans are exported.
 */
export const exportSpans = (name: string, endpoint: string, clock: Clock, log: Log): SpanExport => {
  const waiting: (readonly [StepReport, ExtensionEvent])[] = []
  let loading: Promise<SpanExport | undefined> | undefined
  let loaded: SpanExport | undefined
  let hasFailed = false

  const load = async (): Promise<SpanExport | undefined> => {
    try {
      // build/images/bundle puts this import into a separate file.
      const { otlpSpans } = await import('./otlp-spans.ts')
      loaded = otlpSpans(name, endpoint)
      for (const step of waiting) loaded.step(...step)
    } catch (error) {
      hasFailed = true
      // In a bundle the import is a require(). The first line of its error names the file.
      log.warn('cannot export spans', { reason: messageOf(error).split('\n')[0] })
    }
    waiting.length = 0
    return loaded
  }

  return {
    step: (report, event) => {
      if (loaded !== undefined) return loaded.step(report, event)
      if (hasFailed || waiting.length >= mostWaiting) return
      waiting.push([report, event])
      loading ??= load()
    },
    close: async () => {
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const disarm = clock.after(lastLimitMs, resolve)
      const closed = loading?.then(spans => spans?.close()).catch(() => undefined)
      await Promise.race([closed, late])
      disarm()
    },
  }
}
