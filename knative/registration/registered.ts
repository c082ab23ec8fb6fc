import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'
import type { deploymentPolicies, podSecurities } from '../choices.ts'

/** The condition for Gardener to install the chart into a seed (docs/contract/registration.md#deployment). */
export { deploymentPolicies } from '../choices.ts'
export type DeploymentPolicy = (typeof deploymentPolicies)[number]

/** The Pod Security Standards, strictest first. */
export { podSecurities } from '../choices.ts'
export type PodSecurity = (typeof podSecurities)[number]

/** A packaged chart, embedded in the object. */
export interface RawChart {
  readonly kind: 'raw'
  /** The bytes of the `.tgz`. */
  readonly archive: Uint8Array
}

export interface OciChart {
  readonly kind: 'oci'
  /** `registry/repository:tag` or `registry/repository@sha256:…`. */
  readonly ref: string
  /** The Secret in namespace `garden` with the credentials of the registry. Default: no authentication. */
  readonly pullSecret?: string
  /** The Secret in namespace `garden` with the registry's CA. Default: the system's CAs. */
  readonly caBundleSecret?: string
}

export type ChartSource = RawChart | OciChart

/** A Secret or ConfigMap with label `gardener.cloud/role: resource-reference`, in namespace `garden`. */
export interface RegistrationReference {
  /** The name in templates of values. Letters and digits. */
  readonly name: string
  readonly kind: 'Secret' | 'ConfigMap'
  /** The name of the object. */
  readonly object: string
}

export interface ExtensionRegistration {
  /** Name of the objects and of the chart's release: a DNS label. */
  readonly name: string
  readonly functions: readonly FunctionDefinition[]
  readonly chart: ChartSource
  /** Values of the chart. Gardener adds `gardener`. */
  readonly values: Readonly<Record<string, unknown>>
  /** The objects for templates in the values: `{{ .resources.<name>.data.<key> }}`. Default: none. */
  readonly resources?: readonly RegistrationReference[]
  /** Default: `OnDemand`. */
  readonly policy?: DeploymentPolicy
  /** The labels of the seeds to install on. Only for secondary functions. Default: all seeds. */
  readonly seedLabels?: Readonly<Record<string, string>>
  /** True if the chart accesses the garden. Default: false. */
  readonly gardenAccess?: boolean
  /** Pod security of the installation's namespace. Default: `restricted`. */
  readonly podSecurity?: PodSecurity
}

/** An invalid registration. The message names the valid form. */
export class RegistrationError extends Error {
  override readonly name = 'RegistrationError'
}
