import {
  createSteppedSeed,
  isWriteRequest,
  type SteppedRequest,
  shootObjects,
} from '../../../sandbox/stepped-seed/stepped-seed.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { apiVersion } from '../../../shared/contract/constants.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import type { OperatingSystemConfig } from '../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { secrets } from '../../../shared/lifecycle/lifecycle.ts'
import type { FunctionDefinition } from '../../../shared/runtime/runtime.ts'

export { secrets }

export const namespace = 'shoot--foo--bar'

/** Returns a config in gardenlet's form. */
export const configOf = (
  spec: Partial<OperatingSystemConfig['spec']> & { readonly type: string },
): KubernetesObject => ({
  apiVersion,
  kind: 'OperatingSystemConfig',
  metadata: { name: 'pool', namespace, annotations: { 'gardener.cloud/operation': 'reconcile' } },
  spec: { purpose: 'provision', ...spec },
})

export interface SeedParts {
  readonly object: KubernetesObject
  /** Secret data by name and key, as text. */
  readonly secrets?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly cluster?: KubernetesObject
  readonly settings?: Readonly<Record<string, unknown>>
  readonly kubernetes?: { readonly version: string }
}

/** Returns a seed with one OperatingSystemConfig and its function. */
export const seedWith = async (definition: FunctionDefinition, parts: SeedParts) => {
  const { name, namespace: inNamespace = namespace } = parts.object.metadata
  const objects = shootObjects({
    namespace: inNamespace,
    shoot: { spec: { kubernetes: parts.kubernetes ?? { version: '1.33.3' } } },
    ...(parts.secrets && { secrets: parts.secrets }),
  })
  const { cluster } = parts
  const seed = createSteppedSeed({
    definition,
    clock: virtualClock(Date.parse('2026-11-21T00:00:00Z')),
    objects: cluster ? [...objects.filter(({ kind }) => kind !== 'Cluster'), cluster] : objects,
    ...(parts.settings && { settings: parts.settings }),
  })
  const { kubernetes, clock } = seed
  const key = { name, namespace: inNamespace }
  const one = seed.object(key)
  const { resource } = kinds.OperatingSystemConfig
  await kubernetes.create(resource, parts.object)

  const writes: SteppedRequest[] = []
  const reads: string[] = []
  const states: unknown[] = []
  seed.interfereWith({
    before: request => {
      if (isWriteRequest(request)) writes.push(request)
      else if (request.verb === 'get') reads.push(`${request.resource} ${request.name}`)
    },
    after: async () => void states.push(Object((await one.live())?.status).lastOperation),
  })
  return {
    clock,
    kubernetes,
    key,
    writes,
    reads,
    /** The last operation after each request. */
    states,
    step: one.step,
    object: async () => (await one.live()) as OperatingSystemConfig | undefined,
    dieAt: seed.dieAt,
    hasDied: seed.hasDied,
    /** Returns the Secret with the user data, and the data as text. */
    userData: async (secretName = `osc-result-${name}`) => {
      const secret = await kubernetes.get(secrets, { name: secretName, namespace: inNamespace })
      const { cloud_config: data = '' } = (secret?.data ?? {}) as Readonly<Record<string, string>>
      return secret && { secret, text: Buffer.from(data, 'base64').toString() }
    },
    ask: one.ask,
    remove: one.delete,
    /** Recreates the object, as gardenlet does in the target seed of a shoot. */
    recreate: (annotations: Readonly<Record<string, string>>) =>
      kubernetes.create(resource, { ...parts.object, metadata: { ...parts.object.metadata, annotations } }),
    close: seed.close,
  }
}
