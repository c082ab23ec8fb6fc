import { digestOf } from '../layout/oci.ts'
import { dockerCredentials } from '../registry/credentials.ts'
import { openRegistry } from '../registry/open-registry.ts'
import { parseReference } from '../registry/reference.ts'

/**
 * Checks that a registry accepts uploads, before minutes of building. Uploads the empty blob, which a registry removes
 * later. Rejects with a `RegistryError` otherwise.
 *
 * @param about the image that is pushed later: `registry.example.com/trellis/bridge:1.2.3`
 */
export const checkRegistry = async (
  about: string,
  { plainHttp, environment }: { readonly plainHttp: boolean; readonly environment: NodeJS.ProcessEnv },
): Promise<void> => {
  const reference = parseReference(about)
  if (reference?.kind !== 'registry') throw new Error(`${about} names no registry`)
  const { host, repository } = reference
  const credentials = await dockerCredentials(host, environment)
  const registry = openRegistry({ host, repository, action: 'push', plainHttp, credentials, about })
  const empty = new Uint8Array()
  await registry.writeBlob(digestOf(empty), empty)
}
