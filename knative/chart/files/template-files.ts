import { readdir, readFile } from 'node:fs/promises'

/** Reads the hand-written templates of a folder `templates`, relative to `knative/chart`. */
export const templateFiles = async (
  folder: string,
  isWanted: (file: string) => boolean = () => true,
): Promise<ReadonlyMap<string, string>> => {
  const place = new URL(`../${folder}/`, import.meta.url)
  const files = (await readdir(place)).filter(isWanted).toSorted()
  return new Map(
    await Promise.all(
      files.map(async file => [`templates/${file}`, await readFile(new URL(file, place), 'utf8')] as const),
    ),
  )
}
