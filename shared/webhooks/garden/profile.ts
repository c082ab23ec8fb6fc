import * as z from 'zod'
import type { CapabilityDefinition, CapabilityValues } from '../../contract/machine-capabilities.ts'
import { type Problem, problemsOf } from '../../decode/problems.ts'
import { valueAt } from '../../decode/record-of.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { fieldErrors, type Lookup, type ReviewOutcome, refusedFor } from '../admission/admission.ts'
import { isAbsent } from './json.ts'
import { garden, isName } from './resources.ts'

const values = z.array(z.string())

const specSchema = z.object({
  machineImages: z
    .array(
      z.object({
        name: z.string(),
        versions: z
          .array(
            z.object({
              version: z.string(),
              architectures: values.nullish(),
              capabilityFlavors: z.array(z.record(z.string(), values)).nullish(),
            }),
          )
          .nullish(),
      }),
    )
    .nullish(),
  machineCapabilities: z.array(z.object({ name: z.string(), values })).nullish(),
})

/** A version of an image as Gardener defines it: the supported machines, without AMIs. */
export interface SpecVersion {
  readonly version: string
  readonly architectures: readonly string[]
  readonly flavors: readonly CapabilityValues[]
}

export interface SpecImage {
  readonly name: string
  readonly versions: readonly SpecVersion[]
}

export interface ProfileSpec {
  readonly images: readonly SpecImage[]
  /** If empty, machines differ only in their architecture. */
  readonly definitions: readonly CapabilityDefinition[]
}

export type ParsedProfile =
  | { readonly ok: true; readonly spec: ProfileSpec }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/**
 * Reads the images of the `spec` of a CloudProfile or NamespacedCloudProfile, and the capabilities of a CloudProfile.
 */
export const parseProfile = (spec: unknown): ParsedProfile => {
  const { data, error } = specSchema.safeParse(spec ?? {})
  if (error !== undefined) return { ok: false, problems: problemsOf(error.issues, spec) }
  const images = (data.machineImages ?? []).map(({ name, versions }) => ({
    name,
    versions: (versions ?? []).map(({ version, architectures, capabilityFlavors }) => ({
      version,
      architectures: architectures?.length ? architectures : ['amd64'],
      flavors: capabilityFlavors ?? [],
    })),
  }))
  return { ok: true, spec: { images, definitions: data.machineCapabilities ?? [] } }
}

/** Returns a lookup of versions by image and version. Built once, because a profile may have thousands of them. */
export const versionsOf = (
  images: readonly SpecImage[],
): ((name: string, version: string) => SpecVersion | undefined) => {
  const byImage = new Map<string, Map<string, SpecVersion>>()
  for (const { name, versions } of images) {
    const known = byImage.get(name) ?? new Map<string, SpecVersion>()
    byImage.set(name, known)
    for (const version of versions) if (!known.has(version.version)) known.set(version.version, version)
  }
  return (name, version) => byImage.get(name)?.get(version)
}

/** The config of the object, undecoded. */
export const providerConfigIn = (object: unknown): unknown => valueAt(object, 'spec', 'providerConfig')

/** Reads a CloudProfile of a provider with a config. Returns the config undecoded, or why the profile is refused. */
export const readProfile = (
  object: KubernetesObject,
):
  | { readonly ok: true; readonly config: unknown; readonly spec: ProfileSpec; readonly what: string }
  | { readonly ok: false; readonly refused: ReviewOutcome } => {
  const config = providerConfigIn(object)
  if (isAbsent(config)) {
    const message = 'expected a CloudProfileConfig, found nothing'
    const problem = { path: 'spec.providerConfig', message, kind: 'required' as const }
    return { ok: false, refused: refusedFor(fieldErrors([problem])) }
  }
  const parsed = parseProfile(object.spec)
  return parsed.ok
    ? { ok: true, config, spec: parsed.spec, what: `CloudProfile ${JSON.stringify(object.metadata.name)}` }
    : { ok: false, refused: refusedFor(fieldErrors(parsed.problems, { at: 'spec', within: object.spec })) }
}

/** The fields by which a shoot names its profile. */
interface NamesProfile {
  readonly cloudProfile?:
    | { readonly kind?: string | null | undefined; readonly name?: string | null | undefined }
    | null
    | undefined
  /** The older field. It precedes namespaced profiles. */
  readonly cloudProfileName?: string | null | undefined
}

type FoundProfile =
  /**
   * `spec` in the form of a CloudProfile. For a NamespacedCloudProfile: the spec of its parent, merged with its own.
   */
  { readonly ok: true; readonly spec: unknown } | { readonly ok: false; readonly message: string }

export const findProfile = async (
  { cloudProfile, cloudProfileName }: NamesProfile,
  namespace: string,
  lookup: Lookup,
): Promise<FoundProfile> => {
  const name = cloudProfile?.name ?? cloudProfileName ?? ''
  if (cloudProfile?.kind === 'NamespacedCloudProfile') {
    const found = isName(name)
      ? await lookup.get(garden.namespacedCloudProfiles, { name, namespace })
      : undefined
    return found === undefined
      ? missing('NamespacedCloudProfile', name)
      : { ok: true, spec: valueAt(found, 'status', 'cloudProfileSpec') }
  }
  return findCloudProfile(name, lookup)
}

export const findCloudProfile = async (name: string, lookup: Lookup): Promise<FoundProfile> => {
  const found = isName(name) ? await lookup.get(garden.cloudProfiles, { name }) : undefined
  return found === undefined ? missing('CloudProfile', name) : { ok: true, spec: found.spec }
}

const missing = (kind: string, name: string): FoundProfile => ({
  ok: false,
  message: `${kind}.core.gardener.cloud ${JSON.stringify(name)} not found`,
})

type NamespacedProfile =
  | { readonly ok: true; readonly own: ProfileSpec; readonly parent: ProfileSpec }
  | { readonly ok: false; readonly refused: ReviewOutcome }

/** Reads a NamespacedCloudProfile and its parent, or returns the refusal of one that has none or is malformed. */
export const readNamespacedProfile = async (
  object: KubernetesObject,
  lookup: Lookup,
): Promise<NamespacedProfile> => {
  const refused = (problems: readonly string[]) => ({ ok: false, refused: refusedFor(problems) }) as const
  const reference = valueAt(object, 'spec', 'parent')
  const kind = valueAt(reference, 'kind')
  if (kind !== 'CloudProfile')
    return refused([
      `parent reference must be of kind CloudProfile (unsupported kind: ${JSON.stringify(kind ?? '')})`,
    ])
  const found = await findCloudProfile(String(valueAt(reference, 'name') ?? ''), lookup)
  if (!found.ok) return refused([found.message])
  const own = parseProfile(object.spec)
  if (!own.ok) return refused(fieldErrors(own.problems, { at: 'spec', within: object.spec }))
  const parent = parseProfile(found.spec)
  if (parent.ok) return { ok: true, own: own.spec, parent: parent.spec }
  const message = 'cannot read the parent CloudProfile'
  return refused(fieldErrors([{ path: 'spec.parent', message, kind: 'internal' }]))
}
