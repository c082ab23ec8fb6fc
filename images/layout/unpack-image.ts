import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { outputOf } from '../../test/real/programs/command.ts'
import type { Regctl } from './regctl.ts'

interface Manifest {
  readonly layers: readonly { readonly digest: string }[]
}

/** How an image says that its process is started. */
export interface ImageConfig {
  readonly Entrypoint?: readonly string[]
  readonly Cmd?: readonly string[]
  readonly Env?: readonly string[]
  readonly User?: string
  readonly WorkingDir?: string
  readonly Labels?: Readonly<Record<string, string>>
}

/** The configuration of an image of one platform. */
export const imageConfig = async (regctl: Regctl, image: string): Promise<ImageConfig> =>
  (JSON.parse(await regctl('image', 'config', image, '--format', '{{ jsonPretty . }}')) as { readonly config: ImageConfig })
    .config

/**
 * Unpacks the layers of an image into a folder that is made for it. Owners and devices are left out, so anybody can. A layer
 * that removes files of another one is refused: neither the base nor what is put on it does.
 *
 * @param repository of `image`, from which the layers are read: the reference without tag and digest
 */
export const unpackImage = async (
  regctl: Regctl,
  { image, repository, into }: { readonly image: string; readonly repository: string; readonly into: string },
): Promise<void> => {
  const manifest = JSON.parse(
    await regctl('manifest', 'get', image, '--format', 'raw-body'),
  ) as Manifest
  await mkdir(into, { recursive: true })
  for (const [index, { digest }] of manifest.layers.entries()) {
    const file = join(into, `..`, `layer-${process.pid}-${index}.tar`)
    await outputOf('sh', ['-c', '"$@" > "$FILE"', 'sh', regctl.path, 'blob', 'get', repository, digest], {
      env: { ...process.env, FILE: file },
    })
    const names = await outputOf('tar', ['-tf', file])
    if (/(?:^|\/)\.wh\./m.test(names)) throw new Error(`the layer ${digest} of ${image} removes files of another layer`)
    await outputOf('tar', ['-xf', file, '-C', into, '--no-same-owner'])
    await rm(file)
  }
}
