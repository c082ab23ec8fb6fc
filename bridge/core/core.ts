/**
 * From a change of an object to its event: watch, decide, queue, deliver. The core knows no observer; `Observer` is its
 * only port to them.
 */

export type { AwaitedBy } from './awaited/awaited-objects.ts'
export type { BridgeEvent, CheckReason, EndedStep, Observe, ShownOutcome } from './bridge-event.ts'
export { type Core, type CoreOptions, createCore } from './create-core.ts'
export { emit, type SendResult } from './delivery/delivery.ts'
export { hashOf } from './hash-of.ts'
export type { Decision } from './objects/decide.ts'
export { idOf } from './objects/pending-objects.ts'
export {
  createServed,
  formatServedObjects,
  parseServedObjects,
  type Selection,
  type Served,
  type ServedObjects,
  type ServedTypes,
  watchedNamespace,
} from './objects/selection.ts'
export { neededSince, type WaitingRow } from './objects/waiting.ts'
export { announceTo, type Observer, type SeenObject } from './observer.ts'
export { createQueue } from './queue/queue.ts'
export type { WorkResult } from './queue/queue-types.ts'
export { createWatch, type Watch, type WatchHandler } from './watch.ts'
