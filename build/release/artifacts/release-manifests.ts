import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The images of `make manifests`: a placeholder for the registry, and a tag. */
const placeholder = /registry\.invalid\/trellis\/([a-z0-9-]+):[\w.-]+/g

/**
 * Returns the files of `knative` with the images of a release, by digest.
 *
 * @param images by program. Others retain the placeholder
 */
export const releaseManifests = async (
  root: string,
  images: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, string>> => {
  const folder = join(root, 'knative')
  const files = new Map<string, string>()
  for await (const file of glob('**/*.yaml', { cwd: folder })) {
    const text = await readFile(join(folder, file), 'utf8')
    files.set(
      file,
      text.replaceAll(placeholder, (image, program: string) => images[program] ?? image),
    )
  }
  return files
}
