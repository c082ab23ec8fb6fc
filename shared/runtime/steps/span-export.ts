import type { ExtensionEvent } from '../../events/events.ts'
import type { StepReport } from '../../journal/journal.ts'

/** Exports steps as spans of OpenTelemetry. */
export interface SpanExport {
  step(report: StepReport, event: ExtensionEvent): void
  /** Sends what waits. */
  close(): Promise<void>
}
