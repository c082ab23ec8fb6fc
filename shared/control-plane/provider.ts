import type { ConditionUpdates } from '../contract/conditions.ts'
import type { Cluster, ControlPlane } from '../contract/objects.ts'
import type { Kubernetes, ObjectKey } from '../kubernetes/kubernetes.ts'
import type { DesiredManagedResource } from '../resources/resources.ts'
import type { GeneratedSecret, SecretConfig } from '../secrets-manager/secrets-manager.ts'

/** What of a ControlPlane is a cloud's business. Everything else is the flow's. */
export interface ControlPlaneProvider {
  /** Whose the generated Secrets are: `provider-foo-controlplane`. */
  readonly secretsIdentity: string
  /** CAs, certificates and passwords of the components, in the order in which they are made. */
  readonly secrets: (namespace: string) => readonly SecretConfig[]
  /** Components that reach the shoot's API server, each by a token in a Secret `shoot-access-<name>`. */
  readonly shootAccess: readonly string[]
  /**
   * Where the process of the webhooks leaves the configuration for shoots (`shootWebhooksName`). Absent: there are none, and
   * who has written it into a shoot keeps it.
   */
  readonly shootWebhooks?: ObjectKey
  /**
   * Reads all that a control plane is made by. Pure; asked once in a step, before anything is written. Throws a `CodedError`
   * for what cannot be read.
   */
  readonly desired: (input: ControlPlaneFacts) => DesiredControlPlane
}

export interface ControlPlaneFacts {
  readonly controlPlane: ControlPlane
  readonly cluster: Cluster
  /** Of the Secret that `spec.secretRef` names. */
  readonly secretLabels: Readonly<Record<string, string>>
}

export interface DesiredControlPlane {
  /** Of `resourceNames`, in the namespace of the ControlPlane. Written first, and healthy before the others are written, unless the shoot sleeps. */
  readonly prerequisites: readonly DesiredManagedResource[]
  /**
   * The others, in the order in which they are written. Pure; throws a `CodedError`. Also asked once with made up Secrets,
   * before anything is written, to find out what it throws.
   */
  readonly resources: (input: RenderingInput) => readonly DesiredManagedResource[]
  /** Of `status.conditions`, by type; undefined: there is nothing to tell, and one that is there goes. */
  readonly conditions?: ConditionUpdates
  /** What has to be mended once in the shoot itself, when all is written. Absent: nothing. */
  readonly shootCleanUp?: ShootCleanUp
}

export interface RenderingInput {
  readonly secrets: UsableSecrets
  /** Data of the Secret `cloudprovider` of the namespace, base64 by key; `{}` when there is none. */
  readonly cloudproviderData: Readonly<Record<string, string>>
  /** Of each component that is on: 1, or 0 when the shoot sleeps and its API server is down. */
  readonly replicas: 0 | 1
}

/** Secrets of the configs of the provider, by their names there. Their data is base64, and secret. */
export interface UsableSecrets {
  readonly current: (config: string) => GeneratedSecret
  /** `bundle.crt`: whom to trust. */
  readonly bundle: (authority: string) => GeneratedSecret
}

/** What there is of the API server of a shoot. */
export type ShootKubernetes = Pick<Kubernetes, 'get' | 'list' | 'patch'>

/** A clean-up in the shoot that is done once. */
export interface ShootCleanUp {
  /** On the ControlPlane, `true`: it is done. */
  readonly annotation: string
  /** `forget`: the annotation goes, as it may have to be done again. */
  readonly due: 'clean up' | 'forget' | 'nothing'
  /** May be cut short and done again. What it throws ends the step, when everything else is written. */
  readonly run: (shoot: ShootKubernetes, signal: AbortSignal) => Promise<void>
}
