import type { Send } from '../../shared/events/events.ts'

/** The way of the events from the bridge to functions: a sink, or a runner in this process. */
export interface EventPath {
  readonly send: Send
  /** Called when the process has its port: a process without one ends with one line. */
  readonly open?: () => void
  /**
   * Returns why events of these types (`spec.type`) cannot be delivered. Undefined if they can, as far as is known.
   *
   * @param types default: all types
   */
  brokenFor(types?: readonly string[]): string | undefined
  /** Returns true if a process of this program receives events. Absent for a sink. */
  readonly isAwake?: (program: string) => boolean
  /** Reads the gauges that describe state; call it before metrics are rendered. */
  collect(): void
  close(): Promise<void>
}
