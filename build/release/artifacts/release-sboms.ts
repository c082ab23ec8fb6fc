import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sbomOf } from '../../images/images.ts'
import type { Project } from '../../project/project.ts'

/** The name of the npm package's document. */
export const packageSbom = 'npm-package'

/**
 * Writes `<program>.cdx.json` of each program, and of the npm package, into a folder. Returns the files by these names.
 */
export const writeSboms = async (
  root: string,
  {
    bundles,
    programs,
    project,
    into,
  }: {
    readonly bundles: string
    readonly programs: readonly string[]
    readonly project: Project
    readonly into: string
  },
): Promise<ReadonlyMap<string, string>> => {
  await mkdir(into, { recursive: true })
  const files = new Map([...programs, packageSbom].map(name => [name, join(into, `${name}.cdx.json`)]))
  for (const program of programs) await cp(join(bundles, program, 'sbom.cdx.json'), files.get(program) ?? '')
  const packages = (await installedPackages(root)).map(folder => join(root, folder))
  const { name, version, license } = project
  await writeFile(
    files.get(packageSbom) ?? '',
    await sbomOf({ project: name, name, version, license, packages }),
  )
  return files
}

/** Returns the folders of the packages that an installation of the library has or contains. */
const installedPackages = async (root: string): Promise<readonly string[]> => {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: true; readonly link?: true }>>
  }
  return Object.entries(packages).flatMap(([folder, { dev, link }]) =>
    folder.startsWith('node_modules/') && !dev && !link ? [folder] : [],
  )
}
