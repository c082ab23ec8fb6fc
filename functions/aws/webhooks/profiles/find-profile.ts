import type { Lookup } from '../../../../shared/webhooks/admission/admission.ts'
import { at } from '../garden/json.ts'
import { garden, isName } from '../garden/resources.ts'

/** Which profile a shoot names. */
export interface NamesProfile {
  readonly cloudProfile?:
    | { readonly kind?: string | null | undefined; readonly name?: string | null | undefined }
    | null
    | undefined
  /** As shoots named it before there were profiles of namespaces. */
  readonly cloudProfileName?: string | null | undefined
}

export type FoundProfile =
  /** `spec` as a CloudProfile has it; that of a NamespacedCloudProfile is its parent's with its own parts in it. */
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
