import type { ConditionUpdates } from '../contract/conditions.ts'
import type { Cluster, ControlPlane } from '../contract/objects.ts'
import type { Kubernetes, ObjectKey } from '../kubernetes/kubernetes.ts'
import type { Secret } from '../lifecycle/lifecycle.ts'
import type { DesiredManagedResource } from '../resources/resources.ts'
import type { GeneratedSecret, SecretConfig } from '../secrets-manager/secrets-manager.ts'

/** The cloud's part of a ControlPlane. The flow does everything else. */
export interface ControlPlaneProvider {
  /** Identity that owns the generated Secrets: `provider-foo-controlplane`. */
  readonly secretsIdentity: string
  /** CAs, certificates and passwords of the components, in the order of their creation. */
  readonly secrets: (namespace: string) => readonly SecretConfig[]
  /** Components that access the shoot's API server, each with a token in a Secret `shoot-access-<name>`. */
  readonly shootAccess: readonly string[]
  /**
   * The Secret in which the webhook process stores the configuration for shoots (`shootWebhooksName`). Absent: no
   * configuration; existing ones in shoots are retained.
   */
  readonly shootWebhooks?: ObjectKey
  /**
   * Reads all input of the control plane. Pure; called once per step, before any write. Throws a `CodedError` for
   * invalid input.
   */
  readonly desired: (input: ControlPlaneFacts) => DesiredControlPlane
}

/** The input of `desired`. */
export interface ControlPlaneFacts {
  readonly controlPlane: ControlPlane
  readonly cluster: Cluster
  /** The Secret in `spec.secretRef`, with secret values. Undefined: the ControlPlane names none. */
  readonly secret: Secret | undefined
}

/** The ManagedResources and conditions of a ControlPlane. */
export interface DesiredControlPlane {
  /**
   * ManagedResources of `resourceNames`, in the ControlPlane's namespace. They are written first and must be healthy
   * before the others are written, unless the shoot sleeps.
   */
  readonly prerequisites: readonly DesiredManagedResource[]
  /**
   * Returns the other ManagedResources in the order of their writes. Pure; throws a `CodedError`. Also called once with
   * placeholder Secrets before any write, to find its errors.
   */
  readonly resources: (input: RenderingInput) => readonly DesiredManagedResource[]
  /** Updates of `status.conditions` by type. Undefined removes the condition. */
  readonly conditions?: ConditionUpdates
  /** A one-time clean-up in the shoot after all writes. Absent: none. */
  readonly shootCleanUp?: ShootCleanUp
}

/** The input of `resources`. */
export interface RenderingInput {
  readonly secrets: UsableSecrets
  /** Data of the namespace's Secret `cloudprovider`, base64 by key; `{}` without the Secret. */
  readonly cloudproviderData: Readonly<Record<string, string>>
  /** Replicas of each enabled component: 1, or 0 when the shoot sleeps and its API server is down. */
  readonly replicas: 0 | 1
}

/** Secrets of the provider's configs, by config name. Their data is base64, and secret. */
export interface UsableSecrets {
  readonly current: (config: string) => GeneratedSecret
  /** `bundle.crt`: the trusted CAs. */
  readonly bundle: (authority: string) => GeneratedSecret
}

/** The calls to a shoot's API server. */
export type ShootKubernetes = Pick<Kubernetes, 'get' | 'list' | 'patch'>

/** A one-time clean-up in the shoot. */
export interface ShootCleanUp {
  /** Annotation of the ControlPlane; `true`: the clean-up is done. */
  readonly annotation: string
  /** `forget`: removes the annotation, so that the clean-up can run again. */
  readonly due: 'clean up' | 'forget' | 'nothing'
  /** May be interrupted and repeated. An error ends the step, after everything else is written. */
  readonly run: (shoot: ShootKubernetes, signal: AbortSignal) => Promise<void>
}
