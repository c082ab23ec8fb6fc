import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { outputOf } from '../../programs/programs.ts'
import { openLayout } from './open-layout.ts'

/**
 * Unpacks an image of an OCI layout into a new folder. Ignores owners, so it needs no privileges. Refuses an image with
 * layers that delete files; neither a base nor our layers do that.
 *
 * @param layout folder of the layout, @param tag of the image in it, @param above the tag of a base that is already
 *   unpacked in the folder: its layers are skipped
 */
export const unpackImage = async ({
  layout,
  tag,
  into,
  above,
}: {
  readonly layout: string
  readonly tag: string
  readonly into: string
  readonly above?: string
}): Promise<void> => {
  const layersOf = async (name: string): Promise<readonly string[]> =>
    (await openLayout(layout).readManifest(name)).layers.map(({ digest }) => digest)
  const below = above === undefined ? [] : await layersOf(above)
  await mkdir(into, { recursive: true })
  for (const digest of (await layersOf(tag)).filter(layer => !below.includes(layer))) {
    const file = join(layout, 'blobs', digest.replace(':', '/'))
    if (/(?:^|\/)\.wh\./m.test(await outputOf('tar', ['-tf', file])))
      throw new Error(`the layer ${digest} of ${tag} removes files of another layer`)
    await outputOf('tar', ['-xf', file, '-C', into, '--no-same-owner'])
  }
}
