import type { ExtensionClass } from '../../shared/contract/constants.ts'
import type { KindName } from '../../shared/contract/kinds.ts'

/** What is known of a function's file without the code in it: the program `describe-function.ts` prints it as JSON. */
export type Description =
  | (DescribedFunction & { readonly files: readonly string[] })
  | {
      /** A line each: `file:line: what is wrong`. */
      readonly problems: readonly string[]
      readonly files: readonly string[]
    }

/** A definition as data. */
export interface DescribedFunction {
  readonly name: string
  readonly kind: KindName
  readonly types: readonly string[]
  readonly classes: readonly ExtensionClass[]
  /** Where it is defined: `file:line`. */
  readonly place: string
  /** The names of its settings, and of those of every function. */
  readonly settings: readonly string[]
  /** Its Trigger, Service and rights, as YAML. */
  readonly manifest: string
}
