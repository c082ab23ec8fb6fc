/** The exports of the engine for providers and functions. */
export type { Applied, ApplyEvent } from './apply/apply.ts'
export { ActionError, ActionTimeout, ApplyError, type ErrorKind, type ErrorKindOf } from './error-kind.ts'
export type { Outcomes, Ref, ResourceOptions } from './graph/graph.ts'
export {
  type Confirm,
  type Explain,
  type Graph,
  type GraphBuilder,
  GraphError,
  graphOf,
  type Unmark,
} from './graph/graph.ts'
export type {
  CallContext,
  CreateContext,
  Found,
  FoundStatus,
  ListContext,
  NoNeeds,
  RemoveContext,
  ResourceType,
  UpdateContext,
} from './graph/resource-type.ts'
export {
  type Attributes,
  type Change,
  type DesiredAttributes,
  knownAfterCreate,
  type Later,
  type Observation,
  type Read,
  reader,
  type Value,
} from './graph/resource-type.ts'
export { hasUnanswered, isDeleted, withoutMemory } from './memory.ts'
export type { Action, ActionKind, Plan, RetainedThing } from './planning/action.ts'
export {
  changeJson,
  formatLines,
  formatPlan,
  type PaintPlan,
  type PlanJson,
  type PlanLine,
  planJson,
} from './planning/format-plan.ts'
export {
  collectGraph,
  planGraph,
  type ReconcileInput,
  type ReconcileOutcome,
  reconcileGraph,
} from './reconcile-graph.ts'
export type { SaveState, State, StateCodec } from './state.ts'
export { notedWaits } from './state.ts'
