import type { Clock } from '../../../shared/clock/clock.ts'
import type { Admission, Mutation } from '../admission/admission.ts'
import type { Registry } from '../resources/registry.ts'
import type { RuleChecker } from '../schema/cel-rule-checker.ts'
import type { Store } from '../store/store.ts'

export interface ApiContext {
  readonly clock: Clock
  readonly store: Store
  readonly registry: Registry
  readonly rules: RuleChecker
  readonly admission: readonly Admission[]
  /**
   * Calls webhooks that change an object before validation and validate it afterwards. Absent: no webhooks are called.
   */
  readonly webhooks?: { readonly mutate: Mutation; readonly validate: Admission }
  readonly newUid: () => string
  /** Returns the suffix of a generated name: five letters. */
  readonly newSuffix: () => string
}

export interface WriteOptions {
  /** If true, everything runs except the storing. */
  readonly dryRun: boolean
  /** The treatment of fields that are not in the schema. */
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict'
  /** The owner of the fields (`metadata.managedFields`). */
  readonly fieldManager: string
  /** The owners of a new object. `kept`: the change includes the owners. Absent: they are derived from the change. */
  readonly managedFields?: readonly object[] | 'kept'
  readonly warnings: string[]
}
