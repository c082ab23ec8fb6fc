import type { Command } from 'commander'
import type { Clock } from '../../shared/clock/clock.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import type { Cluster } from '../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { ReadKubernetes, Secret } from '../../shared/lifecycle/lifecycle.ts'
import type { PaintPlan } from '../../terraform-free-infra/engine/engine.ts'
import type { CloudCall, SimulatedCloud } from '../seed/seed.ts'
import type { TourPart } from './stop.ts'

/**
 * A cloud, as the command line knows it: `functions/<name>/provider.ts` exports one as `provider`, and is found by being
 * there. It is read for every help, so it imports nothing but types: what is heavy comes by `import()` inside of its
 * methods.
 *
 * `C` is the provider's own simulated cloud: what `simulate` gives is what `stops` gets.
 */
export interface Provider<C extends ProvidedCloud = ProvidedCloud> {
  /** The folder below `functions/`, and the name of flags and lines: `aws` gives `--aws-endpoint`. */
  readonly name: string
  /** For people: `AWS`. */
  readonly title: string
  readonly texts: ProviderTexts
  /** What a Secret holds that its simulated cloud takes, as text: a replay makes such Secrets. */
  readonly credentials: Readonly<Record<string, string>>
  /** What a Cluster says of a shoot on its simulated cloud, where a replay is given none and makes one up. */
  readonly cluster?: MadeUpCluster
  /** The kinds that plans are made for, and the type of each. */
  readonly plans: Readonly<Partial<Record<KindName, string>>>
  /** Those of them whose functions never read the Secret that the object names: plans get an empty one. */
  readonly plansWithoutSecret?: readonly KindName[]
  /** Commands of its own, in the order of the help, by their names. */
  readonly commands?: Readonly<Record<string, () => Promise<Command>>>
  simulate(settings: SimulateSettings): Promise<C>
  /** The cloud over the network, as its functions take it: their `connection`. */
  connect(settings: ConnectSettings): Promise<unknown>
  /** The state of a simulated cloud out of JSON that somebody gives. */
  parseState(value: unknown): Promise<ParsedState>
  /** Settings of functions, by name, whose cloud takes so much of its time; limits that spare a real account are off. */
  functionSettings(scale: number): Readonly<Record<string, unknown>>
  /** What the next step of the function would do. The object has the shape of its kind, and a type of `plans`. */
  plan(object: KubernetesObject, surroundings: PlanSurroundings): Promise<ObjectPlan>
  /** What the guided tour shows of it, on a furnished cloud. */
  stops?(cloud: C): Promise<TourPart>
  /** The parts of documents that are made from its code, by file below `docs/`. */
  pages?(): Promise<Readonly<Record<string, string>>>
}

export interface MadeUpCluster {
  readonly region: string
  /** `spec` of the CloudProfile. */
  readonly cloudProfile: Readonly<Record<string, unknown>>
  /** Of Kubernetes: `1.33.3`. */
  readonly kubernetesVersion: string
  /** `spec.networking` of a shoot whose object tells none. Absent: none. */
  readonly networking?: Readonly<Record<string, unknown>>
}

/** What help and welcome say of a cloud. */
export interface ProviderTexts {
  /** Whose the real one is: `Amazon`. */
  readonly owner: string
  /** What a factor of 0.01 on its durations means: `0.01 makes a NAT gateway take one second`. */
  readonly scale: string
  /** What the flags are that load a state, and save it. */
  readonly state: string
  readonly saveState: string
  /** How to have one of its own at a port: `start an AWS there with: trellis aws --port 4566`. */
  howToStart(port: number | undefined): string
  /** What a person needs to know of a furnished one, and lines to try on it. */
  welcome(url: string): { readonly about: string; readonly lines: readonly string[] }
}

export interface SimulateSettings {
  readonly clock: Clock
  /** Factor on the durations of the cloud; absent: the cloud's own default. */
  readonly scale?: number
  /** So many bytes, for ids: the same ones make the same ids. Absent: random. */
  readonly bytes?: (count: number) => Uint8Array
  /** It has what the sandbox's account owns. */
  readonly furnished?: boolean
  /** What it starts with, of `parseState`. */
  readonly state?: unknown
  /** Objects that were made in another account, whose number it then has. */
  readonly objects?: readonly (KubernetesObject | undefined)[]
}

/** A simulated cloud, as the command line plays with it. */
export interface ProvidedCloud extends SimulatedCloud {
  /**
   * Puts in place what an object needs of an account that knows nothing but it, and takes over the names that its status
   * tells for what was made here under others. `before`: the object as it was made here. `cluster`: that of its shoot.
   */
  prepare(object: KubernetesObject, before: KubernetesObject | undefined, cluster?: KubernetesObject): void
  /** All that it holds, as JSON data. */
  snapshot(): object
  /** How many calls it has had. */
  callCount(): number
  /** A fault by chance, from numbers between 0 and 1. */
  fault(random: () => number): CloudFault
}

/** A fault that a cloud can be given. */
export interface CloudFault {
  /** `the next Create* is throttled`. */
  readonly text: string
  /** Orders it; the returned function takes it back, if it has not come about. */
  order(): () => void
}

export interface ConnectSettings {
  /** Absent: the owner's. */
  readonly endpoint?: string
  /** Called with every call. */
  readonly onCall?: (call: CloudCall) => void
}

export type ParsedState =
  | { readonly ok: true; readonly state: unknown }
  | { readonly ok: false; readonly problem: string }

/** What a plan is made of, beside the object. */
export interface PlanSurroundings {
  readonly secret: Secret
  readonly cluster: Cluster | undefined
  /** What else stands in the cluster, or in the files: of a Worker the machine controller's objects. */
  readonly kubernetes: ReadKubernetes
  /** The settings of functions, as their processes would find them: `TRELLIS_…`. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Of `connect`, or of a simulated cloud. */
  readonly connection: unknown
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly destroy: boolean
}

/** The plan of one object, ready to be printed. */
export interface ObjectPlan {
  /** Where it is, for the headline: ` in hosted zone Z1`. */
  readonly where: string
  readonly differs: boolean
  readonly text: (paint: PaintPlan) => string
  /** Plain data: `destroying` and `actions`. */
  readonly json: object
}
