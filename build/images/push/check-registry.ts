import { digestOf } from '../layout/oci.ts'
import { dockerCredentials } from '../registry/credentials.ts'
import { type ImageRegistry, openRegistry } from '../registry/open-registry.ts'
import { parseReference } from '../registry/reference.ts'

interface RegistryAccess {
  /** True if the registry has no TLS. */
  readonly plainHttp: boolean
  readonly environment: NodeJS.ProcessEnv
}

/**
 * Checks that a registry accepts uploads, before minutes of building. Uploads the empty blob, which a registry removes
 * later. Rejects with a `RegistryError` otherwise.
 *
 * @param about the image that is pushed later: `registry.example.com/trellis/bridge:1.2.3`
 */
export const checkRegistry = async (about: string, access: RegistryAccess): Promise<void> => {
  const { registry } = await open(about, access)
  const empty = new Uint8Array()
  await registry.writeBlob(digestOf(empty), empty)
}

/** Returns true if a registry has the image or the chart. Rejects with a `RegistryError` if it does not say so. */
export const isPushed = async (about: string, access: RegistryAccess): Promise<boolean> => {
  const { registry, version } = await open(about, access)
  return registry.hasManifest(version)
}

const open = async (
  about: string,
  { plainHttp, environment }: RegistryAccess,
): Promise<{ readonly registry: ImageRegistry; readonly version: string }> => {
  const reference = parseReference(about)
  if (reference?.kind !== 'registry') throw new Error(`${about} names no registry`)
  const { host, repository, version } = reference
  const credentials = await dockerCredentials(host, environment)
  // Some registries refuse to read a repository that does not exist yet, except to those who may write it.
  const options = { host, repository, action: 'push', plainHttp, credentials, about } as const
  return { registry: openRegistry(options), version }
}
