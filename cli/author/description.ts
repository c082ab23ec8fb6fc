import type { ExtensionClass } from '../../shared/contract/constants.ts'
import type { DeclaredHealth } from '../../shared/contract/health.ts'
import type { KindName } from '../../shared/contract/kinds.ts'

/** The data of a function's file without its code: the program `describe-function.ts` prints it as JSON. */
export type Description =
  | (DescribedFunction & { readonly files: readonly string[] })
  | {
      /** One line each: `file:line: problem`. */
      readonly problems: readonly string[]
      readonly files: readonly string[]
    }

export interface DescribedFunction {
  readonly name: string
  readonly kind: KindName
  readonly types: readonly string[]
  readonly classes: readonly ExtensionClass[]
  /** Present for a secondary function. */
  readonly secondary?: { readonly conditions: readonly string[] }
  /** The objects that the bridge watches for its health checks, if they differ from those of its kind. */
  readonly health: readonly DeclaredHealth[]
  /** The location of its definition: `file:line`. */
  readonly place: string
  /** The names of its settings, and of the settings of every function. */
  readonly settings: readonly string[]
  /** Its Trigger, Service and RBAC, as YAML. */
  readonly manifest: string
}

/** The descriptions of files at the start of a sandbox, and the time before they were read. */
export interface FirstReading {
  readonly at: number
  readonly byFile: ReadonlyMap<string, Description>
}
