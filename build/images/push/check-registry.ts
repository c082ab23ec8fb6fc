import { digestOf } from '../layout/oci.ts'
import { openPushed, type PushAccess } from './open-pushed.ts'

/**
 * Checks that a registry accepts uploads, before minutes of building. Uploads the empty blob, which a registry removes
 * later. Rejects with a `RegistryError` otherwise.
 *
 * @param about the image that is pushed later: `registry.example.com/trellis/bridge:1.2.3`
 */
export const checkRegistry = async (about: string, access: PushAccess): Promise<void> => {
  const { registry } = await openPushed(about, access)
  const empty = new Uint8Array()
  await registry.writeBlob(digestOf(empty), empty)
}

/**
 * Returns true if a registry has the image or the chart. Rejects with a `RegistryError` if it does not say so. Some
 * registries refuse to read a repository that does not exist yet, except to those who may write it.
 */
export const isPushed = async (about: string, access: PushAccess): Promise<boolean> => {
  const { registry, version } = await openPushed(about, access)
  return registry.hasManifest(version)
}
