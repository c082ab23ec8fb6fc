/**
 * From a change of an object to its event: watch, decide, queue, deliver. The core knows no observer; `Observer` is its
 * only port to them.
 */

export type { WaitingRow } from '../../shared/event-queue/event-queue.ts'
export type { AwaitedBy } from './awaited/awaited-objects.ts'
export type { CoreEvent, Observe } from './core-event.ts'
export {
  announceTo,
  type Core,
  type CoreOptions,
  createCore,
  defaultConcurrency,
  defaultUnclaimedMs,
} from './create-core.ts'
export type { LostEvent, LostResult } from './delivery/lost-event.ts'
export {
  type Decision,
  decide,
  type HoldReason,
  isSelected,
  type Selection,
  type Sent,
  type ServedObjects,
  watchedNamespace,
} from './objects/decide.ts'
export { idOf, neededSince } from './objects/pending-objects.ts'
export { holdOf, isShootFailed } from './objects/preconditions.ts'
export { createServed, type Served, type ServedTypes } from './objects/served.ts'
export type { Observer, SeenObject } from './observer.ts'
export { createWatch, type Watch, type WatchHandler } from './watch.ts'
