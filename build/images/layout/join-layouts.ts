import { bytesOf, type Descriptor, type ImageIndex, mediaTypes } from './oci.ts'
import { type Layout, openLayout } from './open-layout.ts'

/**
 * Writes a layout with an index of each image: one entry for each of the layouts, with its platform. Returns the
 * digests of the indexes by tag. Throws an Error if a layout lacks an image.
 */
export const joinLayouts = async (
  folder: string,
  layouts: readonly Layout[],
  tags: readonly string[],
): Promise<Readonly<Record<string, string>>> => {
  const joined = openLayout(folder)
  const digests: Record<string, string> = {}
  for (const tag of tags) {
    const manifests: Descriptor[] = []
    for (const layout of layouts) manifests.push(await copyImage(layout, tag, joined))
    const index: ImageIndex = { schemaVersion: 2, mediaType: mediaTypes.index, manifests }
    const descriptor = await joined.writeBlob(bytesOf(index), mediaTypes.index)
    await joined.tag(tag, descriptor)
    digests[tag] = descriptor.digest
  }
  return digests
}

const copyImage = async (from: Layout, tag: string, into: Layout): Promise<Descriptor> => {
  const found = await from.find(tag)
  if (found === undefined) throw new Error(`${from.folder} has no image ${tag}`)
  const { mediaType, digest, size } = found
  const { config, layers } = await from.readManifest(tag)
  for (const blob of [found, config, ...layers])
    if (!into.has(blob.digest)) await into.writeBlob(await from.readBlob(blob.digest), blob.mediaType)
  const { os, architecture } = await from.readConfiguration(tag)
  return { mediaType, digest, size, platform: { os, architecture } }
}
