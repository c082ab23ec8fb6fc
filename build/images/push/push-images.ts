import type { ImageIndex, ImageManifest } from '../layout/oci.ts'
import { type Layout, openLayout } from '../layout/open-layout.ts'
import type { ImageRegistry } from '../registry/open-registry.ts'
import { openPushed, type PushAccess } from './open-pushed.ts'

export interface PushOptions extends PushAccess {
  /** The OCI layout, with a tag for each program. */
  readonly layout: string
  /** Host and path of the images in a registry, without a trailing slash. */
  readonly registry: string
  /** Tag of the pushed images. They are used by digest. */
  readonly tag: string
  /** Digests by program. */
  readonly digests: Readonly<Record<string, string>>
}

/** References by program, `{ "<program>": "<registry>/<program>@sha256:…" }`: the format of the chart. */
export const imageReferences = (
  registry: string,
  digests: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(digests).map(([program, digest]) => [program, `${registry}/${program}@${digest}`]),
  )

/**
 * Pushes each image with its layers, which the registry may already have, or each index with its images. At the first
 * one that the registry refuses, rejects with a `RegistryError`.
 */
export const pushImages = async ({
  layout: folder,
  registry: prefix,
  tag,
  digests,
  ...access
}: PushOptions): Promise<void> => {
  const layout = openLayout(folder)
  for (const [program, digest] of Object.entries(digests)) {
    const { registry } = await openPushed(`${prefix}/${program}:${tag}`, access)
    await push(layout, registry, digest, tag)
  }
}

/** Pushes what a manifest names before the manifest itself: registries refuse the other order. */
const push = async (
  layout: Layout,
  registry: ImageRegistry,
  digest: string,
  version: string,
): Promise<void> => {
  const bytes = await layout.readBlob(digest)
  const manifest = JSON.parse(String(bytes)) as ImageManifest | ImageIndex
  if ('manifests' in manifest)
    for (const image of manifest.manifests) await push(layout, registry, image.digest, image.digest)
  else
    for (const blob of [manifest.config, ...manifest.layers])
      if (!(await registry.hasBlob(blob.digest)))
        await registry.writeBlob(blob.digest, await layout.readBlob(blob.digest))
  await registry.writeManifest(version, bytes, manifest.mediaType)
}
