import type { Clock } from '../../../shared/clock/clock.ts'
import type { Admission, Mutation } from '../admission/admission.ts'
import type { Registry } from '../resources/registry.ts'
import type { RuleChecker } from '../schema/cel-rule-checker.ts'
import type { Store } from '../store/store.ts'

/** What the operations on resources stand on. */
export interface ApiContext {
  readonly clock: Clock
  readonly store: Store
  readonly registry: Registry
  readonly rules: RuleChecker
  readonly admission: readonly Admission[]
  /** What webhooks make of an object before it is checked, and say of it afterwards; absent: nobody asks any. */
  readonly webhooks?: { readonly mutate: Mutation; readonly validate: Admission }
  readonly newUid: () => string
  /** The end of a name that is made up: five letters. */
  readonly newSuffix: () => string
}

/** How a write was asked for. */
export interface WriteOptions {
  /** Everything but the storing. */
  readonly dryRun: boolean
  /** What becomes of fields that the schema does not know. */
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict'
  /** Who owns the fields (`metadata.managedFields`). */
  readonly fieldManager: string
  /** The owners of a new object; `kept`: the change brings the owners with it. Absent: they follow from the change. */
  readonly managedFields?: readonly object[] | 'kept'
  /** Warnings for the client are added here. */
  readonly warnings: string[]
}
