import type { Command } from 'commander'
import type { Clock } from '../../shared/clock/clock.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import type { Cluster } from '../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { ReadKubernetes, Secret } from '../../shared/lifecycle/lifecycle.ts'
import type { CloudHttpRequest, SendCloudHttp } from '../../terraform-free-infra/cloud/http-sender.ts'
import type { PaintPlan } from '../../terraform-free-infra/engine/engine.ts'
import type { CloudCall, SimulatedCloud } from '../seed/seed.ts'
import type { NamedCloud } from '../simulation/random/random.ts'
import type { TourPart } from './stop.ts'

/**
 * A cloud for the command line: `sandbox/providers/<name>/provider.ts` exports one as `provider`, and is discovered
 * there. Every help text loads it, so it imports only types: heavy modules are loaded by `import()` in its methods.
 *
 * `C` is the provider's own simulated cloud: `simulate` returns it and `stops` receives it.
 */
export interface Provider<C extends ProvidedCloud = ProvidedCloud> {
  /** The folder below `functions/`, and the name in flags and lines: `aws` gives `--aws-endpoint`. */
  readonly name: string
  /** The display name: `AWS`. */
  readonly title: string
  readonly texts: ProviderTexts
  /** The content of a Secret that its simulated cloud accepts, as text: a replay creates such Secrets. */
  readonly credentials: Readonly<Record<string, string>>
  /**
   * The content of a Cluster for a shoot on its simulated cloud: a replay without a given Cluster creates one from it.
   */
  readonly cluster?: MadeUpCluster
  /** The kinds with plans, and the type of each. */
  readonly plans: Readonly<Partial<Record<KindName, string>>>
  /** The kinds among them with functions that never read the Secret of the object: plans get an empty one. */
  readonly plansWithoutSecret?: readonly KindName[]
  /** The cloud's own commands by name, in the order of the help, with their line there. */
  readonly commands?: Readonly<
    Record<string, { readonly summary: string; readonly load: () => Promise<Command> }>
  >
  simulate(settings: SimulateSettings): Promise<C>
  /**
   * Creates what `simulate` caches on disk, because a confined process cannot. Absent: it caches nothing.
   */
  fillCaches?(): Promise<void>
  /** Connects to the cloud over the network, and returns the `connection` of its functions. */
  connect(settings: ConnectSettings): Promise<unknown>
  /** The rules for its requests while two versions are compared. Default: reads are the requests with GET and HEAD. */
  readonly reads?: CloudReads
  /** Parses the given JSON state of a simulated cloud. */
  parseState(value: unknown): Promise<ParsedState>
  /**
   * Returns the settings of functions, by name, for a cloud with this time scale; limits that protect a real account
   * are off.
   */
  functionSettings(scale: number): Readonly<Record<string, unknown>>
  /** Returns the next step of the function. The object matches the schema of its kind, and its type is in `plans`. */
  plan(object: KubernetesObject, surroundings: PlanSurroundings): Promise<ObjectPlan>
  /**
   * Returns the names of the account or project of some credentials. Absent: the cloud has none. Throws if it cannot
   * be told.
   */
  accounts?(request: AccountsRequest): Promise<readonly string[]>
  /** Returns the function that reads the resources of this cloud from an object. Absent: its objects name none. */
  resources?(): Promise<ResourcesOf>
  /** Returns its part of the guided tour, on a cloud with initial content. */
  stops?(cloud: C): Promise<TourPart>
  /** Returns the cloud of simulations at random. Absent: there are none on this cloud. */
  simulation?(): Promise<NamedCloud>
  /** Returns the parts of documents that are generated from its code, by file below `docs/`. */
  pages?(): Promise<Readonly<Record<string, string>>>
}

/**
 * Returns the resources in the cloud that an extension object or a Machine names in its spec and status. Objects of
 * other clouds have none. Reads only the object, and never throws.
 */
export type ResourcesOf = (object: KubernetesObject) => readonly CloudResource[]

/** A resource in a cloud, as far as an object in the seed names it. */
export interface CloudResource {
  /** The name of its type for readers, in the singular. */
  readonly type: string
  /** Its id in the cloud, or its name there if it has no id. */
  readonly id: string
  readonly zone?: string
  /** The id of the resource that contains it. */
  readonly within?: string
}

/** The content of a Cluster for a shoot on a simulated cloud. */
export interface MadeUpCluster {
  readonly region: string
  /** `spec` of the CloudProfile. */
  readonly cloudProfile: Readonly<Record<string, unknown>>
  /** The version of Kubernetes: `1.33.3`. */
  readonly kubernetesVersion: string
  /** `spec.networking` of a shoot, if the object has none. Default: none. */
  readonly networking?: Readonly<Record<string, unknown>>
}

