import type { Lookup } from '../../../../shared/webhooks/admission/admission.ts'
import { at } from '../garden/json.ts'
import { garden, isName } from '../garden/resources.ts'

/** The fields by which a shoot names its profile. */
export interface NamesProfile {
  readonly cloudProfile?:
    | { readonly kind?: string | null | undefined; readonly name?: string | null | undefined }
    | null
    | undefined
  /** The older field, from before namespaced profiles existed. */
  readonly cloudProfileName?: string | null | undefined
}

export type FoundProfile =
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
      : { ok: true, spec: at(found, 'status', 'cloudProfileSpec') }
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
