import * as z from 'zod'
import { objectHead } from './object-meta.ts'

/**
 * Embedded objects are read as in Go: unknown fields are retained, `null` means absent, and a known field with a wrong
 * type makes the whole Cluster unreadable (docs/contract/lifecycle.md#cluster).
 */
const embeddedMeta = z.looseObject({
  name: z.string().nullish(),
  namespace: z.string().nullish(),
  uid: z.string().nullish(),
  generation: z.int().nullish(),
  deletionTimestamp: z.string().nullish(),
  labels: z.record(z.string(), z.string()).nullish(),
  annotations: z.record(z.string(), z.string()).nullish(),
})

const flags = z.record(z.string(), z.boolean())

const cidrs = z.array(z.string()).nullish()

const shootSpec = z.looseObject({
  region: z.string().nullish(),
  purpose: z.string().nullish(),
  hibernation: z.looseObject({ enabled: z.boolean().nullish() }).nullish(),
  dns: z
    .looseObject({
      domain: z.string().nullish(),
      providers: z.array(z.looseObject({ type: z.string().nullish() })).nullish(),
    })
    .nullish(),
  networking: z
    .looseObject({
      type: z.string().nullish(),
      pods: z.string().nullish(),
      nodes: z.string().nullish(),
      services: z.string().nullish(),
      ipFamilies: z.array(z.string()).nullish(),
    })
    .nullish(),
  kubernetes: z
    .looseObject({
      version: z.string().nullish(),
      kubeAPIServer: z
        .looseObject({ featureGates: flags.nullish(), runtimeConfig: flags.nullish() })
        .nullish(),
      kubeControllerManager: z.looseObject({ nodeCIDRMaskSize: z.int().nullish() }).nullish(),
      kubeProxy: z.looseObject({ enabled: z.boolean().nullish(), mode: z.string().nullish() }).nullish(),
      verticalPodAutoscaler: z.looseObject({ enabled: z.boolean().nullish() }).nullish(),
    })
    .nullish(),
  provider: z
    .looseObject({
      type: z.string().nullish(),
      workers: z.array(z.looseObject({ name: z.string().nullish() })).nullish(),
    })
    .nullish(),
})

const shootStatus = z.looseObject({
  technicalID: z.string().nullish(),
  uid: z.string().nullish(),
  hibernated: z.boolean().nullish(),
  lastOperation: z.looseObject({ type: z.string().nullish(), state: z.string().nullish() }).nullish(),
  constraints: z.array(z.looseObject({ type: z.string().nullish(), status: z.string().nullish() })).nullish(),
  networking: z.looseObject({ pods: cidrs, nodes: cidrs, services: cidrs, egressCIDRs: cidrs }).nullish(),
})

const shoot = z.looseObject({
  metadata: embeddedMeta.nullish(),
  spec: shootSpec.nullish(),
  status: shootStatus.nullish(),
})

const cloudProfile = z.looseObject({
  metadata: embeddedMeta.nullish(),
  spec: z.looseObject({ type: z.string().nullish() }).nullish(),
})

const seed = z.looseObject({
  metadata: embeddedMeta.nullish(),
  spec: z
    .looseObject({
      provider: z.looseObject({ type: z.string().nullish(), region: z.string().nullish() }).nullish(),
    })
    .nullish(),
})

/** A field that the CRD leaves to its writer. */
const embedded = <S extends z.ZodType>(schema: S, description: string): S =>
  schema.meta({ 'x-kubernetes-preserve-unknown-fields': true, description })

/**
 * gardenlet's information for extensions about a shoot, named like its namespace (docs/contract/lifecycle.md#cluster).
 */
export const clusterSchema = z
  .object({
    ...objectHead('Cluster'),
    spec: z
      .object({
        cloudProfile: embedded(cloudProfile, 'The CloudProfile that the shoot uses.'),
        seed: embedded(
          seed,
          'The Seed that the shoot runs on; absent for a self-hosted shoot.',
        ).exactOptional(),
        shoot: embedded(shoot, 'The Shoot with its status.'),
      })
      .describe('The objects as in the garden.'),
  })
  .describe('The Shoot, CloudProfile and Seed that belong to a namespace of the seed.')
/** A Cluster: the Shoot, its CloudProfile and its Seed, as gardenlet copies them into the seed. */
export type Cluster = z.infer<typeof clusterSchema>
export type Shoot = Cluster['spec']['shoot']
export type CloudProfile = Cluster['spec']['cloudProfile']