/** The texts about a cloud in the help and the welcome message. */
export interface ProviderTexts {
  /** The owner of the real cloud: `Amazon`. */
  readonly owner: string
  /** An example of a duration factor: `with 0.01, a NAT gateway takes one second`. */
  readonly scale: string
  /** How to start one at a port: `start an AWS there with: trellis aws --port 4566`. */
  howToStart(port: number | undefined): string
  /** The facts that a user needs about a cloud with initial content, and commands to try on it. */
  welcome(url: string): { readonly about: string; readonly lines: readonly string[] }
}

/** The input of `simulate`. */
export interface SimulateSettings {
  readonly clock: Clock
  /** The factor for the durations of the cloud. Default: the cloud's own. */
  readonly scale?: number
  /** Returns random bytes for ids: equal bytes give equal ids. Default: random. */
  readonly bytes?: (count: number) => Uint8Array
  /** True if it starts with the resources of the sandbox's account. */
  readonly furnished?: boolean
  /** The initial state, from `parseState`. */
  readonly state?: unknown
  /** Objects from another account; the cloud takes over its account number. */
  readonly objects?: readonly (KubernetesObject | undefined)[]
}

/** A simulated cloud with the operations of the command line. */
export interface ProvidedCloud extends SimulatedCloud {
  /**
   * Creates the resources that an object expects in an otherwise empty account, and replaces names that differ from
   * those in its status. `before`: the object as it was created here. `cluster`: the Cluster of its shoot.
   */
  prepare(object: KubernetesObject, before: KubernetesObject | undefined, cluster?: KubernetesObject): void
  /**
   * Makes calls fail as they did elsewhere. The returned function withdraws those that have not occurred. Absent: the
   * cloud cannot do so.
   */
  failAgain?(failures: readonly CallFailure[]): () => void
  /** Returns its state as JSON data. */
  snapshot(): object
  /** Returns the number of calls so far. */
  callCount(): number
  /** Returns a random fault, from numbers between 0 and 1. */
  fault(random: () => number): CloudFault
}

/** A call that failed in a recorded step. */
export interface CallFailure {
  /** `ec2` */
  readonly service: string
  /** `CreateVpc` */
  readonly action: string
  /** Its place among the calls of the action in the step, from 1. */
  readonly nth: number
  /** The HTTP status; undefined: no response arrived. */
  readonly status: number | undefined
  /** `DependencyViolation` */
  readonly code: string
}

/** A failure that the cloud can inject. */
export interface CloudFault {
  /** `the next Create* is throttled`. */
  readonly text: string
  /** Injects the fault; the returned function withdraws it if it has not yet occurred. */
  order(): () => void
}

/** The requests with which code of another version may read a cloud. */
export interface CloudReads {
  /** Returns true if a request changes nothing. */
  isRead(request: CloudHttpRequest): boolean
  /** Returns true for an address of the cloud's owner. Default: its credentials or configs have the addresses. */
  isOwner?(url: URL): boolean
  /** Requests per second to the host of a request that leave room for the functions of a seed. */
  perSecond(url: URL): number
  /** Returns what names the account in the headers of a request. */
  accountOf(headers: Readonly<Record<string, string>>): string
  /** The names, in lower case, of headers that differ between two equal requests or between versions of an SDK. */
  readonly ignored: RegExp
}

/** The input of `connect`. */
export interface ConnectSettings {
  /** Default: the endpoint of the owner. */
  readonly endpoint?: string
  /** Sends the requests in place of the network, for a process that has none. Default: over the network. */
  readonly send?: SendCloudHttp
  readonly onCall?: (call: CloudCall) => void
}

/** The result of `parseState`. */
export type ParsedState =
  | { readonly ok: true; readonly state: unknown }
  | { readonly ok: false; readonly problem: string }

/** The input of `accounts`. `region`: `spec.region` of the object with the Secret. */
export interface AccountsRequest
  extends Pick<PlanSurroundings, 'secret' | 'connection' | 'clock' | 'signal'> {
  readonly region: string | undefined
}

/** The input of `plan`. */
export interface PlanSurroundings {
  readonly secret: Secret
  readonly cluster: Cluster | undefined
  /** The other objects in the cluster or the files: for a Worker, the machine controller's objects. */
  readonly kubernetes: ReadKubernetes
  /** The settings of functions, as in the environment of their processes: `TRELLIS_…`. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The result of `connect`, or of a simulated cloud. */
  readonly connection: unknown
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly destroy: boolean
}

/** The plan of one object, ready to be printed. */
export interface ObjectPlan {
  /** The location, for the headline: ` in hosted zone Z1`. */
  readonly where: string
  readonly differs: boolean
  readonly text: (paint: PaintPlan) => string
  /** Plain data: `destroying` and `actions`; `stays`: sentences about what the step does not change. */
  readonly json: object
}
