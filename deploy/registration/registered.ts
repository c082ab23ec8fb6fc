import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'

/** When Gardener installs the chart into a seed (docs/contract/registration.md#deployment). */
export const deploymentPolicies = ['OnDemand', 'Always', 'AlwaysExceptNoShoots'] as const
export type DeploymentPolicy = (typeof deploymentPolicies)[number]

/** The Pod Security Standards, strictest first. */
export const podSecurities = ['restricted', 'baseline', 'privileged'] as const
export type PodSecurity = (typeof podSecurities)[number]

/** A packaged chart, within the object. */
export interface RawChart {
  readonly kind: 'raw'
  /** The bytes of the `.tgz`. */
  readonly archive: Uint8Array
}

/** A packaged chart in an OCI registry. */
export interface OciChart {
  readonly kind: 'oci'
  /** `registry/repository:tag` or `registry/repository@sha256:…`. */
  readonly ref: string
  /** The Secret in namespace `garden` by which the registry lets in. Absent: nobody is asked. */
  readonly pullSecret?: string
  /** The Secret in namespace `garden` with the registry's CA. Absent: the system's. */
  readonly caBundleSecret?: string
}

export type ChartSource = RawChart | OciChart

/** What is registered with Gardener, and how it shall be installed. */
export interface ExtensionRegistration {
  /** Of the objects, and of the release of the chart: a DNS label. */
  readonly name: string
  readonly functions: readonly FunctionDefinition[]
  readonly chart: ChartSource
  /** Of the chart; Gardener adds `gardener`. */
  readonly values: Readonly<Record<string, unknown>>
  /** Whether they write `lastOperation` and `state` of their objects; of kind and type there is one who does. Absent: true. */
  readonly primary?: boolean
  /** Absent: `OnDemand`. */
  readonly policy?: DeploymentPolicy
  /** The labels of the seeds that get it; only of one that is not primary. Absent: all seeds. */
  readonly seedLabels?: Readonly<Record<string, string>>
  /** Whether something in the chart speaks to the garden. Absent: nothing does. */
  readonly gardenAccess?: boolean
  /** What the namespace of the installation is held to. Absent: `restricted`. */
  readonly podSecurity?: PodSecurity
}

/** What cannot be registered, in a sentence that says what would be right. */
export class RegistrationError extends Error {
  override readonly name = 'RegistrationError'
}
