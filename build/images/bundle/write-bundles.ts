import { copyFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Metafile } from 'esbuild'
import { packageVersion } from '../../../deploy/package-version.ts'
import { bundledPackages } from '../../library/bundled-packages.ts'
import { noticesOf } from '../../library/notice-of.ts'
import { sbomOf } from '../contents/sbom-of.ts'
import { funcPackage, funcYaml } from '../func/func-yaml.ts'
import { besideFiles, besideOf, bundle } from './bundle.ts'
import type { Program } from './programs.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The entry file of a process, in the folder of its program. */
export const mainFile = 'main.cjs'

/** The license texts that have to accompany a program. */
const noticesFile = 'THIRD-PARTY-NOTICES.md'
/** The contents of a program, as CycloneDX. */
const sbomFile = 'sbom.cdx.json'

export interface WrittenBundle {
  readonly name: string
  /** The executable files in the folder of the program, with sizes in bytes. */
  readonly files: readonly { readonly file: string; readonly bytes: number }[]
}

/** Writes a folder for each program below `into`, with everything in its image besides Node. */
export async function* writeBundles(
  programs: readonly Program[],
  into: string,
): AsyncGenerator<WrittenBundle> {
  const version = await packageVersion()
  const made = new Map<string, { readonly path: string; readonly metafile: Metafile }>()
  for (const { name, source, definition } of programs) {
    const folder = join(into, name)
    const metafiles = [await bundle({ source, out: join(folder, mainFile) })]
    const beside = metafiles.flatMap(besideOf)
    for (const file of beside) {
      const path = join(folder, file)
      const first = made.get(file)
      const metafile =
        first?.metafile ?? (await bundle({ source: { entryPoints: [besideFiles[file]] }, out: path }))
      if (first === undefined) made.set(file, { path, metafile })
      else await copyFile(first.path, path)
      metafiles.push(metafile)
    }
    const written = [mainFile, ...beside]
    const packages = bundledPackages(metafiles).map(path => join(root, path))
    const about = `${written.map(file => `\`${file}\``).join(', ')} contain these packages, besides Trellis itself.`
    await writeFile(join(folder, noticesFile), await noticesOf(about, packages))
    await writeFile(join(folder, sbomFile), await sbomOf({ name, version, packages }))
    await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'))
    if (definition !== undefined) {
      const project = { definition, version, broker: 'default' }
      await writeFile(join(folder, 'func.yaml'), funcYaml(project))
      await writeFile(join(folder, 'package.json'), funcPackage(project))
    }
    const files = written.map(async file => ({
      file,
      bytes: (await stat(join(folder, file))).size,
    }))
    yield { name, files: await Promise.all(files) }
  }
}
