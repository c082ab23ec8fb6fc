import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { outputOf } from '../../programs/programs.ts'
import type { Regctl } from './regctl.ts'

/** The fields of an image's configuration that set the start command. */
export interface ImageConfig {
  readonly Entrypoint?: readonly string[]
  readonly Cmd?: readonly string[]
  readonly Env?: readonly string[]
  readonly User?: string
  readonly WorkingDir?: string
  readonly Labels?: Readonly<Record<string, string>>
}

export const imageConfig = async (regctl: Regctl, image: string): Promise<ImageConfig> =>
  (
    JSON.parse(await regctl('image', 'config', image, '--format', '{{ json . }}')) as {
      readonly config: ImageConfig
    }
  ).config

/**
 * Unpacks an image of an OCI layout into a new folder. Ignores owners, so it needs no privileges. Refuses an image with
 * layers that delete files; neither a base nor our layers do that.
 *
 * @param layout folder of the layout, @param tag of the image in it, @param above the tag of a base that is already
 *   unpacked in the folder: its layers are skipped
 */
export const unpackImage = async (
  regctl: Regctl,
  {
    layout,
    tag,
    into,
    above,
  }: { readonly layout: string; readonly tag: string; readonly into: string; readonly above?: string },
): Promise<void> => {
  const layersOf = async (name: string): Promise<readonly string[]> => {
    const text = await regctl('manifest', 'get', `ocidir://${layout}:${name}`, '--format', 'raw-body')
    const { layers } = JSON.parse(text) as { readonly layers: readonly { readonly digest: string }[] }
    return layers.map(({ digest }) => digest)
  }
  const below = above === undefined ? [] : await layersOf(above)
  await mkdir(into, { recursive: true })
  for (const digest of (await layersOf(tag)).filter(layer => !below.includes(layer))) {
    const file = join(layout, 'blobs', digest.replace(':', '/'))
    if (/(?:^|\/)\.wh\./m.test(await outputOf('tar', ['-tf', file])))
      throw new Error(`the layer ${digest} of ${tag} removes files of another layer`)
    await outputOf('tar', ['-xf', file, '-C', into, '--no-same-owner'])
  }
}
