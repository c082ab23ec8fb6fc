/**
 * Keys whose events wait for a sink: each at its time, fairly, and at a pace while the sink refuses; and what an answer
 * of the sink means.
 */

export { emit, type SendResult } from './emit.ts'
export { createQueue } from './queue.ts'
export type { ItemState, Priority, Queue, QueueItem, QueueOptions, WorkResult } from './queue-types.ts'
