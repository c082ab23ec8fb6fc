/** Keys whose events wait for a sink: each at its time, fairly, and at a pace while the sink refuses. */

export { createQueue } from './queue.ts'
export type { ItemState, Priority, Queue, QueueItem, QueueOptions, WorkResult } from './queue-types.ts'
export type { WaitingRow } from './waiting-row.ts'
