import { packageVersion } from '../../build/project/package-version.ts'
import { findFunctions } from '../../functions/find-functions.ts'
import { type Deployment, deployedObjects, deploymentOf } from '../../knative/knative.ts'
import { type ApiServer, storeKey } from '../../sandbox/kubernetes/kubernetes.ts'
import { flagsOf } from '../../sandbox/providers/flags.ts'
import type { ProvidedCloud, Provider } from '../../sandbox/providers/provider.ts'
import {
  hasCloud,
  providerOf,
  type Seed,
  type SeedEvent,
  type SeedFunction,
  type SeedOptions,
  startSeed,
} from '../../sandbox/seed/seed.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { readyObject } from './ready-object.ts'

/** The clouds of a sandbox, by provider name. */
export type ProvidedClouds = Readonly<Record<string, ProvidedCloud>>

export interface SandboxOptions {
  readonly providers: readonly Provider[]
  /** Default: those of the repository; a function without its cloud is left out. */
  readonly functions?: readonly SeedFunction[]
  /** Files and folders with Broker, Triggers and Services. Default: those of this project. */
  readonly manifests?: readonly string[]
  /** The class of its broker. Default: Knative's own. */
  readonly broker?: NonNullable<SeedOptions['broker']>
  /** The bridge runs the functions itself, without a broker. */
  readonly seedProcess?: NonNullable<SeedOptions<ProvidedClouds>['seedProcess']>
  /** The health of functions that are hosted later. Default: none. */
  readonly health?: NonNullable<SeedOptions['health']>
  /** The result of `simulatedClouds`. Default: new ones. */
  readonly clouds?: ProvidedClouds
  readonly kubernetesPort?: number
  /** By provider name. */
  readonly cloudPorts?: Readonly<Record<string, number>>
  readonly idleMs: number
  /** The factor for the clouds' durations. Default: a hundredth. */
  readonly scale?: number
  /** Starts functions. Default: in this process. */
  readonly startFunction?: NonNullable<SeedOptions<ProvidedClouds>['startFunction']>
  readonly observe: (event: SeedEvent) => void
}

/** A seed with every available cloud. */
export interface Sandbox extends Seed<ProvidedClouds> {
  /** The functions at the start. */
  readonly functions: readonly SeedFunction[]
}

/** Returns the settings of functions for clouds with this time scale. */
export const sandboxSettings = (
  providers: readonly Provider[],
  scale: number,
): Readonly<Record<string, unknown>> =>
  Object.assign({}, ...providers.map(provider => provider.functionSettings(scale)))

/** Returns the cloud of each provider, with the resources of the sandbox's account. */
export const simulatedClouds = async (
  providers: readonly Provider[],
  scale: number,
): Promise<ProvidedClouds> => {
  const settings = { clock: systemClock, scale, furnished: true }
  const clouds = providers.map(async provider => [provider.name, await provider.simulate(settings)] as const)
  return Object.fromEntries(await Promise.all(clouds))
}

/**
 * Starts a seed with all functions of the providers, and those without a cloud; each cloud has the resources of the
 * sandbox's account. Throws a `UsageError` for a port in use.
 */
export const startSandbox = async ({
  scale = 0.01,
  providers,
  functions: given,
  clouds: made,
  ...options
}: SandboxOptions): Promise<Sandbox> => {
  const clouds = made ?? (await simulatedClouds(providers, scale))
  const present = (given ?? (await findFunctions())).filter(
    fn => Object.hasOwn(clouds, providerOf(fn)) || !hasCloud(fn),
  )
  const installation = sandboxInstallation(present, await packageVersion())
  try {
    const seed = await startSeed<ProvidedClouds>({
      ...options,
      functions: present,
      objects: installation,
      clock: systemClock,
      clouds,
      functionSettings: sandboxSettings(providers, scale),
      machineScale: scale,
      reportsSteps: true,
    })
    showAsReady(seed.server, installation)
    return { ...seed, functions: present }
  } catch (error) {
    throw portInUse(error, { ...options, providers }) ?? error
  }
}

const portInUse = (
  error: unknown,
  {
    kubernetesPort,
    cloudPorts = {},
    providers,
  }: Pick<SandboxOptions, 'kubernetesPort' | 'cloudPorts' | 'providers'>,
): UsageError | undefined => {
  const { code, port } = error as { readonly code?: string; readonly port?: number }
  if (port === undefined || (code !== 'EADDRINUSE' && code !== 'EACCES')) return undefined
  const cloud = providers.find(({ name }) => cloudPorts[name] === port)
  const flag = port === kubernetesPort ? '--kubernetes-port' : cloud && flagsOf(cloud).port
  if (flag === undefined) return undefined
  return new UsageError(
    `port ${port} is ${code === 'EACCES' ? 'not allowed' : 'in use'}. Choose another one with ${flag}`,
  )
}

/**
 * The objects of an installation that no process of a sandbox creates: broker and bridge run there without their
 * objects.
 */
const plurals: Readonly<Record<string, string>> = {
  'eventing.knative.dev/v1 Broker': 'brokers.eventing.knative.dev',
  'eventing.knative.dev/v1 Trigger': 'triggers.eventing.knative.dev',
  'serving.knative.dev/v1 Service': 'services.serving.knative.dev',
  'sources.knative.dev/v1 SinkBinding': 'sinkbindings.sources.knative.dev',
  'apps/v1 Deployment': 'deployments.apps',
}

const sandboxInstallation = (
  functions: Deployment['functions'],
  libraryVersion: string,
): readonly KubernetesObject[] =>
  deployedObjects(
    deploymentOf({
      libraryVersion,
      functions,
      extensions: [],
      image: program => `sandbox.invalid/trellis/${program}:sandbox`,
      bridge: {
        ...deploymentOf().bridge,
        replicas: 1,
        env: [{ name: 'TRELLIS_LEADER_ELECTION', value: 'false' }],
      },
    }),
  ).filter(({ apiVersion, kind }) => Object.hasOwn(plurals, `${apiVersion} ${kind}`))

/** Writes healthy statuses into the installation's objects, as their controllers would. */
const showAsReady = (server: ApiServer, installation: readonly KubernetesObject[]): void => {
  for (const object of installation) {
    const collection = server.store.collection(plurals[`${object.apiVersion} ${object.kind}`] ?? '')
    const key = storeKey(object.metadata.namespace, object.metadata.name)
    const stored = collection.get(key)?.object
    if (stored !== undefined) collection.put(key, readyObject(stored))
  }
}
